#include "search/scan/tile_rows.h"

#include <algorithm>

#include "search/hamming.h"

namespace hushbit {

void find_nearest_by_row(const TiledCodes& codes, const uint8_t* queries, size_t count, Ties* ties) {
  const uint32_t code_bytes = codes.tiles.code_bytes(), words = codes.tiles.words();
  for (size_t q = 0; q < count; ++q) clear_ties(&ties[q]);
  for (uint32_t first = 0; first < words; first += kTileWords) {
    const uint32_t end = std::min(words, first + kTileWords);
    uint8_t rows[kTileWords * kMaxCodeBytes];
    codes.tiles.copy(first, end, rows);
    for (size_t q = 0; q < count; ++q) {
      uint16_t distances[kTileWords];
      const uint32_t least =
          codes.kernels->distances(rows, code_bytes, end - first, queries + q * code_bytes, code_bytes, distances);
      offer_nearest(&ties[q], distances, end - first, least, [&](uint32_t i) { return codes.order.id(first + i); });
    }
  }
}

}  // namespace hushbit
