// Codes as rows, one after another.
#ifndef HUSHBIT_ROWS_H_
#define HUSHBIT_ROWS_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

struct Rows {
  const uint8_t* rows = nullptr;
  uint32_t count = 0;
  uint32_t code_bytes = 0;  // of one row: 8, 16, 32 or 64

  const uint8_t* row(uint32_t id) const { return rows + static_cast<size_t>(id) * code_bytes; }
};

}  // namespace hushbit

#endif  // HUSHBIT_ROWS_H_
