// Embeddings: with a fixed chance a direction of the crowd of the text's vector, else any direction, both uniformly
// (docs/proofs.md). Exact in integers.
//
// The crowd is the k directions with the largest inner products with the vector, ties by the lower index; a vector of
// zeros has none. Which of the two ways was taken must not show in time: both are always computed, from the same number
// of random bytes, and one is chosen by a mask.
#ifndef HUSHBIT_TEXT_CROWD_H_
#define HUSHBIT_TEXT_CROWD_H_

#include <stdint.h>

#include "base/buffer.h"
#include "base/random.h"
#include "hushbit/hushbit.h"
#include "mechanism/directions.h"

namespace hushbit {

// What a draw needs, wiped after it. Its memory stays.
struct TextCrowdScratch {
  Buffer<uint64_t> keys;
  Buffer<uint32_t> candidates;
};

class TextCrowd {
 public:
  // INVALID_ARGUMENT for an epsilon that is not a finite number, 0 or more; OUT_OF_MEMORY. `Embedding::fits` dimensions
  // and directions.
  hushbit_status init(uint32_t dimensions, uint32_t directions, uint64_t seed, double epsilon, hushbit_error* error);

  const Directions& directions() const { return directions_; }
  double requested_epsilon() const { return requested_epsilon_; }
  // The promise of the integers, of a whole text, rounded up.
  double epsilon() const;
  bool clamped() const { return clamped_; }
  uint64_t threshold() const { return threshold_; }
  // k
  uint32_t size() const { return size_; }

  // Room for what `draw` needs. False if there is no memory.
  [[nodiscard]] bool reserve(TextCrowdScratch* scratch) const;

  // Draws a direction for a vector of d numbers whose magnitudes sum to less than 2^62. False if the source fails; then
  // nothing may be released.
  [[nodiscard]] bool draw(const int64_t* vector, RandomSource random, TextCrowdScratch* scratch,
                          uint32_t* direction) const;

  // Writes the crowd of such a vector, the largest inner product first: what `draw` finds for each rank.
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

// k for so many dimensions and directions: the size at which the released direction points best along the vector, by a
// table over d and epsilon, the nearest quarter of it up to 12. It is public, and any k keeps the promise.
uint32_t text_crowd_size(uint32_t dimensions, uint32_t directions, double epsilon);

}  // namespace hushbit

#endif  // HUSHBIT_TEXT_CROWD_H_
