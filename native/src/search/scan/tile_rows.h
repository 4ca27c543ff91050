// The row scan over tiles: each is turned back into rows first. Slow; to check the others against, and to search in a
// bundle as if it had no clusters.
#ifndef HUSHBIT_TILE_ROWS_H_
#define HUSHBIT_TILE_ROWS_H_

#include <stddef.h>
#include <stdint.h>

#include "search/scan/cluster_scan.h"

namespace hushbit {

// Does what find_nearest of row_scan.h does.
void find_nearest_by_row(const TiledCodes& codes, const uint8_t* queries, size_t count, Ties* ties);

}  // namespace hushbit

#endif  // HUSHBIT_TILE_ROWS_H_
