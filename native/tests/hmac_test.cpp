// HMAC-SHA256 against the test cases of RFC 4231, and copies that go on by themselves.
#include "base/hmac.h"

#include <string>

#include "check.h"
#include "hex.h"

namespace {

std::string finish(hushbit::Hmac hmac, const std::string& data) {
  uint8_t tag[32];
  hmac.update(data.data(), data.size());
  hmac.finish(tag);
  return hushbit::testing::to_hex(tag, sizeof tag);
}

hushbit::Hmac with_key(const std::string& key) { return {reinterpret_cast<const uint8_t*>(key.data()), key.size()}; }

void test_rfc_cases() {
  CHECK(finish(with_key(std::string(20, '\x0b')), "Hi There") ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(finish(with_key("Jefe"), "what do ya want for nothing?") ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(finish(with_key(std::string(20, '\xaa')), std::string(50, '\xdd')) ==
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  std::string counting;
  for (char c = 1; c <= 25; ++c) counting += c;
  CHECK(finish(with_key(counting), std::string(50, '\xcd')) ==
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  const std::string long_key(131, '\xaa');
  CHECK(finish(with_key(long_key), "Test Using Larger Than Block-Size Key - Hash Key First") ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  CHECK(finish(with_key(long_key),
               "This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
               "be hashed before being used by the HMAC algorithm.") ==
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

void test_key_of_a_whole_block() {
  const std::string block(64, 'k'), longer(65, 'k');
  CHECK(finish(with_key(block), "x") != finish(with_key(longer), "x"));
  CHECK(finish(with_key(""), "") == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

void test_copies() {
  hushbit::Hmac common = with_key("Jefe");
  common.update("what do ya ", 11);
  const hushbit::Hmac copy = common;
  CHECK(finish(copy, "want for nothing?") == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(finish(copy, "else") != finish(copy, "want for nothing?"));
  CHECK(finish(common, "want for nothing?") == finish(copy, "want for nothing?"));
}

}  // namespace

int main() {
  test_rfc_cases();
  test_key_of_a_whole_block();
  test_copies();
  return check_result();
}
