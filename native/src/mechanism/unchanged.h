// Whether an epsilon leaves more than about half of the words as they were typed, which has to be asked for: an epsilon
// that is meant for crowds prints the text with BRR or TEM. All that decides is public and in the bundle's header.
#ifndef HUSHBIT_UNCHANGED_H_
#define HUSHBIT_UNCHANGED_H_

#include <stdint.h>

#include "hushbit/hushbit.h"

namespace hushbit {

// The epsilon per differing bit at which BRR or TEM leaves about half of the words unchanged if the codes of the words
// are random: `words` of them, 2 or more, with `average` bits between two of them on average. Infinite if no epsilon
// does.
//
// BRR: noise and code can be told apart up to the capacity of the channel (Shannon 1948), bits * (1 - H(p)) = log2
// words. TEM: the word weighs as much as all others do on average, words * ((1 + e^(-epsilon / 2)) / 2)^bits = 1.
double half_of_random_codes(uint32_t mechanism, double average, uint32_t words);

// The largest epsilon per differing bit with which BRR or TEM may be used without asking: 1.05 times what the bundle
// states for it, which export determined as the epsilon at which half of the words stay unchanged. If it states
// none, or one that cannot be that, being more than 1.5 times that of random codes, then 1.05 times the latter.
double most_epsilon_on_codes(uint32_t mechanism, const hushbit_bundle_info& bundle);

}  // namespace hushbit

#endif  // HUSHBIT_UNCHANGED_H_
