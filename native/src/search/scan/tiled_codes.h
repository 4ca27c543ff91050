// All that a search over the clustered layout (tiles.h) needs of it.
#ifndef HUSHBIT_TILED_CODES_H_
#define HUSHBIT_TILED_CODES_H_

#include "search/kernels/kernels.h"
#include "search/order.h"
#include "search/scan/tiles.h"

namespace hushbit {

struct TiledCodes {
  Tiles tiles;
  Order order;  // the words of the layout stand in an order of their own
  const Kernels* kernels = &best_kernels();
};

}  // namespace hushbit

#endif  // HUSHBIT_TILED_CODES_H_
