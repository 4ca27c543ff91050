// Draws one report of a value: with a fixed chance a report of the value's set, otherwise any report (docs/proofs.md).
// All draws are exact in integers. The design is projective geometry response (Feldman, Nelson, Nguyen and Talwar 2022)
// or, for few values, randomized response.
//
// The time must not show which of the two was drawn, since that would give the value away. So both are always computed,
// from as many random bytes and by the same steps, and one is chosen by a mask.
#ifndef HUSHBIT_REPORT_H_
#define HUSHBIT_REPORT_H_

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "mechanism/report_design.h"

namespace hushbit {

// The points of the projective geometry PG(t - 1, q). A point has t coordinates modulo the prime q, and the first
// coordinate that is not 0 is 1. Points are numbered as in docs/counting.md.
class Points {
 public:
  Points() = default;
  Points(uint32_t prime, uint32_t dimension);

  // Writes the coordinates of the point of that number. `count` is how many coordinates it has, at most the dimension,
  // and the number is below the number of points with so many coordinates.
  void coordinates(uint32_t number, uint32_t count, uint32_t* out) const;
  uint32_t number(const uint32_t* coordinates) const;

  // Returns the number of a point on the hyperplane of the point `of`, which are the points y whose product with it is
  // 0. `place` says which one; it is below the number of points with one coordinate less.
  uint32_t on_hyperplane(uint32_t of, uint32_t place) const;

 private:
  uint32_t inverse(uint32_t a) const;

  uint32_t prime_ = 2;
  uint32_t dimension_ = 0;
  uint32_t powers_[kMaxCoordinates] = {};  // the powers of the prime
};

class ReportMechanism {
 public:
  // How many random numbers of 64 bits a report begins with: one for the coin, one for the place in the set, one for
  // any report.
  static constexpr size_t kDrawnNumbers = 3;

  // Makes the design. epsilon is kLeastReportEpsilon to kMostReportEpsilon, and there are 2 to kMostValues values.
  void init(double epsilon, uint32_t values);

  const ReportDesign& design() const { return design_; }
  uint32_t values() const { return values_; }
  // L, the threshold of the coin: the report is of the value's set if a uniform 64-bit integer is below it.
  uint64_t threshold() const { return threshold_; }
  double requested_epsilon() const { return requested_epsilon_; }
  // The epsilon of a whole text that the integers give, rounded up.
  double epsilon() const;

  // Draws a report of `value` < values() from kDrawnNumbers random numbers. For numbers that are rejected it takes more
  // from the source. Returns false if the source fails; then nothing may be released.
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
