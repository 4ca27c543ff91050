// Exact nearest codes. A search sees the noisy code alone, never the word it came from: that is the proof of privacy
// (post-processing), and keeps its time independent of the word given the noise.
#ifndef HUSHBIT_SEARCH_H_
#define HUSHBIT_SEARCH_H_

#include <stddef.h>
#include <stdint.h>

#include "bundle.h"

namespace hushbit {

// The words at the minimum distance from a code, in id order. All are counted, the first ones kept.
struct Ties {
  static constexpr uint32_t kKept = 32;
  uint32_t distance;
  uint32_t count;
  uint32_t ids[kKept];
};

// For each of `count` codes, one after another, its ties.
void find_nearest(const Codes& codes, const uint8_t* queries, size_t count, Ties* ties);

// The `index`-th, from 0, of the words that `ties` counts for `query`; index < ties.count.
uint32_t tied_word(const Codes& codes, const uint8_t* query, const Ties& ties, uint32_t index);

// The k nearest words, sorted by distance, then id; 1 <= k <= codes.count.
void find_neighbors(const Codes& codes, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances);

// counts[d], for d from 0 to the bits of a code, is the number of words at distance d.
void count_distances(const Codes& codes, const uint8_t* query, uint32_t* counts);

// The `index`-th, from 0, of the words at `distance`, in id order; there are more than `index`.
uint32_t word_at_distance(const Codes& codes, const uint8_t* query, uint32_t distance, uint32_t index);

// The larger of `floor` and the largest distance between a row of [first, last) and a row of the same or a higher id.
uint32_t find_farthest(const Codes& codes, uint32_t first, uint32_t last, uint32_t floor);

}  // namespace hushbit

#endif  // HUSHBIT_SEARCH_H_
