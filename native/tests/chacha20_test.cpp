// ChaCha20 against RFC 8439, sections 2.3.2 and appendix A.1.
#include "base/chacha20.h"

#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "hex.h"
#include "hushbit/testing.h"

namespace {

std::vector<uint8_t> from_hex(const std::string& hex) {
  const std::string bytes = hushbit::testing::from_hex(hex);
  return {bytes.begin(), bytes.end()};
}

bool block_is(const std::vector<uint8_t>& key, uint32_t counter, const std::vector<uint8_t>& nonce,
              const std::string& expected_hex) {
  uint8_t block[64];
  hushbit::chacha20_block(key.data(), counter, nonce.data(), block);
  return std::memcmp(block, from_hex(expected_hex).data(), 64) == 0;
}

void test_rfc_vectors() {
  std::vector<uint8_t> counting(32);
  for (uint8_t i = 0; i < 32; ++i) counting[i] = i;
  CHECK(block_is(counting, 1, from_hex("000000090000004a00000000"),
                 "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                 "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"));
  const std::vector<uint8_t> zero_key(32), zero_nonce(12);
  CHECK(block_is(zero_key, 0, zero_nonce,
                 "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                 "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"));
  CHECK(block_is(zero_key, 1, zero_nonce,
                 "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
                 "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"));
  std::vector<uint8_t> last_bit(32);
  last_bit[31] = 1;
  CHECK(block_is(last_bit, 1, zero_nonce,
                 "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
                 "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"));
}

// Reading in odd pieces, or from the middle, gives the same bytes as block after block.
void test_stream_is_blocks_in_order() {
  const std::vector<uint8_t> key(32, 7), nonce(12, 9);
  std::vector<uint8_t> expected(64 * 8);
  for (uint32_t i = 0; i < 8; ++i) hushbit::chacha20_block(key.data(), i, nonce.data(), &expected[i * 64]);

  hushbit::ChaCha20Stream stream(key.data(), nonce.data());
  std::vector<uint8_t> got(expected.size());
  size_t at = 0;
  for (size_t piece = 1; at < got.size(); ++piece) {
    const size_t size = std::min(piece, got.size() - at);
    CHECK(stream.fill(&got[at], size));
    at += size;
  }
  CHECK(got == expected);

  stream.seek(65);
  uint8_t byte = 0;
  CHECK(stream.fill(&byte, 1));
  CHECK_EQ(byte, expected[65]);
}

void test_stream_ends_before_the_counter_wraps() {
  const std::vector<uint8_t> key(32), nonce(12);
  hushbit::ChaCha20Stream stream(key.data(), nonce.data());
  stream.seek((uint64_t{1} << 38) - 1);
  uint8_t bytes[2];
  CHECK(stream.fill(bytes, 1));
  CHECK(!stream.fill(bytes, 1));
}

void test_public_keystream() {
  const std::vector<uint8_t> key(32);
  uint8_t bytes[4];
  hushbit_testing_keystream(key.data(), 64, bytes, sizeof(bytes));
  CHECK(std::memcmp(bytes, from_hex("9f07e7be").data(), 4) == 0);
}

}  // namespace

int main() {
  test_rfc_vectors();
  test_stream_is_blocks_in_order();
  test_stream_ends_before_the_counter_wraps();
  test_public_keystream();
  return check_result();
}
