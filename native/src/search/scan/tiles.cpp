#include "search/scan/tiles.h"

#include <string.h>

#include <algorithm>

#include "base/corrupt.h"

namespace hushbit {
namespace {

constexpr uint64_t kCountAt = 0, kBoundsAt = 4, kReservedAt = 8, kHeaderSize = 64;

// A record: this, then the reference code, then the plane order.
constexpr uint32_t kFirstTileAt = 0, kFirstBoundAt = 4, kLightestAt = 8, kMedianAt = 10, kHeaviestAt = 12,
                   kRecordReservedAt = 14;

// The numbers of more than 256 planes do not fit a byte; their upper bits follow.
uint32_t order_bytes(uint32_t bits) { return bits > 256 ? bits + bits / 8 : bits; }

bool is_permutation(const PlaneOrder& order, uint32_t bits) {
  uint64_t seen[kMaxBits / 64] = {};
  for (uint32_t plane = 0; plane < bits; ++plane) {
    const uint32_t bit = order.bit(plane);
    if (bit >= bits || (seen[bit / 64] >> (bit % 64) & 1) != 0) return false;
    seen[bit / 64] |= uint64_t{1} << (bit % 64);
  }
  return true;
}

// Swaps rows and columns of a square of bits, halves of ever smaller squares at a time (Warren, Hacker's Delight, 7-3).
void transpose(uint64_t square[64]) {
  uint64_t mask = 0x00000000FFFFFFFF;
  for (uint32_t half = 32; half != 0; half >>= 1, mask ^= mask << half) {
    for (uint32_t row = 0; row < 64; row = (row + half + 1) & ~half) {
      const uint64_t swapped = (square[row] >> half ^ square[row + half]) & mask;
      square[row] ^= swapped << half;
      square[row + half] ^= swapped;
    }
  }
}

}  // namespace

hushbit_status Tiles::open(std::span<const uint8_t> codes, uint64_t codes_offset, std::span<const uint8_t> clusters,
                           uint64_t clusters_offset, uint32_t words, uint32_t bits, hushbit_error* error) {
  codes_ = codes;
  codes_offset_ = codes_offset;
  clusters_ = clusters;
  clusters_offset_ = clusters_offset;
  words_ = words;
  bits_ = bits;
  tiles_ = (words + kTileWords - 1) / kTileWords;
  if (codes.size() != uint64_t{tiles_} * tile_bytes()) {
    return corrupt(error, codes_offset, "codes: length does not match words and bits");
  }
  if (clusters.size() < kHeaderSize) return corrupt(error, clusters_offset, "clusters: cut off");
  const uint8_t* header = clusters.data();
  cluster_count_ = load_le32(header + kCountAt);
  bounds_count_ = load_le32(header + kBoundsAt);
  if (cluster_count_ < 1 || cluster_count_ > std::min(kMaxClusters, tiles_)) {
    return corrupt(error, clusters_offset + kCountAt, "clusters: number of clusters out of range");
  }
  const uint64_t nonzero = first_nonzero(header, kReservedAt, kHeaderSize);
  if (nonzero != kHeaderSize) return corrupt(error, clusters_offset + nonzero, "reserved bytes not zero");
  record_bytes_ = kReferenceAt + code_bytes() + order_bytes(bits);
  const uint64_t groups_at = kHeaderSize + cluster_count_ * record_bytes_;
  const uint64_t bounds_at = groups_at + uint64_t{tiles_} * kTileGroups * 2;
  if (clusters.size() != bounds_at + 2 * bounds_count_) {
    return corrupt(error, clusters_offset, "clusters: length does not match its counts");
  }
  records_ = header + kHeaderSize;
  groups_ = header + groups_at;
  bounds_ = header + bounds_at;
  uint64_t bounds = 0;
  for (uint32_t i = 0; i < cluster_count_; ++i) {
    const hushbit_status status = check_cluster(i, &bounds, error);
    if (status != HUSHBIT_OK) return status;
  }
  return bounds == bounds_count_ ? HUSHBIT_OK : corrupt(error, clusters_offset + kBoundsAt, "clusters: unused bounds");
}

// What a search relies on: tiles in order and inside the section, every bit in one plane, weights that go with the
// words. `*bounds` are those of the clusters before.
hushbit_status Tiles::check_cluster(uint32_t index, uint64_t* bounds, hushbit_error* error) const {
  const uint8_t* at = record(index);
  const uint32_t first_tile = load_le32(at + kFirstTileAt);
  const uint32_t end_tile = index + 1 < cluster_count_ ? load_le32(record(index + 1) + kFirstTileAt) : tiles_;
  if ((index == 0 && first_tile != 0) || first_tile >= end_tile || end_tile > tiles_ ||
      end_tile - first_tile > kMaxClusterTiles) {
    return corrupt(error, offset_of(at) + kFirstTileAt, "clusters: tiles not in order, or too many in one");
  }
  if (load_le32(at + kFirstBoundAt) != *bounds) {
    return corrupt(error, offset_of(at) + kFirstBoundAt, "clusters: bounds at a wrong place");
  }
  if (load_le16(at + kRecordReservedAt) != 0) {
    return corrupt(error, offset_of(at) + kRecordReservedAt, "reserved bytes not zero");
  }
  const uint32_t lightest = load_le16(at + kLightestAt), median = load_le16(at + kMedianAt);
  const uint32_t heaviest = load_le16(at + kHeaviestAt);
  if (lightest > median || median > heaviest || heaviest > bits_ || heaviest - lightest >= bounds_count_ - *bounds) {
    return corrupt(error, offset_of(at) + kLightestAt, "clusters: weights out of order or range");
  }
  const Cluster found = cluster(index);
  if (!is_permutation(found.order, bits_)) {
    return corrupt(error, offset_of(found.order.low), "clusters: a bit in no plane or in two");
  }
  *bounds += heaviest - lightest + 1;
  return check_weights(found, error);
}

hushbit_status Tiles::check_weights(const Cluster& cluster, hushbit_error* error) const {
  uint32_t weight = cluster.lightest, bound = load_le16(cluster.bounds);
  if (bound == 0) return corrupt(error, offset_of(cluster.bounds), "clusters: no word of the lightest weight");
  for (uint32_t group = 0; group < cluster.tiles * kTileGroups; ++group) {
    const uint32_t end = std::min((group + 1) * kGroupWords, cluster.words);
    const bool empty = group * kGroupWords >= cluster.words;
    while (!empty && bound < end && weight < cluster.heaviest) {
      const uint32_t next = load_le16(cluster.bounds + 2 * (++weight - cluster.lightest));
      if (next < bound) return corrupt(error, offset_of(cluster.bounds), "clusters: weights not ascending");
      bound = next;
    }
    if (cluster.heaviest_of_group(group) != (empty ? 0 : weight)) {
      return corrupt(error, offset_of(cluster.groups) + 2 * group, "clusters: wrong weight of a group's last word");
    }
  }
  return weight == cluster.heaviest && bound == cluster.words
             ? HUSHBIT_OK
             : corrupt(error, offset_of(cluster.bounds), "clusters: bounds do not match the words");
}

Cluster Tiles::cluster(uint32_t index) const {
  const uint8_t* at = record(index);
  Cluster cluster;
  cluster.first_tile = std::min(load_le32(at + kFirstTileAt), tiles_ - 1);
  const uint32_t end = index + 1 == cluster_count_ ? tiles_ : load_le32(at + record_bytes_ + kFirstTileAt);
  cluster.tiles = std::clamp(end, cluster.first_tile, tiles_) - cluster.first_tile;
  cluster.words = std::min(cluster.tiles * kTileWords, words_ - cluster.first_position());
  cluster.heaviest = std::min(load_le16(at + kHeaviestAt), bits_);
  cluster.median = std::min(load_le16(at + kMedianAt), cluster.heaviest);
  cluster.lightest = std::min(load_le16(at + kLightestAt), cluster.median);
  cluster.reference = at + kReferenceAt;
  cluster.order.low = cluster.reference + code_bytes();
  cluster.order.high = bits_ > 256 ? cluster.order.low + bits_ : nullptr;
  cluster.groups = groups_ + size_t{cluster.first_tile} * kTileGroups * 2;
  if (cluster.heaviest - cluster.lightest >= bounds_count_) cluster.lightest = cluster.heaviest;
  const uint64_t most = bounds_count_ - 1 - (cluster.heaviest - cluster.lightest);
  cluster.bounds = bounds_ + static_cast<size_t>(std::min<uint64_t>(load_le32(at + kFirstBoundAt), most)) * 2;
  return cluster;
}

uint32_t Tiles::cluster_at(uint32_t position) const {
  const uint32_t tile = position / kTileWords;
  uint32_t low = 0, high = cluster_count_;  // it is in [low, high)
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (load_le32(record(middle) + kFirstTileAt) <= tile) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void Tiles::copy(uint32_t first, uint32_t end, uint8_t* rows) const {
  while (first < end) {
    const Cluster of = cluster(cluster_at(first));
    const uint32_t until = std::min(end, (first / kGroupWords + 1) * kGroupWords);
    if (until - first == kGroupWords) {
      copy_group(of, first, rows);
    } else {
      copy_bit_by_bit(of, first, until, rows);
    }
    rows += size_t{until - first} * code_bytes();
    first = until;
  }
}

// Positions [first, end) of one group.
void Tiles::copy_bit_by_bit(const Cluster& cluster, uint32_t first, uint32_t end, uint8_t* rows) const {
  const uint8_t* planes = tile(first / kTileWords);
  for (uint32_t i = 0; i < end - first; ++i) memcpy(rows + i * code_bytes(), cluster.reference, code_bytes());
  for (uint32_t plane = 0; plane < bits_; ++plane) {
    const uint32_t bit = cluster.order.bit(plane) % bits_;
    uint8_t* byte = rows + bit / 8;
    for (uint32_t position = first; position < end; ++position, byte += code_bytes()) {
      const uint32_t word = position % kTileWords;
      const uint32_t difference = planes[plane * kPlaneBytes + word / 8] >> (word % 8) & 1;
      *byte = static_cast<uint8_t>(*byte ^ difference << (bit % 8));
    }
  }
}

// The whole group from `first` on: 64 planes at a time are a square of bits, to be transposed.
void Tiles::copy_group(const Cluster& cluster, uint32_t first, uint8_t* rows) const {
  const uint8_t* planes = tile(first / kTileWords) + first % kTileWords / 8;
  uint64_t squares[kMaxBits / 64][64] = {};  // rows that no plane fills are there if the order changed under the map
  for (uint32_t plane = 0; plane < bits_; ++plane) {
    const uint32_t bit = cluster.order.bit(plane);
    squares[bit / 64][bit % 64] = load_le64(planes + plane * kPlaneBytes);
  }
  for (uint32_t part = 0; part < bits_ / 64; ++part) {
    transpose(squares[part]);
    const uint64_t reference = load_le64(cluster.reference + 8 * part);
    for (uint32_t word = 0; word < kGroupWords; ++word) {
      store_le64(rows + size_t{word} * code_bytes() + 8 * part, squares[part][word] ^ reference);
    }
  }
}

hushbit_status Tiles::verify(hushbit_error* error) const {
  for (uint32_t i = 0; i < cluster_count_; ++i) {
    const Cluster found = cluster(i);
    for (uint32_t tile = 0; tile < found.tiles; ++tile) {
      const hushbit_status status = verify_tile(found, tile, error);
      if (status != HUSHBIT_OK) return status;
    }
  }
  return HUSHBIT_OK;
}

hushbit_status Tiles::verify_tile(const Cluster& cluster, uint32_t tile, hushbit_error* error) const {
  uint16_t planes[kMaxBits];
  for (uint32_t plane = 0; plane < bits_; ++plane) planes[plane] = static_cast<uint16_t>(plane * kPlaneBytes);
  const uint32_t index = cluster.first_tile + tile;
  TileHits hits;
  // No limit: every word is counted.
  TileScan scan = {};
  scan.tile = this->tile(index);
  scan.planes = planes;
  scan.count = bits_;
  scan.weights = cluster.groups;
  scan.budget = TileScan::kUnlimited;
  best_kernels().scan_tile(scan, &hits);
  for (uint32_t word = 0; word < kTileWords; ++word) {
    const uint32_t place = tile * kTileWords + word;
    const uint32_t expected = place < cluster.words ? cluster.weight(place) : bits_;
    if (hits.ones(word) != expected) {
      return corrupt(error, codes_offset_ + index * tile_bytes(), "codes: a word has a wrong weight for its place");
    }
  }
  return HUSHBIT_OK;
}

}  // namespace hushbit
