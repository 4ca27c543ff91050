// Hamming distances of codes.
#ifndef HUSHBIT_HAMMING_H_
#define HUSHBIT_HAMMING_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <bit>

namespace hushbit {

inline constexpr uint32_t kMaxBits = 512;
inline constexpr uint32_t kMaxCodeBytes = kMaxBits / 8;

// The number of bits in which two codes of `code_bytes` bytes, a multiple of 8, differ. Any alignment.
inline uint32_t hamming_distance(const uint8_t* a, const uint8_t* b, uint32_t code_bytes) {
  uint32_t distance = 0;
  for (uint32_t i = 0; i < code_bytes; i += 8) {
    uint64_t x, y;
    memcpy(&x, a + i, 8);
    memcpy(&y, b + i, 8);
    distance += static_cast<uint32_t>(std::popcount(x ^ y));
  }
  return distance;
}

}  // namespace hushbit

#endif  // HUSHBIT_HAMMING_H_
