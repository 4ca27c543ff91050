// SHA-256 against the examples of FIPS 180-4 and of the NIST test vectors, and pieces against the whole.
#include "base/sha256.h"

#include <string>
#include <vector>

#include "check.h"
#include "hex.h"

namespace {

std::string sha256(const std::string& data) {
  hushbit::Sha256 hash;
  hash.update(data.data(), data.size());
  uint8_t digest[32];
  hash.finish(digest);
  return hushbit::testing::to_hex(digest, sizeof digest);
}

void test_published_vectors() {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmno"
               "pqrstnopqrstu") == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Every length around the block boundaries, cut in two at every place.
void test_pieces() {
  std::string data;
  for (int i = 0; i < 200; ++i) data += static_cast<char>(i * 37 + 11);
  for (size_t length = 0; length <= data.size(); ++length) {
    const std::string whole = sha256(data.substr(0, length));
    for (size_t cut = 0; cut <= length; ++cut) {
      hushbit::Sha256 hash;
      hash.update(data.data(), cut);
      hash.update(data.data() + cut, length - cut);
      uint8_t digest[32];
      hash.finish(digest);
      CHECK(hushbit::testing::to_hex(digest, sizeof digest) == whole);
    }
  }
}

}  // namespace

int main() {
  test_published_vectors();
  test_pieces();
  return check_result();
}
