// Numbers packed in bits, the least significant first in each number and in each byte.
#ifndef HUSHBIT_BITS_H_
#define HUSHBIT_BITS_H_

#include <stdint.h>

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

}  // namespace hushbit

#endif  // HUSHBIT_BITS_H_
