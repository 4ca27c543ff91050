// In blocks that stay in the first-level cache.
#include "search/scan/row_scan.h"

#include <string.h>

#include <algorithm>

#include "search/hamming.h"

// The popcount instruction is not part of the x86-64 baseline; there each scan is compiled twice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define HUSHBIT_TWO_BUILDS 1
#endif

namespace hushbit {
namespace {

constexpr uint32_t kBlockBytes = 16384;

template <uint32_t kBytes>
[[gnu::always_inline]] inline uint32_t distance(const uint8_t* a, const uint8_t* b) {
  return hamming_distance(a, b, kBytes);
}

[[gnu::always_inline]] inline void offer(Ties& ties, uint32_t id, uint32_t distance) {
  if (distance > ties.distance) return;
  if (distance < ties.distance) {
    ties.distance = distance;
    ties.count = 0;
  }
  if (ties.count < Ties::kKept) ties.ids[ties.count] = id;
  ++ties.count;
}

struct NearestScan {
  const Rows& rows;
  const uint8_t* queries;
  size_t count;
  Ties* ties;

  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void run() const {
    for (size_t q = 0; q < count; ++q) ties[q] = {.distance = UINT32_MAX, .count = 0, .ids = {}};
    for (uint32_t begin = 0; begin < rows.count; begin += kBlockBytes / kBytes) {
      const uint32_t end = std::min(rows.count, begin + kBlockBytes / kBytes);
      for (size_t q = 0; q < count; ++q) {
        for (uint32_t id = begin; id < end; ++id) {
          offer(ties[q], id, distance<kBytes>(rows.row(id), queries + q * kBytes));
        }
      }
    }
  }
};

struct CountScan {
  const Rows& rows;
  const uint8_t* query;
  uint32_t* counts;

  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void run() const {
    for (uint32_t d = 0; d <= 8 * kBytes; ++d) counts[d] = 0;
    for (uint32_t id = 0; id < rows.count; ++id) ++counts[distance<kBytes>(rows.row(id), query)];
  }
};

struct WordAtDistanceScan {
  const Rows& rows;
  const uint8_t* query;
  uint32_t wanted_distance;
  uint32_t id;     // in: where to begin
  uint32_t skips;  // in: how many words at the distance to pass over

  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void run() {
    // The bound only matters if the file changes under the map.
    for (; id + 1 < rows.count; ++id) {
      if (distance<kBytes>(rows.row(id), query) == wanted_distance && skips-- == 0) return;
    }
  }
};

// Two scans and a counting sort, so that no memory is needed beyond the caller's.
struct NeighborScan {
  const Rows& rows;
  const uint8_t* query;
  size_t k;
  uint32_t* ids;
  uint32_t* distances;

  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void run() const {
    size_t next[kMaxBits + 2] = {};  // after the sums: where the next word at a distance goes
    for (uint32_t id = 0; id < rows.count; ++id) ++next[distance<kBytes>(rows.row(id), query) + 1];
    for (uint32_t d = 1; d <= kMaxBits + 1; ++d) next[d] += next[d - 1];
    for (uint32_t id = 0; id < rows.count; ++id) {
      const uint32_t d = distance<kBytes>(rows.row(id), query);
      const size_t place = next[d]++;
      if (place >= k) continue;
      ids[place] = id;
      distances[place] = d;
    }
  }
};

struct FarthestScan {
  const Rows& rows;
  uint32_t first, last;
  uint32_t best;

  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void run() {
    constexpr uint32_t kRows = kBlockBytes / kBytes;
    for (uint32_t begin = first; begin < rows.count; begin += kRows) {
      const uint32_t end = std::min(rows.count, begin + kRows);
      for (uint32_t i = first; i < last && i < end; ++i) {
        for (uint32_t j = std::max(begin, i); j < end; ++j) compare<kBytes>(rows.row(i), rows.row(j));
      }
    }
  }

  // Most pairs are far below the best. 128 bits nearly always show it; 64 would not, and mispredicted branches cost
  // more than they save.
  template <uint32_t kBytes>
  [[gnu::always_inline]] inline void compare(const uint8_t* a, const uint8_t* b) {
    constexpr uint32_t kFirst = kBytes < 16 ? kBytes : 16;
    uint32_t sum = distance<kFirst>(a, b);
    if (sum + 8 * (kBytes - kFirst) <= best) return;
    for (uint32_t at = kFirst; at < kBytes; at += 8) {
      sum += distance<8>(a + at, b + at);
      if (sum + 8 * (kBytes - 8 - at) <= best) return;
    }
    best = sum;
  }
};

template <typename Scan>
[[gnu::always_inline]] inline void run_for_size(Scan& scan) {
  switch (scan.rows.code_bytes) {
    case 8:
      return scan.template run<8>();
    case 16:
      return scan.template run<16>();
    case 32:
      return scan.template run<32>();
    default:
      return scan.template run<64>();
  }
}

#if HUSHBIT_TWO_BUILDS
template <typename Scan>
[[gnu::target("popcnt")]] void run_with_popcnt(Scan& scan) {
  run_for_size(scan);
}
#endif

template <typename Scan>
void run(Scan& scan) {
#if HUSHBIT_TWO_BUILDS
  if (__builtin_cpu_supports("popcnt")) return run_with_popcnt(scan);
#endif
  run_for_size(scan);
}

}  // namespace

void find_nearest(const Rows& rows, const uint8_t* queries, size_t count, Ties* ties) {
  NearestScan scan{rows, queries, count, ties};
  run(scan);
}

uint32_t tied_word(const Rows& rows, const uint8_t* query, const Ties& ties, uint32_t index) {
  if (index < Ties::kKept) return ties.ids[index];
  WordAtDistanceScan scan{rows, query, ties.distance, ties.ids[Ties::kKept - 1] + 1, index - Ties::kKept};
  run(scan);
  return scan.id;
}

void count_distances(const Rows& rows, const uint8_t* query, uint32_t farthest, uint32_t* counts) {
  uint32_t all[kMaxBits + 1];
  CountScan scan{rows, query, all};
  run(scan);
  std::copy_n(all, farthest + 1, counts);
}

uint32_t word_at_distance(const Rows& rows, const uint8_t* query, uint32_t distance, uint32_t index) {
  WordAtDistanceScan scan{rows, query, distance, 0, index};
  run(scan);
  return scan.id;
}

void find_neighbors(const Rows& rows, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances) {
  NeighborScan scan{rows, query, k, ids, distances};
  run(scan);
}

uint32_t find_farthest(const Rows& rows, uint32_t first, uint32_t last, uint32_t floor) {
  FarthestScan scan{rows, first, last, floor};
  run(scan);
  return scan.best;
}

}  // namespace hushbit
