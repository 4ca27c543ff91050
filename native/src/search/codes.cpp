#include "search/codes.h"

#include <string.h>

#include <algorithm>

#include "search/hamming.h"

namespace hushbit {

bool Codes::copy(uint32_t id, uint8_t* code) const {
  if (!clustered) {
    memcpy(code, rows.row(id), code_bytes);
    return true;
  }
  const uint32_t position = tiled.order.position(id);
  if (position == HUSHBIT_NO_WORD) return false;
  tiled.tiles.copy(position, position + 1, code);
  return true;
}

bool Codes::copy_all(uint8_t* codes) const {
  if (!clustered) {
    memcpy(codes, rows.rows, size_t{count} * code_bytes);
    return true;
  }
  constexpr uint32_t kGroup = 64;
  uint8_t group[kGroup * kMaxCodeBytes];
  for (uint32_t first = 0; first < count; first += kGroup) {
    const uint32_t end = std::min(count, first + kGroup);
    tiled.tiles.copy(first, end, group);
    for (uint32_t position = first; position < end; ++position) {
      const uint32_t id = tiled.order.id(position);
      if (id == HUSHBIT_NO_WORD) return false;
      memcpy(codes + size_t{id} * code_bytes, group + size_t{position - first} * code_bytes, code_bytes);
    }
  }
  return true;
}

}  // namespace hushbit
