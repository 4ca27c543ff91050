// Directed rounding for numbers that bound privacy.
#ifndef HUSHBIT_ROUNDING_H_
#define HUSHBIT_ROUNDING_H_

#include <math.h>
#include <stdint.h>

namespace hushbit {

// An upper bound on the exact value of a single operation whose rounded result is `x` >= 0. Zero stays zero: here it
// only ever comes from an exact zero.
inline double rounded_up(double x) { return x == 0 ? 0 : nextafter(x, HUGE_VAL); }

// An upper bound, a few units in the last place above the truth, on ln(1 + numerator / denominator): the rounding
// errors of two conversions, a division and log1p, each of relative size 2^-53 or less and none amplified by log1p of a
// positive number, are covered by 16 of them.
inline double log1p_ratio_rounded_up(uint64_t numerator, uint64_t denominator) {
  if (numerator == 0) return 0;
  return log1p(static_cast<double>(numerator) / static_cast<double>(denominator)) * (1 + 0x1p-49);
}

}  // namespace hushbit

#endif  // HUSHBIT_ROUNDING_H_
