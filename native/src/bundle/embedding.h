// What the vectors of texts are made with (section `embedding`, docs/bundle-format.md).
#ifndef HUSHBIT_EMBEDDING_H_
#define HUSHBIT_EMBEDDING_H_

#include <stdint.h>

#include "base/bytes.h"
#include "bundle/outputs.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// d public directions of codes, the matrix A, and a weight for each output word; and of which K directions one is
// released.
class Embedding {
 public:
  static constexpr uint32_t kMaxDimensions = 64;
  static constexpr uint32_t kMaxDirections = 1 << 16;

  // Checks counts and length, after which matrix and weights may be anything, and touches no bulk page. An empty
  // section: none.
  hushbit_status open(const SectionView& section, uint32_t bits, uint32_t outputs, hushbit_error* error);

  bool empty() const { return section_.empty(); }
  uint32_t dimensions() const { return dimensions_; }
  uint32_t directions() const { return directions_; }
  uint64_t seed() const { return seed_; }

  // A number of the matrix.
  int16_t entry(uint32_t dimension, uint32_t bit) const {
    const uint8_t* at = section_.data() + kMatrixAt + (uint64_t{dimension} * bits_ + bit) * 2;
    return static_cast<int16_t>(load_le16(at));
  }
  // Returns the weight of the output word `index`, 0 to 255.
  uint32_t weight(uint32_t index) const { return section_.data()[weights_at_ + index]; }

  // Whether so many dimensions and directions are possible.
  static bool fits(uint32_t dimensions, uint32_t directions) {
    return dimensions >= 8 && dimensions <= kMaxDimensions && dimensions % 8 == 0 && directions >= 2 &&
           directions <= kMaxDirections;
  }

 private:
  static constexpr uint64_t kMatrixAt = 64;

  SectionView section_;
  uint32_t bits_ = 0;
  uint32_t dimensions_ = 0;
  uint32_t directions_ = 0;
  uint64_t seed_ = 0;
  uint64_t weights_at_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_EMBEDDING_H_
