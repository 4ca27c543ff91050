// Which reports there are, and how many belong to a value: the design of the smallest variance (docs/counting.md).
#ifndef HUSHBIT_REPORT_DESIGN_H_
#define HUSHBIT_REPORT_DESIGN_H_

#include <stdint.h>

namespace hushbit {

// Below the first, no number of people tells anything; above the second, a report hides next to nothing.
inline constexpr double kLeastReportEpsilon = 0.01, kMostReportEpsilon = 16;
inline constexpr uint32_t kMostValues = 1u << 24;

// More coordinates than any design has: 2^32 - 1 points over two elements have 32.
inline constexpr uint32_t kMaxCoordinates = 32;

struct ReportDesign {
  uint32_t prime = 0;      // q; of randomized response the number of values - 1, prime or not
  uint32_t dimension = 0;  // t; 2 for randomized response
  uint32_t reports = 0;    // Z, how many there are
  uint32_t set_size = 0;   // s, how many are in the set of a value
  uint32_t shared = 0;     // s2, how many are in the sets of two values

  bool is_randomized_response() const { return dimension == 2; }
};

// For an epsilon of kLeastReportEpsilon to kMostReportEpsilon and 2 to kMostValues values. Integers only, so that it is
// the same on every device.
ReportDesign choose_report_design(double epsilon, uint32_t values);

}  // namespace hushbit

#endif  // HUSHBIT_REPORT_DESIGN_H_
