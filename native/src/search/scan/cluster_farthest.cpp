// The largest distance of two words. The word farthest from a code is the one nearest to its complement, and a search
// for anything farther than what was found so far is over after a few planes.
#include <algorithm>

#include "search/scan/approach.h"

namespace hushbit {
namespace {

constexpr uint32_t kGroup = 32;  // words whose complements are searched for together

struct FarthestSink {
  uint32_t bits;
  uint32_t from;  // positions below do not count
  uint32_t* best;

  int32_t farthest() const { return static_cast<int32_t>(bits) - static_cast<int32_t>(*best) - 1; }
  void offer(uint32_t position, uint32_t distance) {
    if (position >= from) *best = std::max(*best, bits - distance);
  }
};

class GroupSearch {
 public:
  // Takes the words at positions [first, end), at most kGroup, in one tile.
  GroupSearch(const TiledCodes& codes, uint32_t first, uint32_t end, uint32_t* best)
      : codes_(codes), first_(first), count_(end - first), best_(best) {
    codes.tiles.copy(first, end, complements_);
    for (uint32_t i = 0; i < count_ * codes.tiles.code_bytes(); ++i) {
      complements_[i] = static_cast<uint8_t>(~complements_[i]);
    }
  }

  void run() {
    for (uint32_t c = codes_.tiles.cluster_at(first_); c < codes_.tiles.cluster_count(); ++c) visit(c);
  }

 private:
  FarthestSink sink(uint32_t i) const { return {codes_.tiles.bits(), first_ + i, best_}; }

  void visit(uint32_t index) {
    const Cluster cluster = codes_.tiles.cluster(index);
    const uint32_t own_tile = std::max(first_ / kTileWords, cluster.first_tile) - cluster.first_tile;
    TileRange all = {cluster.tiles, 0};
    const uint32_t active = prepare(cluster, &all);
    for (uint32_t tile = std::max(own_tile, all.begin); tile < all.end; ++tile) {
      for (uint32_t a = 0; a < active; ++a) {
        if (!ranges_[a].contains(tile)) continue;
        FarthestSink its_sink = sink(active_[a]);
        TileVisit<FarthestSink>(codes_, approaches_[a], tile, its_sink).run(nullptr);
      }
    }
  }

  // Finds the words that may have a farther one in the cluster, and in which tiles; `*all` spans these tiles.
  uint32_t prepare(const Cluster& cluster, TileRange* all) {
    uint16_t distances[kGroup];
    const uint32_t code_bytes = codes_.tiles.code_bytes();
    codes_.kernels->distances(complements_, code_bytes, count_, cluster.reference, code_bytes, distances);
    uint32_t active = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      const TileRange range = tiles_within(cluster, distances[i], sink(i).farthest());
      if (range.empty()) continue;
      *all = {std::min(all->begin, range.begin), std::max(all->end, range.end)};
      approaches_[active].prepare(codes_, cluster, complements_ + i * code_bytes, room_[active]);
      ranges_[active] = range;
      active_[active++] = i;
    }
    return active;
  }

  const TiledCodes& codes_;
  const uint32_t first_, count_;
  uint32_t* best_;
  uint8_t complements_[kGroup * kMaxCodeBytes];
  uint32_t active_[kGroup];  // the words that search the present cluster
  TileRange ranges_[kGroup];
  Approach approaches_[kGroup];
  uint16_t room_[kGroup][plane_list_size(kMaxBits)];
};

}  // namespace

uint32_t find_farthest(const TiledCodes& codes, uint32_t first, uint32_t last, uint32_t floor) {
  uint32_t best = floor;
  while (first < last && best < codes.tiles.bits()) {
    const uint32_t end = std::min({last, first + kGroup, (first / kTileWords + 1) * kTileWords});
    GroupSearch(codes, first, end, &best).run();
    first = end;
  }
  return best;
}

}  // namespace hushbit
