#include "mechanism/text_vector.h"

#include "search/codes.h"
#include "search/hamming.h"

namespace hushbit {

bool TextVector::add(uint32_t id) {
  const uint32_t index = bundle_.outputs().stand_in(id);
  uint8_t copied[kMaxCodeBytes];
  if (index == HUSHBIT_NO_WORD || (rows_ == nullptr && !bundle_.codes().copy(index, copied))) return false;
  const uint8_t* code = rows_ == nullptr ? copied : rows_ + size_t{index} * bundle_.codes().code_bytes;
  const uint32_t weight = bundle_.embedding().weight(index);
  ++words_;
  weight_ += weight;
  uint32_t* ones = ones_;
  for (uint32_t byte = 0; byte < bundle_.codes().code_bytes; ++byte, ones += 8) {
    for (uint32_t bit = 0; bit < 8; ++bit) ones[bit] += weight & (0 - (code[byte] >> bit & 1u));
  }
  return true;
}

void TextVector::finish(int64_t* vector) const {
  const Embedding& embedding = bundle_.embedding();
  const uint32_t bits = bundle_.codes().bits();
  for (uint32_t dimension = 0; dimension < embedding.dimensions(); ++dimension) {
    int64_t sum = 0;
    for (uint32_t bit = 0; bit < bits; ++bit) {
      sum += embedding.entry(dimension, bit) * (2 * int64_t{ones_[bit]} - static_cast<int64_t>(weight_));
    }
    vector[dimension] = sum;
  }
}

}  // namespace hushbit
