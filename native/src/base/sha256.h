// SHA-256 (FIPS 180-4), for bundle hashes and memoized noise.
#ifndef HUSHBIT_SHA256_H_
#define HUSHBIT_SHA256_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

class Sha256 {
 public:
  Sha256();
  void update(const void* data, size_t size);
  void finish(uint8_t digest[32]);  // once; the object is spent afterwards

 private:
  void compress(const uint8_t block[64]);

  uint32_t state_[8];
  uint64_t total_bytes_ = 0;
  uint8_t buffer_[64];
  size_t buffered_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_SHA256_H_
