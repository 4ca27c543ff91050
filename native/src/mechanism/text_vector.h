// The vector of a text, v = A · Σ s(w) · c(w) over its known words, where c is the code of a word's stand-in in numbers
// 1 and -1, and s is its weight. It is exact in integers.
#ifndef HUSHBIT_TEXT_VECTOR_H_
#define HUSHBIT_TEXT_VECTOR_H_

#include <stdint.h>

#include "bundle/bundle.h"

namespace hushbit {

// Adds up the words of one text. It is meant for the stack, and its destructor wipes it. With at most kMostWords words
// every number of a vector is below 2^(9 + 15 + 32) and a sum of 64 of them is below 2^62, so nothing overflows.
class TextVector {
 public:
  static constexpr uint32_t kMostWords = 1 << 24;

  // Starts with no words. The bundle must have an embedding. `rows` are the codes of its output words by index, or
  // null, which is slower. Both must outlive this object.
  TextVector(const Bundle& bundle, const uint8_t* rows) : bundle_(bundle), rows_(rows) {}

  bool is_full() const { return words_ == kMostWords; }
  // Adds the word `id`. Returns false if the bundle is damaged there.
  [[nodiscard]] bool add(uint32_t id);
  // Writes v, d numbers.
  void finish(int64_t* vector) const;

 private:
  static constexpr uint32_t kMaxBits = 512;

  const Bundle& bundle_;
  const uint8_t* rows_;
  uint32_t words_ = 0;
  uint64_t weight_ = 0;           // the weight of all words
  uint32_t ones_[kMaxBits] = {};  // the weight of the words whose code has this bit
};

}  // namespace hushbit

#endif  // HUSHBIT_TEXT_VECTOR_H_
