// The output words whose vectors point most along a direction, for people to look at. Not part of any promise.
#ifndef HUSHBIT_NEAREST_WORDS_H_
#define HUSHBIT_NEAREST_WORDS_H_

#include <stddef.h>
#include <stdint.h>

#include "bundle/bundle.h"

namespace hushbit {

// Writes the indices of the `k` output words with the largest cosines, and these; equal ones by index. `direction` has
// as many finite numbers as the embedding of the bundle has dimensions. False if the bundle is damaged.
[[nodiscard]] bool find_nearest_words(const Bundle& bundle, const double* direction, size_t k, uint32_t* indices,
                                      double* cosines);

}  // namespace hushbit

#endif  // HUSHBIT_NEAREST_WORDS_H_
