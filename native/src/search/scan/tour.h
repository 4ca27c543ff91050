// A query's way through the clusters, the most promising first.
#ifndef HUSHBIT_TOUR_H_
#define HUSHBIT_TOUR_H_

#include <stdint.h>

#include <algorithm>

#include "search/scan/approach.h"
#include "search/sorting.h"

namespace hushbit {

template <typename Sink>
class Tour {
 public:
  Tour(const TiledCodes& codes, const uint8_t* query, Sink& sink) : codes_(codes), query_(query), sink_(sink) {
    const Tiles& tiles = codes.tiles;
    codes.kernels->distances(tiles.references(), tiles.record_bytes(), tiles.cluster_count(), query, tiles.code_bytes(),
                             distances_);
    for (uint32_t c = 0; c < tiles.cluster_count(); ++c) order_[c] = key(c) << kIndexBits | c;
    sort_ascending(order_, order_ + tiles.cluster_count());
  }

  // Visits clusters that may have a word not farther than `sink.farthest()`, until about so many more tiles were
  // visited. Two at a time: while one is visited, the memory of the next is asked for.
  void visit(uint32_t tiles) {
    Approach approaches[2];
    uint16_t room[2][plane_list_size(kMaxBits)];
    Approach* present = nullptr;
    uint32_t visited = 0;
    for (; next_ < codes_.tiles.cluster_count() && visited < tiles; ++next_) {
      const TileRange range = promising_tiles(next_);
      if (range.empty()) continue;
      visited += range.end - range.begin;
      const uint32_t other = present == &approaches[0] ? 1 : 0;
      approaches[other].prepare(codes_, codes_.tiles.cluster(index(next_)), query_, room[other]);
      if (present != nullptr) visit_cluster(*present, &approaches[other]);
      present = &approaches[other];
    }
    if (present != nullptr) visit_cluster(*present, nullptr);
  }

  // How many tiles would still be visited.
  uint32_t tiles_left() const {
    uint32_t sum = 0;
    for (uint32_t place = next_; place < codes_.tiles.cluster_count(); ++place) {
      const TileRange range = promising_tiles(place);
      if (!range.empty()) sum += range.end - range.begin;
    }
    return sum;
  }

  const ScanWork& work() const { return work_; }

  // How many clusters were visited or passed over, and which they were.
  uint32_t clusters_done() const { return next_; }
  uint32_t cluster_done(uint32_t place) const { return index(place); }

 private:
  static constexpr uint32_t kIndexBits = 10;
  static_assert(Tiles::kMaxClusters <= 1u << kIndexBits);

  uint32_t index(uint32_t place) const { return order_[place] & ((1u << kIndexBits) - 1); }

  // The smaller, the likelier are near words: near the reference, or, less so, among words far from it.
  uint32_t key(uint32_t cluster) const {
    return 2u * distances_[cluster] + kMaxBits - codes_.tiles.cluster(cluster).median;
  }

  TileRange promising_tiles(uint32_t place) const {
    return tiles_within(codes_.tiles.cluster(index(place)), distances_[index(place)], sink_.farthest());
  }

  // `next`, if not null, is where the query goes from there.
  void visit_cluster(const Approach& approach, const Approach* next) {
    const TileRange range = tiles_within(approach.cluster, approach.distance, sink_.farthest());
    ++work_.clusters;
    for (uint32_t tile = range.begin; tile < range.end; ++tile) {
      const uint8_t* ahead = nullptr;
      if (tile + 1 < range.end) {
        ahead = codes_.tiles.tile(approach.cluster.first_tile + tile + 1);
      } else if (next != nullptr) {
        fetch(*next);
      }
      ++work_.tiles;
      work_.planes += TileVisit<Sink>(codes_, approach, tile, sink_).run(ahead);
    }
  }

  void fetch(const Approach& next) const {
    constexpr uint32_t kFetched = 64;  // planes
    const TileRange range = tiles_within(next.cluster, next.distance, sink_.farthest());
    if (range.empty()) return;
    const uint8_t* planes = codes_.tiles.tile(next.cluster.first_tile + range.begin);
    for (uint32_t i = 0; i < std::min(next.count, kFetched); ++i) prefetch(planes + next.planes[i]);
  }

  const TiledCodes& codes_;
  const uint8_t* query_;
  Sink& sink_;
  ScanWork work_;
  uint32_t next_ = 0;                        // place in order_
  uint16_t distances_[Tiles::kMaxClusters];  // of the query to the references
  uint32_t order_[Tiles::kMaxClusters];      // the keys of clusters, ascending, and below each the cluster's index
};

}  // namespace hushbit

#endif  // HUSHBIT_TOUR_H_
