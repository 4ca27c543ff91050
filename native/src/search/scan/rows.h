// Codes as rows, one after another.
#ifndef HUSHBIT_ROWS_H_
#define HUSHBIT_ROWS_H_

#include <stddef.h>
#include <stdint.h>

#include "search/kernels/kernels.h"

namespace hushbit {

struct Rows {
  const uint8_t* rows = nullptr;
  uint32_t count = 0;
  uint32_t code_bytes = 0;  // of one row: 8, 16, 32 or 64
  const Kernels* kernels = &best_kernels();

  const uint8_t* row(uint32_t id) const { return rows + static_cast<size_t>(id) * code_bytes; }

  // The distances of rows [first, end), as Kernels::distances gives them.
  uint32_t distances(uint32_t first, uint32_t end, const uint8_t* query, uint16_t* distances) const {
    return kernels->distances(row(first), code_bytes, end - first, query, code_bytes, distances);
  }
};

}  // namespace hushbit

#endif  // HUSHBIT_ROWS_H_
