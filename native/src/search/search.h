// Exact search for near codes, whatever the layout and the index of the bundle: every way gives the same answers.
//
// A search for the nearest words sees the noisy code alone, never the word it came from: that is the proof of privacy
// (post-processing), and keeps its time independent of the word given the noise.
//
// All functions are thread-safe and allocate nothing. They return false if the bundle turns out to be damaged; a
// bundle that passes `verify` is not.
#ifndef HUSHBIT_SEARCH_H_
#define HUSHBIT_SEARCH_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit/hushbit.h"
#include "search/codes.h"
#include "search/scan/cluster_scan.h"
#include "search/ties.h"

namespace hushbit {

// What searches did, added up. Unlike time, the same on every machine.
struct SearchWork {
  MihWork mih;
  ScanWork scan;
  uint64_t rows = 0;       // compared one by one
  uint64_t fallbacks = 0;  // queries that the hash gave up
};

// How to look for the nearest words.
struct SearchPlan {
  bool mih = false;       // try the hash first
  bool clusters = false;  // then scan the clusters, not row by row
  uint32_t patience = 0;  // lookups after which a scan is the better way

  // The way that `search`, a hushbit_search, names. HUSHBIT_SEARCH_AUTO chooses by the expected number of bits in which
  // queries differ from their word; NaN if that is not known. INVALID_ARGUMENT if the bundle cannot be searched so.
  hushbit_status init(const Codes& codes, uint32_t search, double expected_flips, hushbit_error* error);
};

// Finds the nearest words of each of `count` codes, which are stored one after another. Adds to `work` if it is not
// null.
bool find_nearest(const Codes& codes, const SearchPlan& plan, const uint8_t* queries, size_t count, Ties* ties,
                  SearchWork* work = nullptr);

// The `index`-th, from 0, of the words that `ties` counts for `query`; index < ties.count.
bool tied_word(const Codes& codes, const uint8_t* query, const Ties& ties, uint32_t index, uint32_t* id);

// The k nearest words, sorted by distance, then id; 1 <= k <= codes.count.
bool find_neighbors(const Codes& codes, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances);

// counts[d], for d from 0 to `farthest`, is the number of words at distance d; `farthest` is at most the bits of a
// code. The smaller it is, the less of the clusters is read.
bool count_distances(const Codes& codes, const uint8_t* query, uint32_t farthest, uint32_t* counts);

// The `index`-th, from 0, of the words at `distance`, in id order; there are more than `index`.
bool word_at_distance(const Codes& codes, const uint8_t* query, uint32_t distance, uint32_t index, uint32_t* id);

// The larger of `floor` and the largest distance between the codes at places [first, last) of the layout, and between
// one of them and one at a higher place.
uint32_t find_farthest(const Codes& codes, uint32_t first, uint32_t last, uint32_t floor);

}  // namespace hushbit

#endif  // HUSHBIT_SEARCH_H_
