// How many words are at each distance, and which one is the i-th at a distance.
#include <algorithm>

#include "search/scan/approach.h"

namespace hushbit {
namespace {

// Bit k of a byte as byte k of a number: each byte keeps its own bit, and carries it into its highest.
uint64_t spread_bits(uint8_t bits) {
  const uint64_t own = bits * uint64_t{0x0101010101010101} & 0x8040201008040201;
  return (own + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
}

// Bits [first, first + 8) of the counters of eight words, a byte each.
uint64_t eight_bytes(const TileHits& hits, uint32_t word, uint32_t first) {
  uint64_t bytes = 0;
  for (uint32_t j = first; j < std::min(hits.bits, first + 8); ++j) {
    const auto bits = static_cast<uint8_t>(hits.counters[j][word / kGroupWords] >> (word % kGroupWords));
    bytes |= spread_bits(bits) << (j - first);
  }
  return bytes;
}

// The counters of every word of a tile, in two arrays: their lower bytes, and, if they have any, their upper bytes.
void unpack(const TileHits& hits, uint8_t lower[kTileWords], uint8_t upper[kTileWords]) {
  for (uint32_t word = 0; word < kTileWords; word += 8) {
    store_le64(lower + word, eight_bytes(hits, word, 0));
    if (hits.bits > 8) store_le64(upper + word, eight_bytes(hits, word, 8));
  }
}

// Calls `visit(begin, end, weight)` for all words of one weight together, among up to `count` words of a cluster from
// `first` on; begin and end count from there.
template <typename Visit>
void for_each_weight(const Cluster& cluster, uint32_t first, uint32_t count, Visit visit) {
  const uint32_t end = std::min(count, cluster.words - first);
  for (uint32_t begin = 0; begin < end;) {
    const uint32_t weight = cluster.weight(first + begin);
    // At least one word, also if the file changed under the map.
    const uint32_t until = std::clamp(cluster.words_up_to(static_cast<int32_t>(weight)) - first, begin + 1, end);
    visit(begin, until, weight);
    begin = until;
  }
}

// A histogram that has room for what only a damaged bundle gives.
class Histogram {
 public:
  // Takes in a tile, of which `count` then counts words.
  void unpack(const TileHits& hits) { hushbit::unpack(hits, lower_, upper_); }

  // Counts words [begin, end) of the tile, all of one weight and in one group.
  void count(const TileHits& hits, uint32_t begin, uint32_t end, int32_t distance_without_ones) {
    const int32_t shift = distance_without_ones - 2 * static_cast<int32_t>(hits.start[begin / kGroupWords]);
    uint32_t* counts = counts_ + kBelow + shift;
    if (hits.bits <= 8) {
      for (uint32_t word = begin; word < end; ++word) ++counts[2 * lower_[word]];
    } else {
      for (uint32_t word = begin; word < end; ++word) ++counts[2 * (lower_[word] | upper_[word] << 8)];
    }
  }

  void count_one(int32_t distance) { ++counts_[kBelow + distance]; }

  const uint32_t* counts() const { return counts_ + kBelow; }

 private:
  // Counters have 10 bits and begin with 10 bits; the distance without ones is from -kMaxBits to kMaxBits.
  static constexpr int32_t kBelow = kMaxBits + (2 << TileHits::kBits), kAbove = kBelow;

  uint32_t counts_[kBelow + kAbove + 1] = {};
  uint8_t lower_[kTileWords], upper_[kTileWords];
};

void count_tile(const TiledCodes& codes, const Approach& approach, uint32_t tile, Histogram* histogram) {
  TileScan scan = approach.scan(codes.tiles, tile, 0);
  scan.budget = static_cast<int32_t>(approach.cluster.heaviest);  // no word has more ones than its weight: none is out
  if (tile + 1 < approach.cluster.tiles) scan.ahead = scan.tile + codes.tiles.tile_bytes();
  TileHits hits = {};  // not set for words that are out, as they may be in a damaged bundle
  if (codes.kernels->scan_tile(scan, &hits) == 0) return;
  histogram->unpack(hits);
  for (uint32_t group = 0; group < kTileGroups; ++group) {
    const uint32_t first = tile * kTileWords + group * kGroupWords;
    if (first >= approach.cluster.words) break;
    for_each_weight(approach.cluster, first, kGroupWords, [&](uint32_t begin, uint32_t end, uint32_t weight) {
      histogram->count(hits, group * kGroupWords + begin, group * kGroupWords + end, approach.word_distance(weight, 0));
    });
  }
}

// Calls `visit(tiles)` for the tiles of each cluster whose words may be within `farthest` of a query. Of a cluster that
// is too far only the reference is read; for the others `approach` is prepared.
template <typename Visit>
void for_each_near(const TiledCodes& codes, const uint8_t* query, int32_t farthest, Approach* approach, Visit visit) {
  uint16_t room[plane_list_size(kMaxBits)];
  for (uint32_t c = 0; c < codes.tiles.cluster_count(); ++c) {
    const Cluster cluster = codes.tiles.cluster(c);
    uint16_t from_reference;
    codes.kernels->distances(query, 0, 1, cluster.reference, codes.tiles.code_bytes(), &from_reference);
    const TileRange tiles = tiles_within(cluster, from_reference, farthest);
    if (tiles.empty()) continue;
    approach->prepare(codes, cluster, query, room);
    visit(tiles);
  }
  approach->planes = nullptr;  // the list was in `room`, which ends here
}

// Counts the words that are not farther than `farthest`; of those that are, any number.
class NearCount {
 public:
  NearCount(const TiledCodes& codes, uint32_t farthest, Histogram* histogram)
      : codes_(codes), farthest_(static_cast<int32_t>(farthest)), histogram_(histogram) {}

  void run(const uint8_t* query) {
    for_each_near(codes_, query, farthest_, &approach_, [&](const TileRange& tiles) { count_tiles(tiles); });
  }

 private:
  static constexpr uint32_t kFew = kTileWords / 8;

  // Many words that are near in one tile promise many in the next: from there on, counting every word is cheaper.
  void count_tiles(const TileRange& range) {
    bool many = farthest_ >= static_cast<int32_t>(codes_.tiles.bits());
    for (uint32_t tile = range.begin; tile < range.end; ++tile) {
      many = many || !count_few(tile, range.end);
      if (many) count_tile(codes_, approach_, tile, histogram_);
    }
  }

  // False, and nothing counted, if the tile has more than a few near words.
  bool count_few(uint32_t tile, uint32_t tiles_end) {
    TileScan scan = approach_.scan(codes_.tiles, tile, farthest_);
    if (tile + 1 < tiles_end) scan.ahead = scan.tile + codes_.tiles.tile_bytes();
    const uint32_t alive = codes_.kernels->scan_tile(scan, &hits_);
    if (alive > kFew) return false;
    if (alive == 0) return true;
    for (uint32_t group = 0; group < kTileGroups; ++group) {
      for (uint64_t left = hits_.alive[group]; left != 0; left &= left - 1) {
        count_word(tile, group * kGroupWords + static_cast<uint32_t>(std::countr_zero(left)));
      }
    }
    return true;
  }

  void count_word(uint32_t tile, uint32_t word) {
    const uint32_t index = tile * kTileWords + word;
    if (index >= approach_.cluster.words) return;  // padding that should be all ones, and is not
    const int32_t distance = approach_.word_distance(approach_.cluster.weight(index), hits_.ones(word));
    if (distance >= 0 && distance <= farthest_) histogram_->count_one(distance);  // below 0 only if damaged
  }

  const TiledCodes& codes_;
  const int32_t farthest_;
  Histogram* histogram_;
  Approach approach_ = {};
  TileHits hits_ = {};
};

// Calls `found(id)` for each word at `distance` from the query, in no order of use.
template <typename Found>
class AtDistance {
 public:
  AtDistance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, Found found)
      : codes_(codes), query_(query), distance_(static_cast<int32_t>(distance)), found_(found) {}

  void run() {
    for_each_near(codes_, query_, distance_, &approach_, [&](const TileRange& tiles) {
      for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) visit(tile, tiles.end);
    });
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
  TileHits hits_ = {};
};

template <typename Found>
void for_each_at_distance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, Found found) {
  AtDistance<Found>(codes, query, distance, found).run();
}

// Finds the `index`-th lowest of the ids at a distance, which come in no order, in two rounds: the first counts them by
// the upper half of their bits, and the second by the lower half. Ids that are not too many are kept for the second.
class SelectAtDistance {
 public:
  uint32_t run(const TiledCodes& codes, const uint8_t* query, uint32_t distance, uint32_t index) {
    uint32_t count = 0;
    for_each_at_distance(codes, query, distance, [&](uint32_t id) {
      if (count < kKept) kept_[count] = id;
      ++count;
      ++buckets_[id >> kHalfBits & (kBuckets - 1)];
    });
    if (index >= count) return HUSHBIT_NO_WORD;
    const uint32_t upper = find_bucket(&index);
    std::fill_n(buckets_, kBuckets, 0u);
    const auto count_lower = [&](uint32_t id) {
      if (id >> kHalfBits == upper) ++buckets_[id & (kBuckets - 1)];
    };
    if (count <= kKept) {
      std::for_each_n(kept_, count, count_lower);
    } else {
      for_each_at_distance(codes, query, distance, count_lower);
    }
    const uint32_t id = upper << kHalfBits | find_bucket(&index);
    return id < codes.tiles.words() ? id : HUSHBIT_NO_WORD;
  }

