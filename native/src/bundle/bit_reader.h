// Huffman-coded bits: tables of canonical codes, and a reader that stays inside its range whatever the bits are.
#ifndef HUSHBIT_BIT_READER_H_
#define HUSHBIT_BIT_READER_H_

#include <stdint.h>

#include "base/bytes.h"

namespace hushbit {

inline constexpr unsigned kMaxCodeLength = 12;

struct CodeTable {
  // For each run of kMaxCodeLength bits, the symbol of the code it starts with << 4 | the code's length; 0 if none.
  uint16_t entries[1u << kMaxCodeLength];

  // `lengths` are 256 code lengths of 4 bits. False if they are not a complete code, where a code without symbols
  // counts as complete if `may_be_empty`.
  bool build(const uint8_t lengths[128], bool may_be_empty);
};

class BitReader {
 public:
  // Reads the bits [begin, end) of `payload`, behind whose last byte 8 more bytes may be loaded.
  BitReader() = default;
  BitReader(const uint8_t* payload, uint64_t begin, uint64_t end) : payload_(payload), position_(begin), end_(end) {}

  uint64_t position() const { return position_; }
  uint64_t end() const { return end_; }

  // Decodes a symbol; false if no code begins here or it would run past the end. Each success consumes a bit at least.
  bool read(const CodeTable& table, uint8_t* symbol) {
    if (loaded_ < kMaxCodeLength) load();
    const unsigned entry = table.entries[window_ >> (64 - kMaxCodeLength)];
    const unsigned length = entry & 15;
    if (length == 0 || length > end_ - position_) return false;
    window_ <<= length;
    loaded_ -= length;
    position_ += length;
    *symbol = static_cast<uint8_t>(entry >> 4);
    return true;
  }

 private:
  void load() {
    window_ = load_be64(payload_ + position_ / 8) << (position_ % 8);
    loaded_ = 64 - static_cast<unsigned>(position_ % 8);
  }

  const uint8_t* payload_ = nullptr;
  uint64_t position_ = 0;
  uint64_t end_ = 0;
  uint64_t window_ = 0;  // the bits from position_ on, from the most significant on
  unsigned loaded_ = 0;  // how many of them are there
};

}  // namespace hushbit

#endif  // HUSHBIT_BIT_READER_H_
