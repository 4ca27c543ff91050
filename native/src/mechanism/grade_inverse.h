// Finds the unit of full mass to which a unit of graded mass belongs, without a branch or a division that depends on
// it.
#ifndef HUSHBIT_GRADE_INVERSE_H_
#define HUSHBIT_GRADE_INVERSE_H_

#include <stdint.h>

#include "bundle/grades.h"
#include "mechanism/uint128.h"

namespace hushbit {

// Returns all ones if a < b, otherwise 0. Both are below 2^63. No compiler turns a difference and a shift into a
// branch.
inline uint64_t mask_below(uint64_t a, uint64_t b) { return uint64_t{0} - ((a - b) >> 63); }

class GradeInverse {
 public:
  GradeInverse() = default;
  explicit GradeInverse(const Grade& grade) {
    for (uint32_t i = 0; i < Grade::kMaxSegments; ++i) {
      const bool there = i < grade.segments;
      segments_[i].begin = i == 0 ? 0 : there ? grade.end[i - 1] : 0;
      // No graded mass reaches a segment that does not exist.
      segments_[i].graded_begin = there ? grade.of(segments_[i].begin) : UINT32_MAX;
      segments_[i].slope = there ? grade.slope[i] : 0;
      segments_[i].reciprocal = segments_[i].slope == 0 ? 0 : UINT64_MAX / segments_[i].slope;
    }
  }

  // Returns the v with G(v) <= t < G(v + 1), for t < G(end of the last segment) < 2^32.
  uint32_t operator()(uint32_t t) const {
    uint64_t result = 0;
    for (const Segment& segment : segments_) {
      // The smallest u with floor(u * slope / 2^16) >= wanted, which is ceil(wanted * 2^16 / slope), is one more than
      // v.
      const uint32_t wanted = t - segment.graded_begin + 1;
      const uint64_t v = segment.begin + divide_up(wanted, segment) - 1;
      const uint64_t is_before = mask_below(t, segment.graded_begin);
      result = (result & is_before) | (v & ~is_before);
    }
    return static_cast<uint32_t>(result);
  }

 private:
  struct Segment {
    uint32_t begin = 0;
    uint32_t graded_begin = UINT32_MAX;
    uint32_t slope = 0;
    uint64_t reciprocal = 0;  // floor((2^64 - 1) / slope)
  };

  // Returns ceil(a * 2^16 / slope). The product of a and the reciprocal, times 2^-48, is less than 2^-15 too low. So
  // its floor is that of the quotient or one less, and two steps up are enough.
  static uint64_t divide_up(uint32_t a, const Segment& segment) {
    const Uint128 product = multiply(a, segment.reciprocal);
    const uint64_t numerator = uint64_t{a} << 16;
    uint64_t quotient = product.high << 16 | product.low >> 48;
    quotient += mask_below(quotient * segment.slope, numerator) & 1;
    quotient += mask_below(quotient * segment.slope, numerator) & 1;
    return quotient;
  }

  Segment segments_[Grade::kMaxSegments];
};

}  // namespace hushbit

#endif  // HUSHBIT_GRADE_INVERSE_H_
