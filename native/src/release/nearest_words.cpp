#include "release/nearest_words.h"

#include <math.h>

#include "search/hamming.h"

namespace hushbit {
namespace {

// The matrix with the numbers of one bit side by side.
struct Columns {
  uint32_t dimensions;
  int16_t of_bit[512][Embedding::kMaxDimensions];

  explicit Columns(const Bundle& bundle) : dimensions(bundle.embedding().dimensions()) {
    for (uint32_t bit = 0; bit < bundle.codes().bits(); ++bit) {
      for (uint32_t i = 0; i < dimensions; ++i) of_bit[bit][i] = bundle.embedding().entry(i, bit);
    }
  }

  // The inner product of the vector of a code and a direction.
  double cosine(const uint8_t* code, uint32_t bits, const double* direction, double norm) const {
    int32_t vector[Embedding::kMaxDimensions] = {};  // below 2^(9 + 15)
    for (uint32_t bit = 0; bit < bits; ++bit) {
      const int32_t sign = (code[bit / 8] >> bit % 8 & 1) != 0 ? 1 : -1;
      for (uint32_t i = 0; i < dimensions; ++i) vector[i] += sign * of_bit[bit][i];
    }
    double product = 0, square = 0;
    for (uint32_t i = 0; i < dimensions; ++i) {
      product += direction[i] * vector[i];
      square += static_cast<double>(vector[i]) * vector[i];
    }
    return square == 0 || norm == 0 ? 0 : product / (sqrt(square) * norm);
  }
};

}  // namespace

bool find_nearest_words(const Bundle& bundle, const double* direction, size_t k, uint32_t* indices, double* cosines) {
  const Columns columns(bundle);
  const Codes& codes = bundle.codes();
  double square = 0;
  for (uint32_t i = 0; i < columns.dimensions; ++i) square += direction[i] * direction[i];
  size_t found = 0;
  for (uint32_t index = 0; index < codes.count; ++index) {
    uint8_t code[kMaxCodeBytes];
    if (!codes.copy(index, code)) return false;
    const double cosine = columns.cosine(code, codes.bits(), direction, sqrt(square));
    if (found == k && cosine <= cosines[k - 1]) continue;
    size_t place = found < k ? found++ : k - 1;
    for (; place > 0 && cosines[place - 1] < cosine; --place) {
      cosines[place] = cosines[place - 1];
      indices[place] = indices[place - 1];
    }
    cosines[place] = cosine;
    indices[place] = index;
  }
  return true;
}

}  // namespace hushbit
