#include "search/search.h"

#include <math.h>
#include <string.h>

#include <algorithm>

#include "base/clean_stack.h"
#include "base/error.h"
#include "search/hamming.h"
#include "search/scan/row_scan.h"
#include "search/scan/tile_rows.h"

namespace hushbit {
namespace {

constexpr size_t kGroupQueries = 64;  // searched together

// What a scan costs in lookups of the hash, from what it reads: a lookup takes as long as comparing this many bytes of
// rows, or as scanning a cluster of this many bytes (tools/bench/search).
constexpr uint64_t kRowBytesPerLookup = 512, kClusterBytesPerLookup = 8192;
constexpr uint32_t kLeastPatience = 64;

uint32_t patience_of(const Codes& codes) {
  const uint64_t bytes = uint64_t{codes.count} * codes.code_bytes;
  const uint64_t lookups = bytes / (codes.clustered ? kClusterBytesPerLookup : kRowBytesPerLookup);
  return static_cast<uint32_t>(std::clamp<uint64_t>(lookups, kLeastPatience, UINT32_MAX));
}

hushbit_status missing(hushbit_error* error, const char* what) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
              "the bundle has no %s to search; export it with --index both, or let the library choose", what);
}

void scan(const Codes& codes, const SearchPlan& plan, const uint8_t* queries, size_t count, Ties* ties,
          SearchWork* work) {
  if (plan.clusters) return find_nearest(codes.tiled, queries, count, ties, work == nullptr ? nullptr : &work->scan);
  if (work != nullptr) work->rows += uint64_t{codes.count} * count;
  return codes.clustered ? find_nearest_by_row(codes.tiled, queries, count, ties)
                         : find_nearest(codes.rows, queries, count, ties);
}

// Returns how many queries the hash gives up, and writes which they are. Not inlined, so that its large scratch memory
// is off the stack before a scan puts its own there.
HUSHBIT_APART size_t try_hash(const Codes& codes, const SearchPlan& plan, const uint8_t* queries, size_t count,
                              Ties* ties, SearchWork* work, uint32_t* given_up) {
  const CodeBlocks blocks = codes.blocks();
  MihScratch scratch;
  size_t left = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t* query = queries + size_t{i} * codes.code_bytes;
    if (!codes.mih.find_nearest(blocks, query, plan.patience, &scratch, &ties[i])) given_up[left++] = i;
  }
  if (work != nullptr) {
    work->mih.add(scratch.work);
    work->fallbacks += left;
  }
  return left;
}

// Takes at most kGroupQueries. Queries that the hash gives up are scanned for together.
void search_by_hash(const Codes& codes, const SearchPlan& plan, const uint8_t* queries, size_t count, Ties* ties,
                    SearchWork* work) {
  uint32_t places[kGroupQueries];
  const size_t left = try_hash(codes, plan, queries, count, ties, work, places);
  if (left == 0) return;
  uint8_t rest[kGroupQueries * kMaxCodeBytes];
  for (size_t i = 0; i < left; ++i) {
    memcpy(rest + i * codes.code_bytes, queries + size_t{places[i]} * codes.code_bytes, codes.code_bytes);
  }
  Ties found[kGroupQueries];
  scan(codes, plan, rest, left, found, work);
  for (size_t i = 0; i < left; ++i) ties[places[i]] = found[i];
}

// Only a damaged bundle has no nearest word, or one that it does not have.
bool sound(const Codes& codes, const Ties& ties) {
  if (ties.count < 1 || ties.count > codes.count) return false;
  for (uint32_t i = 0; i < std::min(ties.count, Ties::kKept); ++i) {
    if (ties.ids[i] >= codes.count) return false;
  }
  return true;
}

}  // namespace

hushbit_status SearchPlan::init(const Codes& codes, uint32_t search, double expected_flips, hushbit_error* error) {
  patience = patience_of(codes);
  clusters = codes.clustered && search != HUSHBIT_SEARCH_ROWS;
  switch (search) {
    case HUSHBIT_SEARCH_AUTO:
      // Where the noise is not known, clusters are never far from the best way; rows are.
      mih = codes.has_mih &&
            (isnan(expected_flips) ? !codes.clustered : expected_flips * Codes::kFlipUnit <= codes.mih_flips);
      return HUSHBIT_OK;
    case HUSHBIT_SEARCH_ROWS:
      mih = false;
      return HUSHBIT_OK;
    case HUSHBIT_SEARCH_CLUSTERS:
      mih = false;
      return clusters ? HUSHBIT_OK : missing(error, "clusters");
    case HUSHBIT_SEARCH_MIH:
      mih = true;
      return codes.has_mih ? HUSHBIT_OK : missing(error, "multi-index hash");
    default:
      return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown search %u", search);
  }
}

bool find_nearest(const Codes& codes, const SearchPlan& plan, const uint8_t* queries, size_t count, Ties* ties,
                  SearchWork* work) {
  bool ok = true;
  for (size_t begin = 0; begin < count; begin += kGroupQueries) {
    const size_t size = std::min(kGroupQueries, count - begin);
    const auto search = plan.mih ? search_by_hash : scan;
    search(codes, plan, queries + begin * codes.code_bytes, size, ties + begin, work);
    for (size_t i = begin; i < begin + size; ++i) ok &= sound(codes, ties[i]);
  }
  return ok;
}

bool tied_word(const Codes& codes, const uint8_t* query, const Ties& ties, uint32_t index, uint32_t* id) {
  *id = codes.clustered ? tied_word(codes.tiled, query, ties, index) : tied_word(codes.rows, query, ties, index);
  return *id < codes.count;
}

bool find_neighbors(const Codes& codes, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances) {
  std::fill_n(ids, k, HUSHBIT_NO_WORD);
  if (codes.clustered) {
    find_neighbors(codes.tiled, query, k, ids, distances);
  } else {
    find_neighbors(codes.rows, query, k, ids, distances);
  }
  return std::all_of(ids, ids + k, [&](uint32_t id) { return id < codes.count; });
}

bool count_distances(const Codes& codes, const uint8_t* query, uint32_t farthest, uint32_t* counts) {
  if (codes.clustered) {
    count_distances(codes.tiled, query, farthest, counts);
  } else {
    count_distances(codes.rows, query, farthest, counts);
  }
  uint64_t words = 0;
  for (uint32_t d = 0; d <= farthest; ++d) words += counts[d];
  return farthest == codes.bits() ? words == codes.count : words <= codes.count;
}

bool word_at_distance(const Codes& codes, const uint8_t* query, uint32_t distance, uint32_t index, uint32_t* id) {
  *id = codes.clustered ? word_at_distance(codes.tiled, query, distance, index)
                        : word_at_distance(codes.rows, query, distance, index);
  return *id < codes.count;
}

uint32_t find_farthest(const Codes& codes, uint32_t first, uint32_t last, uint32_t floor) {
  return codes.clustered ? find_farthest(codes.tiled, first, last, floor)
                         : find_farthest(codes.rows, first, last, floor);
}

}  // namespace hushbit
