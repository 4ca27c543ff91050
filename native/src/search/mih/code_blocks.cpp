#include "search/mih/code_blocks.h"

#include <string.h>

#include <algorithm>

#include "base/bits.h"
#include "search/kernels/kernels.h"
#include "search/scan/cluster_scan.h"
#include "search/ties.h"

namespace hushbit {
namespace {

void offer_rows(const void* codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties) {
  const Rows& rows = *static_cast<const Rows*>(codes);
  uint16_t distances[kMaxBlockWords];
  const uint32_t least = rows.distances(first, end, query, distances);
  offer_nearest(ties, distances, end - first, least, [&](uint32_t i) { return first + i; });
}

void prefetch_rows(const void* codes, uint32_t first, uint32_t end) {
  const Rows& rows = *static_cast<const Rows*>(codes);
  constexpr uint32_t kLine = 64, kMostLines = 16;  // the processor itself goes on from there
  const uint32_t bytes = std::min((end - first) * rows.code_bytes, kLine * kMostLines);
  for (uint32_t at = 0; at < bytes; at += kLine) prefetch(rows.row(first) + at);
}

void copy_rows(const void* codes, uint32_t first, uint32_t end, uint8_t* out) {
  const Rows& rows = *static_cast<const Rows*>(codes);
  memcpy(out, rows.row(first), size_t{end - first} * rows.code_bytes);
}

void offer_tiled(const void* codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties) {
  offer_positions(*static_cast<const TiledCodes*>(codes), query, first, end, ties);
}

// The planes that have the most ones come first, and about half of them are read.
void prefetch_tiled(const void* codes, uint32_t first, uint32_t end) {
  (void)end;
  constexpr uint32_t kMostPlanes = 160;
  const Tiles& tiles = static_cast<const TiledCodes*>(codes)->tiles;
  const uint8_t* at = tiles.tile(first / kTileWords) + first % kTileWords / 8;
  for (uint32_t plane = 0; plane < std::min(tiles.bits(), kMostPlanes); ++plane) prefetch(at + plane * kPlaneBytes);
}

void copy_tiled(const void* codes, uint32_t first, uint32_t end, uint8_t* rows) {
  static_cast<const TiledCodes*>(codes)->tiles.copy(first, end, rows);
}

}  // namespace

CodeBlocks blocks_of(const Rows& rows) {
  return {&rows, rows.count, rows.code_bytes, offer_rows, prefetch_rows, copy_rows};
}

CodeBlocks blocks_of(const TiledCodes& tiled) {
  return {&tiled, tiled.tiles.words(), tiled.tiles.code_bytes(), offer_tiled, prefetch_tiled, copy_tiled};
}

}  // namespace hushbit
