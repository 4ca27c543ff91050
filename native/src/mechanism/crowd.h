// The crowd mechanism. With a fixed chance a word is replaced by a member of the crowd of its stand-in, otherwise by
// any output word. Both are drawn by weight (docs/proofs.md). All draws are exact in integers, without floating point.
//
// The time that a draw takes must not show which of the two was chosen, since that would help to guess the word. So
// both are always computed, from the same number of random bytes, and one is chosen by a mask. A crowd is always read
// whole.
#ifndef HUSHBIT_CROWD_H_
#define HUSHBIT_CROWD_H_

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "bundle/bundle.h"
#include "hushbit/hushbit.h"
#include "mechanism/grade_inverse.h"
#include "mechanism/noise_source.h"

namespace hushbit {

// The nearest words by codes, for bundles that have no lists.
struct NearScratch {
  Buffer<uint32_t> ids;
  Buffer<uint32_t> distances;
};

struct CrowdMember {
  uint32_t index;
  uint32_t share;
};

class Crowd {
 public:
  // Checks everything that the proof needs of the bundle. `size` is a hushbit_crowd_size. Returns OK, INVALID_ARGUMENT
  // for an unknown size, CORRUPT_BUNDLE or OUT_OF_MEMORY. The bundle must outlive the crowd.
  hushbit_status init(const Bundle& bundle, uint32_t size, double epsilon, hushbit_error* error);

  uint32_t size() const { return size_; }
  uint64_t threshold() const { return threshold_; }
  // The row of the bundle's grades that is used, or 0 if the bundle has no grades.
  uint32_t row() const { return row_; }
  uint32_t mass() const { return mass_; }
  uint32_t output_mass() const { return weights_.total(); }
  uint32_t weight(uint32_t index) const { return weights_[index]; }
  double mean_size() const { return mean_size_; }
  bool clamped() const { return clamped_; }
  // The epsilon of a word that the integers give, rounded up.
  double epsilon() const;
  // The same in millionths. It is the requested epsilon if that is a whole number of millionths, since the coin never
  // gives more than was requested.
  uint64_t millionths() const;

  // The chance that an output word stays itself, averaged over the output words by their weights. It is computed as if
  // each word were the first of its own crowd, which is not so in some older bundles. `takes_crowd` is the chance of
  // the coin.
  double unchanged(double takes_crowd) const;
  // Whether more than half of the words stay themselves, not counting those that noise alone leaves unchanged.
  bool leaves_most_unchanged() const;

  // Makes room for what `replace` needs. Returns false if there is no memory.
  [[nodiscard]] bool reserve(NearScratch* scratch) const;

  // Replaces `size` <= kGroup inputs, each an output index or kUnknownInput, by output indices. Returns OK,
  // RANDOMNESS_FAILED or CORRUPT_BUNDLE. After a failure nothing may be released.
  hushbit_status replace(const uint32_t* inputs, uint32_t size, const GroupSources& sources, NearScratch* scratch,
                         uint32_t* outputs) const;

  // Appends the members of the crowd of `index` in order. Returns OK, CORRUPT_BUNDLE or OUT_OF_MEMORY.
  hushbit_status members(uint32_t index, NearScratch* scratch, Buffer<CrowdMember>* members) const;

 private:
  template <typename Walk>
  bool walk(uint32_t index, NearScratch* scratch, Walk* walk) const;
  template <typename Walk>
  bool walk_near(uint32_t index, NearScratch* scratch, Walk* walk) const;
  template <typename Walk>
  bool walk_list(uint32_t index, Walk* walk) const;
  uint32_t word_of_mass(uint32_t v) const;
  hushbit_status replace_one(uint32_t input, const uint8_t* coins, RandomSource random, NearScratch* scratch,
                             uint32_t* output) const;
  hushbit_status choose_grade(double epsilon, hushbit_error* error);
  hushbit_status check_near(hushbit_error* error);
  hushbit_status measure(hushbit_error* error);

  const Bundle* bundle_ = nullptr;
  uint32_t size_ = 0;
  Weights weights_;  // those of the bundle, or equal weights if it has none
  Grade grade_;
  GradeInverse inverse_;
  uint32_t row_ = 0;
  uint32_t mass_ = 0;
  uint64_t threshold_ = 0;
  bool clamped_ = false;
  double requested_epsilon_ = 0;
  uint32_t most_near_ = 0;  // the largest number of words of a crowd by codes
  double mean_size_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_CROWD_H_
