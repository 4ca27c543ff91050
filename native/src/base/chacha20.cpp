#include "base/chacha20.h"

#include <string.h>

#include <algorithm>
#include <bit>

#include "base/random.h"

namespace hushbit {
namespace {

static_assert(std::endian::native == std::endian::little, "bundles and keystreams are little-endian");

void quarter_round(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

}  // namespace

void chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12], uint8_t out[64]) {
  uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  memcpy(start + 4, key, 32);
  start[12] = counter;
  memcpy(start + 13, nonce, 12);
  uint32_t x[16];
  memcpy(x, start, sizeof(x));
  for (int double_round = 0; double_round < 10; ++double_round) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; ++i) x[i] += start[i];
  memcpy(out, x, 64);
  wipe(start, sizeof(start));
  wipe(x, sizeof(x));
}

void ChaCha20Stream::start(const uint8_t key[32], const uint8_t nonce[12]) {
  memcpy(key_, key, sizeof(key_));
  memcpy(nonce_, nonce, sizeof(nonce_));
  position_ = 0;
  block_index_ = UINT64_MAX;
}

ChaCha20Stream::~ChaCha20Stream() {
  wipe(key_, sizeof(key_));
  wipe(block_, sizeof(block_));
}

bool ChaCha20Stream::fill(void* out, size_t size) {
  auto* bytes = static_cast<uint8_t*>(out);
  while (size > 0) {
    const uint64_t index = position_ / 64;
    if (index > UINT32_MAX) return false;
    if (index != block_index_) {
      chacha20_block(key_, static_cast<uint32_t>(index), nonce_, block_);
      block_index_ = index;
    }
    const size_t offset = position_ % 64;
    const size_t chunk = std::min(size, sizeof(block_) - offset);
    memcpy(bytes, block_ + offset, chunk);
    bytes += chunk;
    size -= chunk;
    position_ += chunk;
  }
  return true;
}

}  // namespace hushbit
