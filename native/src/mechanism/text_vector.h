// The vector of a text: v = A · Σ s(w) · c(w) over its known words, c the code of a word's stand-in in numbers 1 and
// -1, s its weight. Exact in integers.
#ifndef HUSHBIT_TEXT_VECTOR_H_
#define HUSHBIT_TEXT_VECTOR_H_

#include <stdint.h>

#include "bundle/bundle.h"

namespace hushbit {

// Meant for the stack; wiped with it. With at most kMostWords words every number of a vector is below 2^(9 + 15 + 32),
// and a sum of 64 of them below 2^62: nothing overflows.
class TextVector {
 public:
  static constexpr uint32_t kMostWords = 1 << 24;

  // The bundle has an embedding. `rows` are the codes of its output words by index, or null, which is slower. Both must
  // outlive this.
  TextVector(const Bundle& bundle, const uint8_t* rows) : bundle_(bundle), rows_(rows) {}

  bool is_full() const { return words_ == kMostWords; }
  // Adds the word `id`. False if the bundle is damaged there.
  [[nodiscard]] bool add(uint32_t id);
  // Writes v, d numbers.
  void finish(int64_t* vector) const;

 private:
  static constexpr uint32_t kMaxBits = 512;

  const Bundle& bundle_;
  const uint8_t* rows_;
  uint32_t words_ = 0;
  uint64_t weight_ = 0;           // of all words
  uint32_t ones_[kMaxBits] = {};  // the weight of the words whose code has this bit
};

}  // namespace hushbit

#endif  // HUSHBIT_TEXT_VECTOR_H_
