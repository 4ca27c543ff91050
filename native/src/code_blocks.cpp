#include "code_blocks.h"

#include <string.h>

#include <algorithm>

#include "bits.h"
#include "hamming.h"
#include "ties.h"

// The popcount instruction is not part of the x86-64 baseline; there the distances are compiled twice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define HUSHBIT_TWO_BUILDS 1
#endif

namespace hushbit {
namespace {

[[gnu::always_inline]] inline void offer_each(const Codes& rows, const uint8_t* query, uint32_t first, uint32_t end,
                                              Ties* ties) {
  for (uint32_t id = first; id < end; ++id) {
    const uint32_t distance = hamming_distance(rows.row(id), query, rows.code_bytes);
    if (distance <= ties->distance) offer_tie(ties, id, distance);
  }
}

void offer_rows(const void* codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties) {
  offer_each(*static_cast<const Codes*>(codes), query, first, end, ties);
}

#if HUSHBIT_TWO_BUILDS
[[gnu::target("popcnt")]] void offer_rows_with_popcnt(const void* codes, const uint8_t* query, uint32_t first,
                                                      uint32_t end, Ties* ties) {
  offer_each(*static_cast<const Codes*>(codes), query, first, end, ties);
}
#endif

void prefetch_rows(const void* codes, uint32_t first, uint32_t end) {
  const Codes& rows = *static_cast<const Codes*>(codes);
  constexpr uint32_t kLine = 64, kMostLines = 16;
  const uint32_t bytes = std::min((end - first) * rows.code_bytes, kLine * kMostLines);
  for (uint32_t at = 0; at < bytes; at += kLine) prefetch(rows.row(first) + at);
}

void copy_rows(const void* codes, uint32_t first, uint32_t end, uint8_t* out) {
  const Codes& rows = *static_cast<const Codes*>(codes);
  memcpy(out, rows.row(first), size_t{end - first} * rows.code_bytes);
}

}  // namespace

CodeBlocks blocks_of(const Codes& rows) {
  CodeBlocks blocks = {&rows, rows.count, rows.code_bytes, offer_rows, prefetch_rows, copy_rows};
#if HUSHBIT_TWO_BUILDS
  if (__builtin_cpu_supports("popcnt")) blocks.offer = offer_rows_with_popcnt;
#endif
  return blocks;
}

}  // namespace hushbit
