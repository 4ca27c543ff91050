// The public directions of which embeddings are drawn, made from a seed so that they take no space in a bundle.
#ifndef HUSHBIT_DIRECTIONS_H_
#define HUSHBIT_DIRECTIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

namespace hushbit {

// K vectors of d numbers, each 1 or -1. Number i of direction j is 1 if bit j * d + i of the ChaCha20 keystream (nonce
// 0, from block 0) is set. The bits of a byte are counted from the least significant. The key of the stream is
//   SHA-256("hushbit directions 1\0" ‖ d u32 ‖ K u32 ‖ seed u64), integers little-endian.
class Directions {
 public:
  // Makes the directions. d is a multiple of 8, at most 64. Returns false if there is no memory.
  [[nodiscard]] bool init(uint32_t dimensions, uint32_t count, uint64_t seed);

  uint32_t dimensions() const { return bytes_ * 8; }
  uint32_t count() const { return count_; }
  // The signs of all directions, a row of d / 8 bytes for each.
  const uint8_t* rows() const { return rows_.data(); }
  uint32_t row_bytes() const { return bytes_; }
  // The row of direction `index` as a number.
  uint64_t signs(uint32_t index) const;

 private:
  uint32_t bytes_ = 0;
  uint32_t count_ = 0;
  Buffer<uint8_t> rows_;
};

}  // namespace hushbit

#endif  // HUSHBIT_DIRECTIONS_H_
