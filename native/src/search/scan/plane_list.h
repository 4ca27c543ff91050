// Turns a mask of planes into a list of where they are in a tile.
#ifndef HUSHBIT_PLANE_LIST_H_
#define HUSHBIT_PLANE_LIST_H_

#include <stdint.h>
#include <string.h>

#include <array>

#include "search/kernels/kernels.h"

namespace hushbit {

// Room for a list: it is written eight at a time.
constexpr uint32_t plane_list_size(uint32_t bits) { return bits + 8; }

namespace internal {

struct EightPlanes {
  uint16_t offsets[8];
  uint32_t count;
};

// The offsets of the planes whose bits are set in a byte, for every byte.
inline constexpr std::array<EightPlanes, 256> kPlanesOfByte = [] {
  std::array<EightPlanes, 256> table = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table[byte].offsets[count++] = static_cast<uint16_t>(bit * kPlaneBytes);
    }
    table[byte].count = count;
  }
  return table;
}();

}  // namespace internal

// Writes the offsets of the planes in `mask` (bits / 8 bytes), ascending, to `planes`, which has room for
// plane_list_size(bits), and returns how many there are. A loop over
// the set bits would cost as much as counting the planes themselves; a table lookup for each byte does not.
inline uint32_t list_planes(const uint8_t* mask, uint32_t bits, uint16_t* planes) {
  constexpr uint64_t kOneInEach = 0x0001000100010001;
  uint32_t count = 0;
  for (uint32_t i = 0; i < bits / 8; ++i) {
    uint64_t offsets[2];
    const internal::EightPlanes& found = internal::kPlanesOfByte[mask[i]];
    memcpy(offsets, found.offsets, sizeof(offsets));
    const uint64_t base = kOneInEach * (i * 8 * kPlaneBytes);  // four offsets at once: no sum exceeds 16 bits
    offsets[0] += base;
    offsets[1] += base;
    memcpy(planes + count, offsets, sizeof(offsets));
    count += found.count;
  }
  return count;
}

}  // namespace hushbit

#endif  // HUSHBIT_PLANE_LIST_H_