 private:
  static constexpr uint32_t kHalfBits = 12, kBuckets = 1u << kHalfBits;  // an id has 24 bits
  static constexpr uint32_t kKept = 10240;

  // The bucket in which the `*index`-th id is; makes *index its place in there.
  uint32_t find_bucket(uint32_t* index) const {
    uint32_t bucket = 0;
    for (; bucket + 1 < kBuckets && *index >= buckets_[bucket]; ++bucket) *index -= buckets_[bucket];
    return bucket;
  }

  uint32_t buckets_[kBuckets] = {};
  uint32_t kept_[kKept];
};

}  // namespace

void count_distances(const TiledCodes& codes, const uint8_t* query, uint32_t farthest, uint32_t* counts) {
  Histogram histogram;
  NearCount(codes, farthest, &histogram).run(query);
  std::copy_n(histogram.counts(), farthest + 1, counts);
}

uint32_t word_at_distance(const TiledCodes& codes, const uint8_t* query, uint32_t distance, uint32_t index) {
  return SelectAtDistance().run(codes, query, distance, index);
}

uint32_t tied_word(const TiledCodes& codes, const uint8_t* query, const Ties& ties, uint32_t index) {
  return index < Ties::kKept ? ties.ids[index] : word_at_distance(codes, query, ties.distance, index);
}

}  // namespace hushbit
