// The unsigned 128-bit arithmetic that exact sampling needs. armv7 has no such type.
#ifndef HUSHBIT_UINT128_H_
#define HUSHBIT_UINT128_H_

#include <stdint.h>

#include <bit>

namespace hushbit {

struct Uint128 {
  uint64_t high = 0;
  uint64_t low = 0;

  friend bool operator<(const Uint128& a, const Uint128& b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
  Uint128& operator+=(const Uint128& b) {
    low += b.low;
    high += b.high + (low < b.low);
    return *this;
  }
  Uint128& operator-=(const Uint128& b) {
    high -= b.high + (low < b.low);
    low -= b.low;
    return *this;
  }
};

inline Uint128 multiply(uint32_t a, uint64_t b) {
  const uint64_t low = (b & UINT32_MAX) * a;
  const uint64_t high = (b >> 32) * a + (low >> 32);
  return {high >> 32, high << 32 | (low & UINT32_MAX)};
}

// Returns the low bits of `value`, as many as `bound` > 0 has.
inline Uint128 keep_bits_of(const Uint128& value, const Uint128& bound) {
  if (bound.high == 0) return {0, value.low & UINT64_MAX >> std::countl_zero(bound.low)};
  return {value.high & UINT64_MAX >> std::countl_zero(bound.high), value.low};
}

}  // namespace hushbit

#endif  // HUSHBIT_UINT128_H_
