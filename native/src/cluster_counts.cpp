// How many words are at each distance, and which one is the i-th at a distance.
#include <algorithm>
#include <array>

#include "approach.h"

namespace hushbit {
namespace {

// Bit k of a byte as byte k of a number.
constexpr std::array<uint64_t, 256> kSpreadBits = [] {
  std::array<uint64_t, 256> table = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (uint32_t bit = 0; bit < 8; ++bit) table[byte] |= uint64_t{byte >> bit & 1} << (8 * bit);
  }
  return table;
}();

// The ones of every word of a tile.
void unpack(const TileHits& hits, uint16_t ones[kTileWords]) {
  for (uint32_t word = 0; word < kTileWords; word += 8) {
    uint64_t low = 0, high = 0;
    for (uint32_t j = 0; j < hits.bits; ++j) {
      const uint64_t bits = kSpreadBits[hits.counters[j][word / kGroupWords] >> (word % kGroupWords) & 0xFF];
      (j < 8 ? low : high) |= bits << (j % 8);
    }
    const uint32_t start = hits.start[word / kGroupWords];
    for (uint32_t i = 0; i < 8; ++i) {
      const uint64_t value = (low >> (8 * i) & 0xFF) | (high >> (8 * i) & 0xFF) << 8;
      ones[word + i] = static_cast<uint16_t>(value - start);
    }
  }
}

// Calls `visit(begin, end, weight)` for all words of one weight together, among up to `count` words of a cluster from
// `first` on; begin and end count from there.
template <typename Visit>
void for_each_weight(const Cluster& cluster, uint32_t first, uint32_t count, Visit visit) {
  const uint32_t end = std::min(count, cluster.words - first);
  for (uint32_t begin = 0; begin < end;) {
    const uint32_t weight = cluster.weight(first + begin);
    const uint32_t until = std::min(cluster.words_up_to(static_cast<int32_t>(weight)) - first, end);
    visit(begin, until, weight);
    begin = until;
  }
}

void count_tile(const TiledCodes& codes, const Approach& approach, uint32_t tile, uint32_t* counts) {
  TileScan scan = approach.scan(codes.tiles, tile, 0);
  scan.budget = TileScan::kUnlimited;
  if (tile + 1 < approach.cluster.tiles) scan.ahead = scan.tile + codes.tiles.tile_bytes();
  TileHits hits;
  codes.kernels->scan_tile(scan, &hits);
  uint16_t ones[kTileWords];
  unpack(hits, ones);
  for_each_weight(approach.cluster, tile * kTileWords, kTileWords, [&](uint32_t begin, uint32_t end, uint32_t weight) {
    for (uint32_t word = begin; word < end; ++word) {
      const int32_t distance = approach.word_distance(weight, ones[word]);
      // Only a damaged bundle gives another.
      if (distance >= 0 && distance <= static_cast<int32_t>(codes.tiles.bits())) ++counts[distance];
    }
  });
}

// Calls `found(id)` for each word at `distance` from the query, in no order of use.
template <typename Found>
class AtDistance {
 public:
  AtDistance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, Found found)
      : codes_(codes), query_(query), distance_(static_cast<int32_t>(distance)), found_(found) {}

  void run() {
    for (uint32_t c = 0; c < codes_.tiles.cluster_count(); ++c) {
      const Cluster cluster = codes_.tiles.cluster(c);
      uint16_t from_reference;
      codes_.kernels->distances(query_, 0, 1, cluster.reference, codes_.tiles.code_bytes(), &from_reference);
      const TileRange range = tiles_within(cluster, from_reference, distance_);
      if (range.empty()) continue;
      approach_.prepare(codes_, cluster, query_, room_);
      for (uint32_t tile = range.begin; tile < range.end; ++tile) visit(tile, range.end);
    }
  }

 private:
  void visit(uint32_t tile, uint32_t tiles_end) {
    TileScan scan = approach_.scan(codes_.tiles, tile, distance_);
    if (tile + 1 < tiles_end) scan.ahead = scan.tile + codes_.tiles.tile_bytes();
    if (codes_.kernels->scan_tile(scan, &hits_) == 0) return;
    for (uint32_t group = 0; group < kTileGroups; ++group) {
      if (hits_.alive[group] != 0) visit_group(tile * kTileGroups + group, group);
    }
  }

