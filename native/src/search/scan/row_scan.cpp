// Compares rows in blocks that stay in the first-level cache.
#include "search/scan/row_scan.h"

#include <algorithm>

#include "search/hamming.h"

namespace hushbit {
namespace {

constexpr uint32_t kBlockBytes = 16384, kMostRows = kBlockBytes / 8;

// Calls `visit(id, distance)` for the rows from `first` on that are not farther than `farthest`, until it returns
// false.
template <typename Visit>
void for_each_near(const Rows& rows, const uint8_t* query, uint32_t first, uint32_t farthest, Visit visit) {
  uint16_t distances[kMostRows];
  const uint32_t together = kBlockBytes / rows.code_bytes;
  for (uint32_t begin = first; begin < rows.count; begin += together) {
    const uint32_t end = begin + std::min(rows.count - begin, together);
    if (rows.distances(begin, end, query, distances) > farthest) continue;
    for (uint32_t id = begin; id < end; ++id) {
      if (distances[id - begin] <= farthest && !visit(id, distances[id - begin])) return;
    }
  }
}

// The `index`-th word at the distance, from `first` on. The last word only if the file changes under the map.
uint32_t find_at_distance(const Rows& rows, const uint8_t* query, uint32_t first, uint32_t distance, uint32_t index) {
  uint32_t found = rows.count - 1;
  for_each_near(rows, query, first, distance, [&](uint32_t id, uint32_t of_word) {
    if (of_word != distance || index-- != 0) return true;
    found = id;
    return false;
  });
  return found;
}

}  // namespace

void find_nearest(const Rows& rows, const uint8_t* queries, size_t count, Ties* ties) {
  for (size_t q = 0; q < count; ++q) clear_ties(&ties[q]);
  uint16_t distances[kMostRows];
  const uint32_t together = kBlockBytes / rows.code_bytes;
  for (uint32_t begin = 0; begin < rows.count; begin += together) {
    const uint32_t end = begin + std::min(rows.count - begin, together);
    for (size_t q = 0; q < count; ++q) {
      const uint32_t least = rows.distances(begin, end, queries + q * rows.code_bytes, distances);
      offer_nearest(&ties[q], distances, end - begin, least, [&](uint32_t i) { return begin + i; });
    }
  }
}

uint32_t tied_word(const Rows& rows, const uint8_t* query, const Ties& ties, uint32_t index) {
  if (index < Ties::kKept) return ties.ids[index];
  return find_at_distance(rows, query, ties.ids[Ties::kKept - 1] + 1, ties.distance, index - Ties::kKept);
}

void count_distances(const Rows& rows, const uint8_t* query, uint32_t farthest, uint32_t* counts) {
  std::fill_n(counts, farthest + 1, 0);
  for_each_near(rows, query, 0, farthest, [&](uint32_t, uint32_t distance) {
    ++counts[distance];
    return true;
  });
}

uint32_t word_at_distance(const Rows& rows, const uint8_t* query, uint32_t distance, uint32_t index) {
  return find_at_distance(rows, query, 0, distance, index);
}

// Two scans and a counting sort, so that no memory is needed beyond the caller's.
void find_neighbors(const Rows& rows, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances) {
  size_t next[kMaxBits + 2] = {};  // after the sums: where the next word at a distance goes
  for_each_near(rows, query, 0, kMaxBits, [&](uint32_t, uint32_t distance) {
    ++next[distance + 1];
    return true;
  });
  uint32_t farthest = 0;  // of the k nearest
  for (uint32_t d = 1; d <= kMaxBits + 1; ++d) {
    if (next[d - 1] < k) farthest = d - 1;
    next[d] += next[d - 1];
  }
  for_each_near(rows, query, 0, farthest, [&](uint32_t id, uint32_t distance) {
    const size_t place = next[distance]++;
    if (place < k) {
      ids[place] = id;
      distances[place] = distance;
    }
    return true;
  });
}

// The farthest word from a row is the nearest one to its complement.
uint32_t find_farthest(const Rows& rows, uint32_t first, uint32_t last, uint32_t floor) {
  uint16_t distances[kMostRows];
  const uint32_t together = kBlockBytes / rows.code_bytes, bits = rows.code_bytes * 8;
  uint32_t best = floor;
  for (uint32_t begin = first; begin < rows.count; begin += together) {
    const uint32_t end = begin + std::min(rows.count - begin, together);
    for (uint32_t i = first; i < last && i < end; ++i) {
      uint8_t complement[kMaxCodeBytes];
      for (uint32_t at = 0; at < rows.code_bytes; ++at) complement[at] = static_cast<uint8_t>(~rows.row(i)[at]);
      best = std::max(best, bits - rows.distances(std::max(begin, i), end, complement, distances));
    }
  }
  return best;
}

}  // namespace hushbit
