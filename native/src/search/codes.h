// The codes of a bundle in whichever layout it has, and the index over them.
#ifndef HUSHBIT_CODES_H_
#define HUSHBIT_CODES_H_

#include <stddef.h>
#include <stdint.h>

#include "search/mih/code_blocks.h"
#include "search/mih/mih.h"
#include "search/scan/rows.h"
#include "search/scan/tiled_codes.h"

namespace hushbit {

struct Codes {
  uint32_t count = 0;
  uint32_t code_bytes = 0;  // of one code: 8, 16, 32 or 64
  bool clustered = false;   // which of the two layouts holds them
  Rows rows;
  TiledCodes tiled;
  bool has_mih = false;
  Mih mih;
  // The largest expected number of flipped bits at which the hash is tried first, in 1 / kFlipUnit of a bit.
  uint32_t mih_flips = 0;

  static constexpr uint32_t kFlipUnit = 256;

  Codes() = default;
  explicit Codes(const Rows& of) : count(of.count), code_bytes(of.code_bytes), rows(of) {}

  uint32_t bits() const { return code_bytes * 8; }

  CodeBlocks blocks() const { return clustered ? blocks_of(tiled) : blocks_of(rows); }

  // Copies the code of the word `id` < count to `code`. False if the bundle is damaged there.
  bool copy(uint32_t id, uint8_t* code) const;
  // Copies all codes, a row of code_bytes for each id in order: much faster than one by one. False as above.
  bool copy_all(uint8_t* codes) const;
};

}  // namespace hushbit

#endif  // HUSHBIT_CODES_H_
