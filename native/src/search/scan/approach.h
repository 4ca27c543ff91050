// A cluster as one query sees it, and what a visit to one of its tiles finds.
#ifndef HUSHBIT_APPROACH_H_
#define HUSHBIT_APPROACH_H_

#include <stdint.h>

#include <algorithm>
#include <bit>

#include "search/scan/cluster_scan.h"
#include "search/scan/plane_list.h"

namespace hushbit {

// A range of tiles, counted from the first of a cluster.
struct TileRange {
  uint32_t begin, end;

  bool empty() const { return begin >= end; }
  bool contains(uint32_t tile) const { return begin <= tile && tile < end; }
};

// The tiles whose words may be within `farthest` of a query at `distance` from the reference: by the triangle
// inequality, a word's weight must not differ from `distance` by more.
inline TileRange tiles_within(const Cluster& cluster, int32_t distance, int32_t farthest) {
  const uint32_t too_light = cluster.words_up_to(distance - farthest - 1);
  const uint32_t end = cluster.words_up_to(distance + farthest);
  return {too_light / kTileWords, too_light >= end ? 0 : (end + kTileWords - 1) / kTileWords};
}

struct Approach {
  Cluster cluster;
  int32_t distance;        // of the query from the reference
  uint32_t count;          // of planes in which the query agrees with the reference
  const uint16_t* planes;  // where they are in a tile

  // `room` keeps the list of planes; it has space for plane_list_size(bits).
  void prepare(const TiledCodes& codes, const Cluster& of, const uint8_t* query, uint16_t* room) {
    const uint32_t code_bytes = codes.tiles.code_bytes();
    cluster = of;
    uint8_t difference[kMaxCodeBytes], agreement[kMaxCodeBytes];
    for (uint32_t i = 0; i < code_bytes; ++i) difference[i] = query[i] ^ cluster.reference[i];
    codes.kernels->zero_planes(cluster.order, difference, codes.tiles.bits(), agreement);
    count = list_planes(agreement, codes.tiles.bits(), room);
    planes = room;
    distance = static_cast<int32_t>(codes.tiles.bits() - count);
  }

  int32_t word_distance(uint32_t weight, uint32_t ones) const {
    return distance - static_cast<int32_t>(weight) + 2 * static_cast<int32_t>(ones);
  }

  // A scan of the words not farther than `farthest` in a tile, which counts from the first of the cluster.
  TileScan scan(const Tiles& tiles, uint32_t tile, int32_t farthest) const {
    TileScan scan = {};
    scan.tile = tiles.tile(cluster.first_tile + tile);
    scan.planes = planes;
    scan.count = count;
    scan.weights = cluster.groups + size_t{tile} * kTileGroups * 2;
    scan.budget = farthest - distance;
    return scan;
  }
};

// Finds the words of a tile that are not farther than `sink.farthest()`, and calls `sink.offer(position, distance)` for
// each. The tile counts from the first of the cluster.
template <typename Sink>
class TileVisit {
 public:
  TileVisit(const TiledCodes& codes, const Approach& approach, uint32_t tile, Sink& sink)
      : codes_(codes), approach_(approach), tile_(tile), sink_(sink) {}

  // `ahead`, if not null, is a tile of the same cluster that is wanted next. Returns how many planes were read.
  uint32_t run(const uint8_t* ahead) {
    TileScan scan = approach_.scan(codes_.tiles, tile_, sink_.farthest());
    scan.ahead = ahead;
    TileHits hits;
    const uint32_t alive = codes_.kernels->scan_tile(scan, &hits);
    if (alive == 0) return hits.planes;
    if (alive > kFew) narrow(&hits);
    for (uint32_t group = 0; group < kTileGroups; ++group) {
      for (uint64_t left = hits.alive[group]; left != 0; left &= left - 1) {
        offer(group * kGroupWords + static_cast<uint32_t>(std::countr_zero(left)), hits);
      }
    }
    return hits.planes;
  }

 private:
  // With more words than this left, it pays to lower the limits first.
  static constexpr uint32_t kFew = 4;

  void offer(uint32_t word, const TileHits& hits) {
    const uint32_t index = tile_ * kTileWords + word;
    if (index >= approach_.cluster.words) return;  // padding that should be all ones, and is not
    const int32_t distance = approach_.word_distance(approach_.cluster.weight(index), hits.ones(word));
    if (distance < 0 || distance > sink_.farthest()) return;  // below 0 only in a damaged bundle
    sink_.offer(approach_.cluster.first_position() + index, static_cast<uint32_t>(distance));
  }

  // Offers a word that is likely near, then drops those that this shows to be too far.
  void narrow(TileHits* hits) {
    uint32_t group = 0;
    while (hits->alive[group] == 0) ++group;
    const uint64_t fewest = fewest_ones(group, *hits);
    hits->alive[group] &= ~(fewest & (0 - fewest));
    offer(group * kGroupWords + static_cast<uint32_t>(std::countr_zero(fewest)), *hits);
    for (group = 0; group < kTileGroups; ++group) hits->alive[group] &= not_farther(group, *hits);
  }

  // The words of a group that are alive and have the fewest ones.
  static uint64_t fewest_ones(uint32_t group, const TileHits& hits) {
    uint64_t left = hits.alive[group];
    for (uint32_t j = hits.bits; j-- > 0;) {
      const uint64_t zeros = left & ~hits.counters[j][group];
      if (zeros != 0) left = zeros;
    }
    return left;
  }

  // The words of a group that would not be farther if they had the weight of the heaviest of them.
  uint64_t not_farther(uint32_t group, const TileHits& hits) const {
    const uint32_t heaviest = approach_.cluster.heaviest_of_group(tile_ * kTileGroups + group);
    const int32_t budget = sink_.farthest() - approach_.word_distance(heaviest, 0);
    if (budget < 0) return 0;
    const uint32_t end = hits.start[group] + static_cast<uint32_t>(budget) / 2 + 1;
    if (end >> hits.bits != 0) return UINT64_MAX;
    uint64_t less = 0;
    for (uint32_t j = 0; j < hits.bits; ++j) {
      const uint64_t bits = hits.counters[j][group];
      less = (end >> j & 1) != 0 ? ~bits | less : ~bits & less;
    }
    return less;
  }

  const TiledCodes& codes_;
  const Approach& approach_;
  const uint32_t tile_;
  Sink& sink_;
};

}  // namespace hushbit

#endif  // HUSHBIT_APPROACH_H_
