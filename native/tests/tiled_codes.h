// The clustered layout of codes, written the plain way: sections for tests of what reads them.
#ifndef HUSHBIT_TESTS_TILED_CODES_H_
#define HUSHBIT_TESTS_TILED_CODES_H_

#include <stdint.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "search/scan/tiles.h"

namespace hushbit::testing {

using Bytes = std::vector<uint8_t>;

inline void put(Bytes* bytes, uint64_t value, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) bytes->push_back(static_cast<uint8_t>(value >> (8 * i)));
}

inline bool bit_of(const uint8_t* code, uint32_t bit) { return (code[bit / 8] >> (bit % 8) & 1) != 0; }

// Numbers of `width` bits, from the least significant bit on, filled up to 8 bytes.
inline Bytes pack(const std::vector<uint32_t>& numbers, uint32_t width) {
  Bytes bytes((numbers.size() * width + 63) / 64 * 8);
  for (size_t i = 0; i < numbers.size() * width; ++i) {
    bytes[i / 8] |= static_cast<uint8_t>((numbers[i / width] >> (i % width) & 1) << (i % 8));
  }
  return bytes;
}

// The `order` section of a permutation.
inline Bytes order_section(const std::vector<uint32_t>& ids, uint32_t step) {
  const size_t count = ids.size(), groups = (count + 511) / 512;
  uint32_t width = 1;
  while ((count - 1) >> width != 0) ++width;
  std::map<uint32_t, uint32_t> shortcuts;
  std::vector<bool> seen(count);
  for (uint32_t start = 0; start < count; ++start) {
    std::vector<uint32_t> cycle;
    for (uint32_t at = start; !seen[at]; at = ids[at]) {
      seen[at] = true;
      cycle.push_back(at);
    }
    if (cycle.size() <= step) continue;
    uint32_t before = static_cast<uint32_t>((cycle.size() - 1) / step * step);
    for (uint32_t i = 0; i < cycle.size(); i += step) {
      shortcuts[cycle[i]] = cycle[before];
      before = i;
    }
  }
  Bytes section, marks(groups * 64), ranks;
  std::vector<uint32_t> targets;
  put(&section, step, 4);
  put(&section, shortcuts.size(), 4);
  put(&section, 0, 8);
  for (uint32_t group = 0; group < groups; ++group) {
    put(&ranks, targets.size(), 4);
    for (auto it = shortcuts.lower_bound(group * 512); it != shortcuts.end() && it->first < (group + 1) * 512; ++it) {
      marks[it->first / 8] |= static_cast<uint8_t>(1 << (it->first % 8));
      targets.push_back(it->second);
    }
  }
  ranks.resize((ranks.size() + 7) / 8 * 8);
  for (const Bytes& part : {pack(ids, width), marks, ranks, pack(targets, width), Bytes(8)}) {
    section.insert(section.end(), part.begin(), part.end());
  }
  return section;
}

struct Sections {
  Bytes codes, clusters, order;
};

// Lays rows out in clusters of the given numbers of tiles. Words go to clusters as `shuffle` says; the order of planes
// is random.
class Layout {
 public:
  Layout(const Bytes& rows, uint32_t code_bytes, std::vector<uint32_t> cluster_tiles, uint32_t seed)
      : rows_(rows), bits_(code_bytes * 8), random_(seed) {
    std::vector<uint32_t> words(rows.size() / code_bytes);
    std::iota(words.begin(), words.end(), 0);
    std::shuffle(words.begin(), words.end(), random_);
    size_t begin = 0;
    uint32_t tile = 0;
    for (const uint32_t tiles : cluster_tiles) {
      const size_t end = std::min(words.size(), begin + size_t{tiles} * kTileWords);
      add_cluster({words.begin() + static_cast<long>(begin), words.begin() + static_cast<long>(end)}, tile);
      begin = end;
      tile += tiles;
    }
    put(&sections_.clusters, cluster_tiles.size(), 4);
    put(&sections_.clusters, bounds_.size() / 2, 4);
    sections_.clusters.resize(64);
    for (const Bytes& part : {records_, groups_, bounds_}) {
      sections_.clusters.insert(sections_.clusters.end(), part.begin(), part.end());
    }
    sections_.order = order_section(ids_, 3);
  }

