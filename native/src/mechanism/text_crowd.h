// Draws embeddings: with a fixed chance a direction of the crowd of the text's vector, otherwise any direction, both
// uniformly (docs/proofs.md). All draws are exact in integers.
//
// The crowd is the k directions with the largest inner products with the vector; of equal ones the lower index comes
// first. A vector of zeros has no crowd. The time must not show which of the two was drawn. So both are always
// computed, from the same number of random bytes, and one is chosen by a mask.
#ifndef HUSHBIT_TEXT_CROWD_H_
#define HUSHBIT_TEXT_CROWD_H_

#include <stdint.h>

#include "base/buffer.h"
#include "base/random.h"
#include "hushbit/hushbit.h"
#include "mechanism/directions.h"

namespace hushbit {

// The memory that a draw needs. Its contents are wiped after the draw, and the memory is kept.
struct TextCrowdScratch {
  Buffer<uint64_t> keys;
  Buffer<uint32_t> candidates;
};

class TextCrowd {
 public:
  // Makes the directions and the coin. Returns OK, INVALID_ARGUMENT unless epsilon is a finite number, 0 or more, or
  // OUT_OF_MEMORY. Dimensions and directions must be those that `Embedding::fits` accepts.
  hushbit_status init(uint32_t dimensions, uint32_t directions, uint64_t seed, double epsilon, hushbit_error* error);

  const Directions& directions() const { return directions_; }
  double requested_epsilon() const { return requested_epsilon_; }
  // The epsilon of a whole text that the integers give, rounded up.
  double epsilon() const;
  bool clamped() const { return clamped_; }
  uint64_t threshold() const { return threshold_; }
  // k
  uint32_t size() const { return size_; }

  // Makes room for what `draw` needs. Returns false if there is no memory.
  [[nodiscard]] bool reserve(TextCrowdScratch* scratch) const;

  // Draws a direction for a vector of d numbers whose magnitudes sum to less than 2^62. Returns false if the source
  // fails; then nothing may be released.
  [[nodiscard]] bool draw(const int64_t* vector, RandomSource random, TextCrowdScratch* scratch,
                          uint32_t* direction) const;

  // Writes the crowd of such a vector, the largest inner product first. It is what `draw` finds for each rank.
  void members(const int64_t* vector, TextCrowdScratch* scratch, uint32_t* directions) const;

 private:
  uint64_t compute_keys(const int64_t* vector, uint64_t* keys) const;
  uint32_t select(uint64_t largest, uint32_t rank, TextCrowdScratch* scratch) const;

  Directions directions_;
  double requested_epsilon_ = 0;
  bool clamped_ = false;
  uint64_t threshold_ = 0;
  uint32_t size_ = 0;
};

// Returns k for so many dimensions and directions: the size at which the released direction points best along the
// vector. It comes from a table over d and epsilon, which has epsilon in quarters up to 12 and is read at the nearest.
// k is public, and the promise holds for any k.
uint32_t text_crowd_size(uint32_t dimensions, uint32_t directions, double epsilon);

}  // namespace hushbit

#endif  // HUSHBIT_TEXT_CROWD_H_
