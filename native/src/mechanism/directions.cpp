#include "mechanism/directions.h"

#include "base/bytes.h"
#include "base/chacha20.h"
#include "base/sha256.h"

namespace hushbit {
namespace {

constexpr char kDomain[] = "hushbit directions 1";  // hashed with its NUL

void derive_key(uint32_t dimensions, uint32_t count, uint64_t seed, uint8_t key[32]) {
  uint8_t numbers[16];
  store_le32(numbers, dimensions);
  store_le32(numbers + 4, count);
  store_le64(numbers + 8, seed);
  Sha256 hash;
  hash.update(kDomain, sizeof(kDomain));
  hash.update(numbers, sizeof(numbers));
  hash.finish(key);
}

}  // namespace

bool Directions::init(uint32_t dimensions, uint32_t count, uint64_t seed) {
  static constexpr uint8_t kNonce[12] = {};
  bytes_ = dimensions / 8;
  count_ = count;
  if (!rows_.resize(size_t{count} * bytes_)) return false;
  uint8_t key[32];
  derive_key(dimensions, count, seed, key);
  ChaCha20Stream stream(key, kNonce);
  return stream.fill(rows_.data(), rows_.size());
}

uint64_t Directions::signs(uint32_t index) const {
  const uint8_t* row = rows_.data() + size_t{index} * bytes_;
  uint64_t signs = 0;
  for (uint32_t i = 0; i < bytes_; ++i) signs |= uint64_t{row[i]} << 8 * i;
  return signs;
}

}  // namespace hushbit