  const Sections& sections() const { return sections_; }
  const std::vector<uint32_t>& ids() const { return ids_; }

 private:
  const uint8_t* row(uint32_t word) const { return rows_.data() + size_t{word} * bits_ / 8; }

  uint32_t weight(uint32_t word, const Bytes& reference) const {
    uint32_t sum = 0;
    for (uint32_t bit = 0; bit < bits_; ++bit) sum += bit_of(row(word), bit) != bit_of(reference.data(), bit);
    return sum;
  }

  void add_cluster(std::vector<uint32_t> words, uint32_t first_tile) {
    Bytes reference(bits_ / 8);
    for (uint32_t bit = 0; bit < bits_; ++bit) {
      const auto ones = std::count_if(words.begin(), words.end(), [&](uint32_t w) { return bit_of(row(w), bit); });
      if (2 * static_cast<size_t>(ones) > words.size()) reference[bit / 8] |= static_cast<uint8_t>(1 << (bit % 8));
    }
    std::map<uint32_t, uint32_t> weights;
    for (const uint32_t word : words) weights[word] = weight(word, reference);
    std::stable_sort(words.begin(), words.end(), [&](uint32_t a, uint32_t b) { return weights[a] < weights[b]; });
    ids_.insert(ids_.end(), words.begin(), words.end());

    std::vector<uint32_t> order(bits_);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    const uint32_t lightest = weights[words.front()], heaviest = weights[words.back()];
    put(&records_, first_tile, 4);
    put(&records_, bounds_.size() / 2, 4);
    put(&records_, lightest, 2);
    put(&records_, weights[words[words.size() / 2]], 2);
    put(&records_, heaviest, 2);
    put(&records_, 0, 2);
    records_.insert(records_.end(), reference.begin(), reference.end());
    for (const uint32_t bit : order) records_.push_back(static_cast<uint8_t>(bit));
    std::vector<uint32_t> high;
    for (const uint32_t bit : order) high.push_back(bit >> 8);
    if (bits_ > 256) {
      const Bytes packed = pack(high, 1);
      records_.insert(records_.end(), packed.begin(), packed.end());
    }
    for (uint32_t w = lightest; w <= heaviest; ++w) {
      put(&bounds_,
          static_cast<uint64_t>(
              std::count_if(words.begin(), words.end(), [&](uint32_t word) { return weights[word] <= w; })),
          2);
    }
    const size_t tiles = (words.size() + kTileWords - 1) / kTileWords;
    for (size_t group = 0; group < tiles * kTileGroups; ++group) {
      const size_t first = group * 64, last = std::min(first + 64, words.size()) - 1;
      put(&groups_, first < words.size() ? weights[words[last]] : 0, 2);
    }
    for (size_t tile = 0; tile < tiles; ++tile) add_tile(words, tile * kTileWords, order, reference);
  }

  void add_tile(const std::vector<uint32_t>& words, size_t first, const std::vector<uint32_t>& order,
                const Bytes& reference) {
    for (const uint32_t bit : order) {
      Bytes plane(hushbit::kPlaneBytes);
      for (size_t i = 0; i < kTileWords; ++i) {
        const bool one =
            first + i >= words.size() || bit_of(row(words[first + i]), bit) != bit_of(reference.data(), bit);
        plane[i / 8] |= static_cast<uint8_t>(one << (i % 8));
      }
      sections_.codes.insert(sections_.codes.end(), plane.begin(), plane.end());
    }
  }

  const Bytes& rows_;
  const uint32_t bits_;
  std::mt19937 random_;
  std::vector<uint32_t> ids_;
  Bytes records_, groups_, bounds_;
  Sections sections_;
};

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_TILED_CODES_H_
