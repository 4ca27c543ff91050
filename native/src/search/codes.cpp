#include "search/codes.h"

#include <string.h>

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

}  // namespace hushbit
