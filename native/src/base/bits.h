// Numbers packed in bits, the least significant first in each number and in each byte.
#ifndef HUSHBIT_BITS_H_
#define HUSHBIT_BITS_H_

#include <stdint.h>

#include <bit>

#include "base/bytes.h"

namespace hushbit {

inline constexpr uint32_t kMaxLoadBits = 57;

// The number in bits [at, at + width) of `data`, width <= kMaxLoadBits. Loads the 8 bytes from byte at / 8 on.
inline uint64_t load_bits(const uint8_t* data, uint64_t at, uint32_t width) {
  return load_le64(data + at / 8) >> (at % 8) & ((uint64_t{1} << width) - 1);
}

// Whether all bits from bit `at` up to byte `end` are zero.
inline bool zero_from_bit(const uint8_t* data, uint64_t at, uint64_t end) {
  if (at % 8 != 0 && data[at / 8] >> (at % 8) != 0) return false;
  return first_nonzero(data, (at + 7) / 8, end) == end;
}

// The bits that each of the numbers 0 to count - 1 takes, at least 1.
inline uint32_t width_below(uint32_t count) {
  return count <= 1 ? 1 : static_cast<uint32_t>(std::bit_width(count - 1));
}

// Numbers of `width` <= 32 bits, one after another. Behind the last of them 8 more bytes may be loaded.
struct PackedNumbers {
  const uint8_t* data = nullptr;
  uint32_t width = 1;

  uint32_t operator[](uint32_t index) const {
    return static_cast<uint32_t>(load_bits(data, uint64_t{index} * width, width));
  }
  // The bytes of `count` of them, filled up to a multiple of 8.
  static uint64_t aligned_bytes(uint64_t count, uint32_t width) { return (count * width + 63) / 64 * 8; }
};

}  // namespace hushbit

#endif  // HUSHBIT_BITS_H_
