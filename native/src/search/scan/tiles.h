// The clustered layout of the codes (docs/bundle-format.md).
//
// Words are grouped into clusters of similar codes. Each cluster has a reference code, the majority of its words' bits,
// and stores the *differences* of the codes from it, bit plane by bit plane, in tiles of 512 words. The planes are in
// an order of the cluster's own, those with the most ones first; the words are sorted by their *weight*, the number of
// ones of their difference.
#ifndef HUSHBIT_TILES_H_
#define HUSHBIT_TILES_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <span>

#include "base/bytes.h"
#include "hushbit/hushbit.h"
#include "search/kernels/kernels.h"

namespace hushbit {

struct Cluster {
  uint32_t first_tile;
  uint32_t tiles;
  uint32_t words;
  uint32_t lightest, median, heaviest;  // weights
  const uint8_t* reference;
  PlaneOrder order;
  const uint8_t* bounds;  // entry i: how many of its words have a weight of at most lightest + i
  const uint8_t* groups;  // of its tiles: the weight of the heaviest word; 0 if there is none

  uint32_t first_position() const { return first_tile * kTileWords; }

  // How many words have a weight of at most `weight`.
  uint32_t words_up_to(int32_t weight) const {
    const int32_t index = weight - static_cast<int32_t>(lightest);
    if (index < 0) return 0;
    if (weight >= static_cast<int32_t>(heaviest)) return words;
    return std::min(load_le16(bounds + 2 * static_cast<size_t>(index)), words);
  }

  // Groups are counted from the first of the cluster.
  uint32_t heaviest_of_group(uint32_t group) const { return load_le16(groups + 2 * static_cast<size_t>(group)); }

  // The word is given by its place in the cluster, < words.
  uint32_t weight(uint32_t word) const {
    uint32_t found = std::min(heaviest_of_group(word / kGroupWords), heaviest);
    while (found > lightest && load_le16(bounds + 2 * static_cast<size_t>(found - 1 - lightest)) > word) --found;
    return found;
  }
};

class Tiles {
 public:
  static constexpr uint32_t kMaxClusters = 1024;
  static constexpr uint32_t kMaxClusterTiles = 127;  // so that 16 bits count its words

  // The `codes` section as tiles and the `clusters` section that describes them. Reads all of the latter, which is
  // small, and no page of the former. The offsets are where the sections stand in the bundle, for messages.
  hushbit_status open(std::span<const uint8_t> codes, uint64_t codes_offset, std::span<const uint8_t> clusters,
                      uint64_t clusters_offset, uint32_t words, uint32_t bits, hushbit_error* error);

  uint32_t words() const { return words_; }
  uint32_t bits() const { return bits_; }
  uint32_t code_bytes() const { return bits_ / 8; }
  uint32_t cluster_count() const { return cluster_count_; }
  uint32_t tile_count() const { return tiles_; }

  // `index` < cluster_count(). Whatever the mapped bytes have become since `open`, words, tiles and bounds are inside
  // the sections, and weights in order.
  Cluster cluster(uint32_t index) const;
  // The cluster of `position` < words().
  uint32_t cluster_at(uint32_t position) const;
  const uint8_t* tile(uint32_t index) const { return codes_.data() + size_t{index} * tile_bytes(); }
  size_t tile_bytes() const { return size_t{bits_} * kPlaneBytes; }

  // The reference codes of all clusters, this many bytes apart.
  const uint8_t* references() const { return records_ + kReferenceAt; }
  size_t record_bytes() const { return record_bytes_; }

  // Copies the codes at positions [first, end) to `rows`.
  void copy(uint32_t first, uint32_t end, uint8_t* rows) const;

  // Reads everything: that weights are what they say and padding is all ones.
  hushbit_status verify(hushbit_error* error) const;

 private:
  static constexpr uint32_t kReferenceAt = 16;

  hushbit_status check_cluster(uint32_t index, uint64_t* bounds, hushbit_error* error) const;
  hushbit_status check_weights(const Cluster& cluster, hushbit_error* error) const;
  hushbit_status verify_tile(const Cluster& cluster, uint32_t tile, hushbit_error* error) const;
  void copy_bit_by_bit(const Cluster& cluster, uint32_t first, uint32_t end, uint8_t* rows) const;
  void copy_group(const Cluster& cluster, uint32_t first, uint8_t* rows) const;
  const uint8_t* record(uint32_t index) const { return records_ + index * record_bytes_; }
  uint64_t offset_of(const uint8_t* place) const {
    return clusters_offset_ + static_cast<uint64_t>(place - clusters_.data());
  }

  std::span<const uint8_t> codes_, clusters_;
  uint64_t codes_offset_ = 0, clusters_offset_ = 0;
  const uint8_t* records_ = nullptr;
  const uint8_t* groups_ = nullptr;
  const uint8_t* bounds_ = nullptr;
  uint64_t bounds_count_ = 0;
  size_t record_bytes_ = 0;
  uint32_t words_ = 0;
  uint32_t bits_ = 0;
  uint32_t tiles_ = 0;
  uint32_t cluster_count_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_TILES_H_
