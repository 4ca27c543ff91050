#include "search/scan/cluster_scan.h"

#include <algorithm>

#include "search/scan/tour.h"
#include "search/ties.h"

namespace hushbit {
namespace {

// Batches are searched in groups: a tile stays in the cache while each query of the group looks at it. Their lists of
// planes share this room.
constexpr uint32_t kGroup = 64;
constexpr uint32_t kRoom = kGroup * plane_list_size(256);
// The shares of all tiles that each query visits alone, and that are few enough to go on alone.
constexpr uint32_t kAloneFirst = 24, kAloneToTheEnd = 8;

class NearestSink {
 public:
  NearestSink(const TiledCodes& codes, Ties* ties) : codes_(codes), ties_(ties) {}

  int32_t farthest() const { return static_cast<int32_t>(std::min(ties_->distance, codes_.tiles.bits())); }
  void offer(uint32_t position, uint32_t distance) { offer_tie(ties_, codes_.order.id(position), distance); }

 private:
  const TiledCodes& codes_;
  Ties* ties_;
};

// Takes in the words of some positions only.
class RangeSink {
 public:
  RangeSink(const TiledCodes& codes, uint32_t first, uint32_t end, Ties* ties)
      : sink_(codes, ties), first_(first), end_(end) {}

  int32_t farthest() const { return sink_.farthest(); }
  void offer(uint32_t position, uint32_t distance) {
    if (position >= first_ && position < end_) sink_.offer(position, distance);
  }

 private:
  NearestSink sink_;
  uint32_t first_, end_;
};

class GroupSearch {
 public:
  // Takes at most most(codes) queries.
  GroupSearch(const TiledCodes& codes, const uint8_t* queries, uint32_t count, Ties* ties)
      : codes_(codes), queries_(queries), count_(count), ties_(ties) {}

  static uint32_t most(const TiledCodes& codes) {
    return std::min(kGroup, kRoom / plane_list_size(codes.tiles.bits()));
  }

  ScanWork run() {
    for (uint32_t q = 0; q < count_; ++q) begin(q);
    for (uint32_t c = 0; c < codes_.tiles.cluster_count(); ++c) visit(c);
    return work_;
  }

 private:
  const uint8_t* query(uint32_t q) const { return queries_ + size_t{q} * codes_.tiles.code_bytes(); }

  // Its best clusters, each query alone, so that the group goes through the rest with small distances to beat; all of
  // them if few are left.
  void begin(uint32_t q) {
    const uint32_t all = codes_.tiles.tile_count();
    NearestSink sink(codes_, &ties_[q]);
    Tour<NearestSink> tour(codes_, query(q), sink);
    tour.visit(all / kAloneFirst + 1);
    if (tour.tiles_left() < all / kAloneToTheEnd) tour.visit(all);
    work_.add(tour.work());
    for (uint32_t place = 0; place < tour.clusters_done(); ++place) {
      done_[tour.cluster_done(place)] |= uint64_t{1} << q;
    }
  }

  void visit(uint32_t index) {
    const Cluster cluster = codes_.tiles.cluster(index);
    TileRange all = {cluster.tiles, 0};
    const uint32_t active = prepare(index, cluster, &all);
    work_.clusters += active;
    for (uint32_t tile = all.begin; tile < all.end; ++tile) {
      const uint32_t following = cluster.first_tile + tile + 1;  // in this cluster or the next
      const uint8_t* next = codes_.tiles.tile(std::min(following, codes_.tiles.tile_count() - 1));
      // Each query asks for a part of the next tile, as deep as the queries went into the last one.
      const size_t wanted = depth_, part = (wanted / kPlaneBytes + active - 1) / active * size_t{kPlaneBytes};
      size_t fetched = 0, deepest = 0;
      for (uint32_t a = 0; a < active; ++a) {
        const size_t until = std::min(fetched + part, wanted);
        for (; fetched < until; fetched += kPlaneBytes) prefetch(next + fetched);
        if (!ranges_[a].contains(tile)) continue;
        NearestSink sink(codes_, &ties_[active_[a]]);
        const uint32_t planes = TileVisit<NearestSink>(codes_, approaches_[a], tile, sink).run(nullptr);
        ++work_.tiles;
        work_.planes += planes;
        if (planes != 0) deepest = std::max(deepest, size_t{approaches_[a].planes[planes - 1]} + kPlaneBytes);
      }
      depth_ = deepest;
    }
  }

  // Finds the queries that may have a nearest word in the cluster, and in which tiles; `*all` spans these tiles.
  uint32_t prepare(uint32_t index, const Cluster& cluster, TileRange* all) {
    uint16_t distances[kGroup];
    const uint32_t code_bytes = codes_.tiles.code_bytes();
    codes_.kernels->distances(queries_, code_bytes, count_, cluster.reference, code_bytes, distances);
    uint32_t active = 0;
    for (uint32_t q = 0; q < count_; ++q) {
      const TileRange range = tiles_within(cluster, distances[q], NearestSink(codes_, &ties_[q]).farthest());
      if ((done_[index] >> q & 1) != 0 || range.empty()) continue;
      *all = {std::min(all->begin, range.begin), std::max(all->end, range.end)};
      uint16_t* room = room_ + active * plane_list_size(codes_.tiles.bits());
      approaches_[active].prepare(codes_, cluster, query(q), room);
      ranges_[active] = range;
      active_[active++] = q;
    }
    return active;
  }

  const TiledCodes& codes_;
  const uint8_t* queries_;
  const uint32_t count_;
  Ties* ties_;
  ScanWork work_;
  size_t depth_ = codes_.tiles.tile_bytes();  // of the planes that were read of the last tile
  uint64_t done_[Tiles::kMaxClusters] = {};   // bit q: query q is through with the cluster
  uint32_t active_[kGroup];                   // the queries that visit the present cluster
  TileRange ranges_[kGroup];
  Approach approaches_[kGroup];
  uint16_t room_[kRoom];
};

}  // namespace

void find_nearest(const TiledCodes& codes, const uint8_t* queries, size_t count, Ties* ties, ScanWork* work) {
  ScanWork done;
  for (size_t i = 0; i < count; ++i) clear_ties(&ties[i]);
  const size_t most = GroupSearch::most(codes);
  const size_t groups = (count + most - 1) / most;
  for (size_t group = 0, begin = 0; group < groups; ++group) {
    const uint32_t size = static_cast<uint32_t>((count - begin) / (groups - group));  // all about the same
    const uint8_t* first = queries + begin * codes.tiles.code_bytes();
    if (size == 1) {
      NearestSink sink(codes, ties + begin);
      Tour<NearestSink> tour(codes, first, sink);
      tour.visit(codes.tiles.tile_count());
      done.add(tour.work());
    } else {
      done.add(GroupSearch(codes, first, size, ties + begin).run());
    }
    begin += size;
  }
  if (work != nullptr) work->add(done);
}

void offer_positions(const TiledCodes& codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties) {
  Approach approach;
  uint16_t room[plane_list_size(kMaxBits)];
  approach.prepare(codes, codes.tiles.cluster(codes.tiles.cluster_at(first)), query, room);
  const uint32_t tile = first / kTileWords - approach.cluster.first_tile;
  if (tile >= approach.cluster.tiles) return;  // only if the file changed under the map
  RangeSink sink(codes, first, end, ties);
  TileVisit<RangeSink>(codes, approach, tile, sink).run(nullptr);
}

}  // namespace hushbit
