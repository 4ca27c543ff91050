// A public projection makes a caller's own vectors shorter, such as those of a sentence encoder (see projection files
// in docs/bundle-format.md). Numbers become integers as soon as they come in.
#ifndef HUSHBIT_PROJECTION_H_
#define HUSHBIT_PROJECTION_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// Computes v = A · (q − mean), where q are the numbers that come in, as integers. With n <= kMostNumbers every number
// of v is below 2^(12 + 15 + 25) and a sum of 64 of them is below 2^58, so nothing overflows.
class Projection {
 public:
  static constexpr uint32_t kMostNumbers = 4096;

  // Copies what it needs, and checks everything, including the hash. Returns OK, INVALID_ARGUMENT or OUT_OF_MEMORY.
  hushbit_status open(std::span<const uint8_t> file, hushbit_error* error);

  uint32_t numbers() const { return numbers_; }  // n
  uint32_t dimensions() const { return dimensions_; }
  uint32_t directions() const { return directions_; }
  uint64_t seed() const { return seed_; }
  const uint8_t* hash() const { return hash_; }

  // Writes the integers of n numbers: q_i = floor(x_i · 2^s + 1/2), clipped to ±2^24. Returns false if a number is not
  // finite.
  [[nodiscard]] bool quantize(const float* numbers, int32_t* quantized) const;
  // Writes v for such integers.
  void project(const int32_t* quantized, int64_t* vector) const;

 private:
  uint32_t numbers_ = 0;
  uint32_t dimensions_ = 0;
  uint32_t directions_ = 0;
  uint64_t seed_ = 0;
  int scale_bits_ = 0;  // s
  uint8_t hash_[32] = {};
  Buffer<int32_t> mean_;
  Buffer<int16_t> matrix_;  // d rows of n
};

}  // namespace hushbit

#endif  // HUSHBIT_PROJECTION_H_