  // The `index`-th group of the cluster, the `group`-th of the tile.
  void visit_group(uint32_t index, uint32_t group) {
    const uint32_t first = index * kGroupWords;
    if (first >= approach_.cluster.words) return;  // padding
    for_each_weight(approach_.cluster, first, kGroupWords, [&](uint32_t begin, uint32_t end, uint32_t weight) {
      const uint64_t words = UINT64_MAX >> (kGroupWords - end) & UINT64_MAX << begin;
      uint64_t found = words & at_distance(group, weight);
      for (; found != 0; found &= found - 1) {
        const uint32_t word = first + static_cast<uint32_t>(std::countr_zero(found));
        found_(codes_.order.id(approach_.cluster.first_position() + word));
      }
    });
  }

  // The words of a group that are at the distance if they have this weight.
  uint64_t at_distance(uint32_t group, uint32_t weight) const {
    const int32_t doubled = distance_ - approach_.word_distance(weight, 0);
    if (doubled < 0 || doubled % 2 != 0) return 0;
    const uint32_t ones = static_cast<uint32_t>(doubled) / 2 + hits_.start[group];
    if (ones >> hits_.bits != 0) return 0;
    uint64_t same = hits_.alive[group];
    for (uint32_t j = 0; j < hits_.bits; ++j) {
      same &= (ones >> j & 1) != 0 ? hits_.counters[j][group] : ~hits_.counters[j][group];
    }
    return same;
  }

  const TiledCodes& codes_;
  const uint8_t* query_;
  const int32_t distance_;
  Found found_;
  Approach approach_ = {};
  uint16_t room_[plane_list_size(kMaxBits)] = {};
  TileHits hits_ = {};
};

template <typename Found>
void for_each_at_distance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, Found found) {
  AtDistance<Found>(codes, query, distance, found).run();
}

// The bucket in which the `*index`-th item is; makes *index its place in there.
uint32_t find_bucket(const uint32_t* buckets, uint32_t count, uint32_t* index) {
  uint32_t bucket = 0;
  for (; bucket + 1 < count && *index >= buckets[bucket]; ++bucket) *index -= buckets[bucket];
  return bucket;
}

}  // namespace

void count_distances(const TiledCodes& codes, const uint8_t* query, uint32_t* counts) {
  std::fill_n(counts, codes.tiles.bits() + 1, 0u);
  Approach approach;
  uint16_t room[plane_list_size(kMaxBits)];
  for (uint32_t c = 0; c < codes.tiles.cluster_count(); ++c) {
    approach.prepare(codes, codes.tiles.cluster(c), query, room);
    for (uint32_t tile = 0; tile < approach.cluster.tiles; ++tile) count_tile(codes, approach, tile, counts);
  }
}

// The layout is not in the order of ids: first find the upper half of the id's bits, then the lower.
uint32_t word_at_distance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, uint32_t index) {
  constexpr uint32_t kHalfBits = 12, kBuckets = 1u << kHalfBits;  // an id has 24 bits
  uint32_t buckets[kBuckets] = {};
  for_each_at_distance(codes, query, distance, [&](uint32_t id) { ++buckets[id >> kHalfBits & (kBuckets - 1)]; });
  const uint32_t upper = find_bucket(buckets, kBuckets, &index);
  std::fill_n(buckets, kBuckets, 0u);
  for_each_at_distance(codes, query, distance, [&](uint32_t id) {
    if (id >> kHalfBits == upper) ++buckets[id & (kBuckets - 1)];
  });
  const uint32_t id = upper << kHalfBits | find_bucket(buckets, kBuckets, &index);
  return id < codes.tiles.words() ? id : HUSHBIT_NO_WORD;
}

uint32_t tied_word(const TiledCodes& codes, const uint8_t* query, const Ties& ties, uint32_t index) {
  return index < Ties::kKept ? ties.ids[index] : word_at_distance(codes, query, ties.distance, index);
}

}  // namespace hushbit
