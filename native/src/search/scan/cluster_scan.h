// Exact search over the clustered layout (tiles.h): the same answers as the row scan (row_scan.h), sooner.
//
// In a cluster with reference m, let a word x have the difference x ^ m, let w, its weight, be the number of ones of
// that, and let D be the distance of the query q to m. Then d(q, x) = D - w + 2 s, where s counts the ones of the
// difference on the bits where q and m agree. So only the planes of those bits are read, about half of them; each one
// counts double, from the triangle inequality's bound D - w upward; and a tile is done when each of its words has so
// many ones that it is too far. Words of like weight stand together, so that they reach that point together. Clusters
// are visited in the order in which they promise near words.
//
// All functions are thread-safe, allocate nothing, and use less than 64 KiB of stack. What they share is in approach.h
// (a cluster as a query sees it) and tour.h (the order of visits); which file has which is said below.
#ifndef HUSHBIT_CLUSTER_SCAN_H_
#define HUSHBIT_CLUSTER_SCAN_H_

#include <stddef.h>
#include <stdint.h>

#include "search/scan/tiled_codes.h"
#include "search/ties.h"

namespace hushbit {

// What scans did, added up. Unlike time, the same on every machine.
struct ScanWork {
  uint64_t clusters = 0;  // visited
  uint64_t tiles = 0;     // visited
  uint64_t planes = 0;    // read, of 64 bytes each

  void add(const ScanWork& other) {
    clusters += other.clusters;
    tiles += other.tiles;
    planes += other.planes;
  }
};

// Each as its namesake in row_scan.h. Where the bundle is damaged, ids may be HUSHBIT_NO_WORD, and nothing may be found
// at all. `work`, if not null, is added to.

// ---- cluster_scan.cpp

void find_nearest(const TiledCodes& codes, const uint8_t* queries, size_t count, Ties* ties, ScanWork* work = nullptr);

// Offers those of the words at positions [first, end), in one tile, that are not farther than the ties so far.
void offer_positions(const TiledCodes& codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties);

// ---- cluster_counts.cpp

uint32_t tied_word(const TiledCodes& codes, const uint8_t* query, const Ties& ties, uint32_t index);
void count_distances(const TiledCodes& codes, const uint8_t* query, uint32_t farthest, uint32_t* counts);
uint32_t word_at_distance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, uint32_t index);

// ---- cluster_neighbors.cpp

void find_neighbors(const TiledCodes& codes, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances);

// ---- cluster_farthest.cpp

// The larger of `floor` and the largest distance between a word at a position of [first, last) and one at the same or a
// higher position.
uint32_t find_farthest(const TiledCodes& codes, uint32_t first, uint32_t last, uint32_t floor);

}  // namespace hushbit

#endif  // HUSHBIT_CLUSTER_SCAN_H_
