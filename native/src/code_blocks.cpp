#include "code_blocks.h"

#include <string.h>

#include <algorithm>

#include "bits.h"
#include "kernels.h"
#include "ties.h"

namespace hushbit {
namespace {

void offer_rows(const void* codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties) {
  const Codes& rows = *static_cast<const Codes*>(codes);
  uint16_t distances[kMaxBlockWords];
  best_kernels().distances(rows.row(first), rows.code_bytes, end - first, query, rows.code_bytes, distances);
  for (uint32_t id = first; id < end; ++id) {
    if (distances[id - first] <= ties->distance) offer_tie(ties, id, distances[id - first]);
  }
}

void prefetch_rows(const void* codes, uint32_t first, uint32_t end) {
  const Codes& rows = *static_cast<const Codes*>(codes);
  constexpr uint32_t kLine = 64, kMostLines = 16;  // the processor itself goes on from there
  const uint32_t bytes = std::min((end - first) * rows.code_bytes, kLine * kMostLines);
  for (uint32_t at = 0; at < bytes; at += kLine) prefetch(rows.row(first) + at);
}

void copy_rows(const void* codes, uint32_t first, uint32_t end, uint8_t* out) {
  const Codes& rows = *static_cast<const Codes*>(codes);
  memcpy(out, rows.row(first), size_t{end - first} * rows.code_bytes);
}

}  // namespace

CodeBlocks blocks_of(const Codes& rows) {
  return {&rows, rows.count, rows.code_bytes, offer_rows, prefetch_rows, copy_rows};
}

}  // namespace hushbit
