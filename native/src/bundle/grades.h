// How much of their weight the words of a crowd have as their share, by the mass of the words that are nearer (section
// `grades`).
#ifndef HUSHBIT_GRADES_H_
#define HUSHBIT_GRADES_H_

#include <stdint.h>

#include <algorithm>

#include "bundle/outputs.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// G, which rises from G(0) = 0 by 0 or 1 with each unit of mass: in segment i, from mass end[i - 1] (0 for the first)
// to end[i], G(v) = G(end[i - 1]) + floor((v - end[i - 1]) * slope[i] / 2^16), with slopes of at most 2^16.
struct Grade {
  static constexpr uint32_t kMaxSegments = 4;
  static constexpr uint32_t kFullSlope = 1 << 16;

  uint32_t segments = 0;
  uint32_t end[kMaxSegments] = {};
  uint32_t slope[kMaxSegments] = {};

  // One segment of full shares.
  static Grade full(uint32_t mass) { return {.segments = 1, .end = {mass}, .slope = {kFullSlope}}; }

  // The mass at which crowds end.
  uint32_t end_mass() const { return end[segments - 1]; }
  // The sum of the shares of every crowd, G(end_mass()).
  uint32_t mass() const { return of(end_mass()); }

  // G(v); from end_mass() on it stays.
  uint32_t of(uint64_t v) const {
    uint64_t sum = 0, begin = 0;
    for (uint32_t i = 0; i < segments; ++i) {
      if (v <= begin) break;
      sum += (std::min<uint64_t>(v, end[i]) - begin) * slope[i] >> 16;
      begin = end[i];
    }
    return static_cast<uint32_t>(sum);
  }
};

class Grades {
 public:
  // Checks everything; `total` is the sum of the weights. An empty section: no rows.
  hushbit_status open(const SectionView& section, uint32_t total, hushbit_error* error);

  uint32_t rows() const { return rows_; }

  // The row for crowds of `size`, a hushbit_crowd_size, at `epsilon`, or rows() if there is none.
  uint32_t find(uint32_t size, double epsilon) const;
  // `row` < rows(). False if the section has changed since it was opened.
  bool grade(uint32_t row, uint32_t total, Grade* grade) const;
  // The largest mass at which crowds of any row end; 0 without rows.
  uint32_t largest_end_mass() const { return largest_end_mass_; }

 private:
  const uint8_t* row(uint32_t index) const;
  hushbit_status check_order(hushbit_error* error) const;

  SectionView section_;
  uint32_t rows_ = 0;
  uint32_t largest_end_mass_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_GRADES_H_
