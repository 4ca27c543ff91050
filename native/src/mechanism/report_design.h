// The design says which reports there are and how many belong to a value. It is the one of the smallest variance
// (docs/counting.md).
#ifndef HUSHBIT_REPORT_DESIGN_H_
#define HUSHBIT_REPORT_DESIGN_H_

#include <stdint.h>

namespace hushbit {

// The range of epsilon. Below it no number of people tells anything, and above it a report hides next to nothing.
inline constexpr double kLeastReportEpsilon = 0.01, kMostReportEpsilon = 16;
inline constexpr uint32_t kMostValues = 1u << 24;

// No design has more coordinates: with q = 2, where points have most coordinates, 2^32 - 1 points have 32.
inline constexpr uint32_t kMaxCoordinates = 32;

struct ReportDesign {
  uint32_t prime = 0;      // q; for randomized response the number of values - 1, whether prime or not
  uint32_t dimension = 0;  // t; for randomized response 2
  uint32_t reports = 0;    // Z, the number of reports
  uint32_t set_size = 0;   // s, the number of reports in the set of a value
  uint32_t shared = 0;     // s2, the number of reports in the sets of two given values

  bool is_randomized_response() const { return dimension == 2; }
};

// Returns the design for an epsilon of kLeastReportEpsilon to kMostReportEpsilon and 2 to kMostValues values. It is
// computed in integers only, so that it is the same on every device.
ReportDesign choose_report_design(double epsilon, uint32_t values);

}  // namespace hushbit

#endif  // HUSHBIT_REPORT_DESIGN_H_
