// One report of a value: with a fixed chance a report of the value's set, else any report (docs/proofs.md). Exact in
// integers. Projective geometry response (Feldman, Nelson, Nguyen and Talwar 2022), or for few values randomized
// response.
//
// Both ways are always computed, from as many random bytes and by the same steps, and one is chosen by a mask: which
// one it was would give the value away if time told it.
#ifndef HUSHBIT_REPORT_H_
#define HUSHBIT_REPORT_H_

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "mechanism/report_design.h"

namespace hushbit {

// The points of PG(t - 1, q): t coordinates modulo the prime q, of which the first that is not 0 is 1. Their numbers
// are those of docs/counting.md.
class Points {
 public:
  Points() = default;
  Points(uint32_t prime, uint32_t dimension);

  // The coordinates of the point of a number below the number of points with so many coordinates, `count` of them, at
  // most the dimension.
  void coordinates(uint32_t number, uint32_t count, uint32_t* out) const;
  uint32_t number(const uint32_t* coordinates) const;

  // The number of the point of place `place` on the hyperplane of the point `of`: of those y for which the product with
  // it is 0. Below the number of points with one coordinate less.
  uint32_t on_hyperplane(uint32_t of, uint32_t place) const;

 private:
  uint32_t inverse(uint32_t a) const;

  uint32_t prime_ = 2;
  uint32_t dimension_ = 0;
  uint32_t powers_[kMaxCoordinates] = {};  // of the prime
};

class ReportMechanism {
 public:
  // Random numbers of 64 bits that a report begins with: the coin, the place in the set, any report.
  static constexpr size_t kDrawnNumbers = 3;

  // For an epsilon of kLeastReportEpsilon to kMostReportEpsilon and 2 to kMostValues values.
  void init(double epsilon, uint32_t values);

  const ReportDesign& design() const { return design_; }
  uint32_t values() const { return values_; }
  // L: the report is of the value's set if a uniform 64-bit integer is below this.
  uint64_t threshold() const { return threshold_; }
  double requested_epsilon() const { return requested_epsilon_; }
  // The promise of the integers, of the whole text, rounded up.
  double epsilon() const;

  // A report of `value` < values(), from kDrawnNumbers random numbers and, for those that are rejected, more of the
  // source. False if it fails; then nothing may be released.
  [[nodiscard]] bool draw(uint32_t value, const uint64_t* drawn, RandomSource random, uint32_t* report) const;

 private:
  ReportDesign design_;
  Points points_;
  uint32_t values_ = 0;
  uint64_t threshold_ = 0;
  double requested_epsilon_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_REPORT_H_
