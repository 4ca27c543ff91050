// Values that an app gives: answers, screens, categories.
#ifndef HUSHBIT_VALUE_LIST_H_
#define HUSHBIT_VALUE_LIST_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"
#include "hushbit/hushbit.h"

namespace hushbit {

class ValueList {
 public:
  // One value a line, in UTF-8, the last line with an end or without; copied. INVALID_ARGUMENT for a line that is
  // empty, not UTF-8, or there twice, and for more than `most` lines. OUT_OF_MEMORY.
  hushbit_status init(std::span<const uint8_t> lines, uint32_t most, hushbit_error* error);

  uint32_t count() const { return starts_.size() == 0 ? 0 : static_cast<uint32_t>(starts_.size() - 1); }
  // Returns the value of `index` < count().
  std::span<const uint8_t> value(uint32_t index) const;
  uint32_t longest() const { return longest_; }
  // The index of a value, or count().
  uint32_t find(std::span<const uint8_t> value) const;

 private:
  hushbit_status add(std::span<const uint8_t> line, uint32_t number, hushbit_error* error);
  size_t slot_of(std::span<const uint8_t> value) const;

  Buffer<uint8_t> bytes_;
  Buffer<uint32_t> starts_;
  Buffer<uint32_t> slots_;  // a table with open addressing: 0 for none, or an index + 1
  uint32_t longest_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_VALUE_LIST_H_
