#include "bundle/bit_reader.h"

#include <string.h>

#include <algorithm>

namespace hushbit {
namespace {

constexpr uint32_t kTableSize = 1u << kMaxCodeLength;

unsigned code_length(const uint8_t* lengths, unsigned symbol) { return lengths[symbol / 2] >> (symbol % 2 * 4) & 15u; }

}  // namespace

bool CodeTable::build(const uint8_t mapped_lengths[128], bool may_be_empty) {
  // A copy: what is checked is what fills the table, also if the file changes meanwhile.
  uint8_t lengths[128];
  memcpy(lengths, mapped_lengths, sizeof(lengths));
  uint32_t filled = 0, symbols = 0;
  for (unsigned symbol = 0; symbol < 256; ++symbol) {
    const unsigned length = code_length(lengths, symbol);
    if (length > kMaxCodeLength) return false;
    if (length == 0) continue;
    filled += kTableSize >> length;
    ++symbols;
  }
  const bool complete = filled == kTableSize && symbols > 1;
  const bool single = filled == kTableSize / 2 && symbols == 1;
  if (!complete && !single && !(symbols == 0 && may_be_empty)) return false;

  // Canonical codes in order fill the table from its start without a gap.
  memset(entries, 0, sizeof(entries));
  uint16_t* next = entries;
  for (unsigned length = 1; length <= kMaxCodeLength; ++length) {
    for (unsigned symbol = 0; symbol < 256; ++symbol) {
      if (code_length(lengths, symbol) != length) continue;
      next = std::fill_n(next, kTableSize >> length, static_cast<uint16_t>(symbol << 4 | length));
    }
  }
  return true;
}

}  // namespace hushbit
