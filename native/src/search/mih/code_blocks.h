// The seam between the multi-index hash and the layout of the codes. A search names words by *position*, the place of a
// word in that layout, and reads them by *block*: 1 to 64 positions, a power of two, from a multiple of it on.
#ifndef HUSHBIT_CODE_BLOCKS_H_
#define HUSHBIT_CODE_BLOCKS_H_

#include <stdint.h>

#include "search/scan/rows.h"
#include "search/ties.h"

namespace hushbit {

struct TiledCodes;

inline constexpr uint32_t kMaxBlockWords = 64;

struct CodeBlocks {
  const void* codes;
  uint32_t count;  // of words
  uint32_t code_bytes;
  // Offers the words at positions [first, end), inside one block, to `ties`, by their ids.
  void (*offer)(const void* codes, const uint8_t* query, uint32_t first, uint32_t end, Ties* ties);
  // Asks for the memory that `offer` will read first.
  void (*prefetch)(const void* codes, uint32_t first, uint32_t end);
  // Copies their codes, as rows.
  void (*copy)(const void* codes, uint32_t first, uint32_t end, uint8_t* rows);
};

// Codes as rows: the position of a word is its id. The codes must outlive what is returned; so below.
CodeBlocks blocks_of(const Rows& rows);
CodeBlocks blocks_of(const TiledCodes& tiled);

}  // namespace hushbit

#endif  // HUSHBIT_CODE_BLOCKS_H_
