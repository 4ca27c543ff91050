// The inner loops of the tiled search, one set for each kind of processor. All sets give the same answers, bit for bit.
#ifndef HUSHBIT_KERNELS_H_
#define HUSHBIT_KERNELS_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "search/hamming.h"

namespace hushbit {

// A tile holds 512 words, plane by plane: bit w of a plane of 64 bytes belongs to word w.
inline constexpr uint32_t kTileWords = 512;
inline constexpr uint32_t kPlaneBytes = kTileWords / 8;
// Words are handled in groups, each in the same 64-bit lane of every plane.
inline constexpr uint32_t kGroupWords = 64;
inline constexpr uint32_t kTileGroups = kTileWords / kGroupWords;

// Asks for memory that is wanted soon. Any address will do.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 0, 3);
#else
  (void)address;
#endif
}

// Says which planes of a tile to count, and how far.
struct TileScan {
  const uint8_t* tile;
  const uint16_t* planes;  // offsets of the planes in the tile
  uint32_t count;          // of planes, at most kMaxBits
  // A word is out if twice the number of its ones is more than `budget` + the weight of its group. Weights are 16 bits
  // each, at most kMaxBits; the budget is from -kMaxBits - 1 to kUnlimited.
  const uint8_t* weights;
  int32_t budget;
  const uint8_t* ahead;  // if not null, a tile whose same planes are wanted next

  static constexpr int32_t kUnlimited = 2 * kMaxBits;  // no word is out
};

// The words that are not out: how many ones each has, as binary numbers, bit j of all of them in counters[j].
struct TileHits {
  static constexpr uint32_t kBits = 10;
  uint32_t planes;  // read until all words were out, or all of them; the same for every set of kernels
  uint64_t alive[kTileGroups];
  uint64_t counters[kBits][kTileGroups];
  uint32_t bits;                // of the counters that are set
  uint16_t start[kTileGroups];  // what the counters of each group began with

  uint32_t ones(uint32_t word) const {
    uint32_t sum = 0;
    for (uint32_t j = 0; j < bits; ++j) {
      sum |= static_cast<uint32_t>(counters[j][word / kGroupWords] >> (word % kGroupWords) & 1) << j;
    }
    return sum - start[word / kGroupWords];
  }
};

// The order in which the planes of a tile hold the bits of a code. Bit j of `high` is bit 8 of the j-th number; null if
// no number needs it.
struct PlaneOrder {
  const uint8_t* low;
  const uint8_t* high;

  uint32_t bit(uint32_t plane) const {
    return low[plane] | (high == nullptr ? 0u : (high[plane / 8] >> (plane % 8) & 1u) << 8);
  }
};

struct Kernels {
  const char* name;
  // The number of words that are not out; but for `planes`, `hits` is set only if there are any.
  uint32_t (*scan_tile)(const TileScan& scan, TileHits* hits);
  // Sets bit j of `mask` (bits / 8 bytes) if the bit of plane j is 0 in `code`.
  void (*zero_planes)(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask);
  // The Hamming distances of `query` to `count` codes, at least one, that are `stride` bytes apart. Returns the least.
  uint32_t (*distances)(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint32_t code_bytes,
                        uint16_t* distances);
};

// What this processor can run, the fastest first; the last is portable.
std::span<const Kernels* const> supported_kernels();

// The fastest.
const Kernels& best_kernels();

}  // namespace hushbit

#endif  // HUSHBIT_KERNELS_H_
