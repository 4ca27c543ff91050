// Finding set bits by their rank, many at a time: the inner loop of a lookup in an Elias-Fano code or a group of
// entries.
#ifndef HUSHBIT_BIT_PAIRS_H_
#define HUSHBIT_BIT_PAIRS_H_

#include <stdint.h>

namespace hushbit {

struct BitPair {
  // In: bits [at, end) of `data`, the least significant of a byte first. 8 bytes behind may be loaded.
  const uint8_t* data;
  uint64_t at, end;
  uint32_t rank;
  // Out, if at <= end: the place of the rank-th set bit, counting from 1, or at - 1 for rank 0; and that of the next
  // one. `end` for those that are not there.
  uint64_t first, next;
};

using FindBitPairs = void (*)(BitPair* pairs, uint32_t count);

// Runs on any processor.
void find_bit_pairs(BitPair* pairs, uint32_t count);

// The fastest that this processor runs; all give the same.
FindBitPairs fastest_find_bit_pairs();

}  // namespace hushbit

#endif  // HUSHBIT_BIT_PAIRS_H_
