// Directed rounding for numbers that bound privacy.
#ifndef HUSHBIT_ROUNDING_H_
#define HUSHBIT_ROUNDING_H_

#include <math.h>
#include <stdint.h>

namespace hushbit {

// The least double that is not below the product: the product itself if it is one.
inline double product_up(double a, double b) {
  const double product = a * b;
  return fma(a, b, -product) > 0 ? nextafter(product, HUGE_VAL) : product;
}

// Returns an upper bound, a few units in the last place above the truth, on ln(1 + x), for x >= 0 known as `rounded`
// after up to eight operations, each with a relative error of 2^-53 or less. Neither they nor that of log1p are
// amplified by log1p of a positive number, and 16 of them are covered.
inline double log1p_rounded_up(double rounded) { return rounded == 0 ? 0 : log1p(rounded) * (1 + 0x1p-49); }

// Returns the same kind of bound on ln(1 + numerator / denominator), which takes two conversions and a division.
inline double log1p_ratio_rounded_up(uint64_t numerator, uint64_t denominator) {
  return log1p_rounded_up(static_cast<double>(numerator) / static_cast<double>(denominator));
}

}  // namespace hushbit

#endif  // HUSHBIT_ROUNDING_H_
