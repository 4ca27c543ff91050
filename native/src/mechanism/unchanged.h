// Finds out whether an epsilon leaves more than about half of the words as they were typed. Such an epsilon is used
// only if the caller allows it, since an epsilon that is meant for crowds prints the text with BRR or TEM. All that
// decides is public and in the bundle's header.
#ifndef HUSHBIT_UNCHANGED_H_
#define HUSHBIT_UNCHANGED_H_

#include <stdint.h>

#include "hushbit/hushbit.h"

namespace hushbit {

// Returns the epsilon per differing bit at which BRR or TEM leaves about half of the words unchanged if the codes of
// the words are random. There are `words` codes, 2 or more, and two of them differ in `average` bits on average. The
// result is infinite if no epsilon does.
//
// BRR: noise and code can be told apart up to the capacity of the channel (Shannon 1948), bits * (1 - H(p)) = log2
// words. TEM: the word weighs as much as all others do on average, words * ((1 + e^(-epsilon / 2)) / 2)^bits = 1.
double half_of_random_codes(uint32_t mechanism, double average, uint32_t words);

// Returns the largest epsilon per differing bit with which BRR or TEM may be used without allow_unchanged. It is 1.05
// times the default that the bundle states, which export determined as the epsilon at which half of the words stay
// unchanged. If the bundle states none, or one above 1.5 times that of random codes, which cannot be right, it is 1.05
// times that of random codes.
double most_epsilon_on_codes(uint32_t mechanism, const hushbit_bundle_info& bundle);

}  // namespace hushbit

#endif  // HUSHBIT_UNCHANGED_H_
