// The row scan: every code against every query. What all other searches must agree with.
//
// All functions are thread-safe and allocate nothing.
#ifndef HUSHBIT_ROW_SCAN_H_
#define HUSHBIT_ROW_SCAN_H_

#include <stddef.h>
#include <stdint.h>

#include "search/scan/rows.h"
#include "search/ties.h"

namespace hushbit {

// For each of `count` codes, one after another, its ties.
void find_nearest(const Rows& rows, const uint8_t* queries, size_t count, Ties* ties);

// The `index`-th, from 0, of the words that `ties` counts for `query`; index < ties.count.
uint32_t tied_word(const Rows& rows, const uint8_t* query, const Ties& ties, uint32_t index);

// The k nearest words, sorted by distance, then id; 1 <= k <= rows.count.
void find_neighbors(const Rows& rows, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances);

// counts[d], for d from 0 to `farthest`, is the number of words at distance d; `farthest` is at most the bits of a
// code.
void count_distances(const Rows& rows, const uint8_t* query, uint32_t farthest, uint32_t* counts);

// The `index`-th, from 0, of the words at `distance`, in id order; there are more than `index`.
uint32_t word_at_distance(const Rows& rows, const uint8_t* query, uint32_t distance, uint32_t index);

// The larger of `floor` and the largest distance between a row of [first, last) and a row of the same or a higher id.
uint32_t find_farthest(const Rows& rows, uint32_t first, uint32_t last, uint32_t floor);

}  // namespace hushbit

#endif  // HUSHBIT_ROW_SCAN_H_
