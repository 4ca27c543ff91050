// Directed rounding for numbers that bound privacy.
#ifndef HUSHBIT_ROUNDING_H_
#define HUSHBIT_ROUNDING_H_

#include <math.h>

namespace hushbit {

// An upper bound on the exact value of a single operation whose rounded result is `x` >= 0. Zero stays zero: here it
// only ever comes from an exact zero.
inline double rounded_up(double x) { return x == 0 ? 0 : nextafter(x, HUGE_VAL); }

}  // namespace hushbit

#endif  // HUSHBIT_ROUNDING_H_
