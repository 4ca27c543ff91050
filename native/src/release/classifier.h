// Weights that were learned from releases of many, for typed texts (docs/embedding.md). Exact in integers.
#ifndef HUSHBIT_CLASSIFIER_H_
#define HUSHBIT_CLASSIFIER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"
#include "hushbit/hushbit.h"

namespace hushbit {

class Classifier {
 public:
  static constexpr uint32_t kMostClasses = 1000;

  // Reads the file, whose hash and dimensions must be those of the embedder. INVALID_ARGUMENT that says what is wrong
  // and at which byte.
  hushbit_status open(std::span<const uint8_t> json, const hushbit_embedder_info& embedder, hushbit_error* error);

  uint32_t classes() const { return static_cast<uint32_t>(biases_.size()); }
  // UTF-8, `index` < classes().
  std::span<const char> name(uint32_t index) const;

  // The class with the highest score for a vector, of equal ones the first; and, unless `log_odds` is null, the score
  // of each class as the logarithm of its probability, up to a number that all have in common.
  uint32_t classify(const int64_t* vector, double* log_odds) const;

 private:
  struct Document;

  hushbit_status check(const Document& document, const hushbit_embedder_info& embedder, hushbit_error* error);

  uint32_t dimensions_ = 0;
  int fraction_bits_ = 0;
  Buffer<char> names_;
  Buffer<uint32_t> name_ends_;
  Buffer<int32_t> weights_;  // a row for each class
  Buffer<int32_t> biases_;
};

}  // namespace hushbit

#endif  // HUSHBIT_CLASSIFIER_H_
