// The `order` section: the clustered layout puts words at *positions* of its own; this maps positions to ids and back.
//
// Ids are listed by position in as many bits as they need. The way back follows the permutation: from x to the id at
// position x, to the id at that position, and so on, which returns to where it began. Every few steps along a long
// cycle a shortcut leads some steps back, so that the position that holds an id is never far (Munro, Raman, Raman and
// Rao, "Succinct representations of permutations", 2003).
#ifndef HUSHBIT_ORDER_H_
#define HUSHBIT_ORDER_H_

#include <stdint.h>

#include <span>

#include "base/bytes.h"
#include "hushbit/hushbit.h"

namespace hushbit {

class Order {
 public:
  // Checks lengths and touches no bulk page. `section_offset` is where the section stands in the bundle, for messages.
  hushbit_status open(std::span<const uint8_t> section, uint64_t section_offset, uint32_t words, hushbit_error* error);

  uint32_t size() const { return words_; }

  // The word at `position` < size(): below size() too, or HUSHBIT_NO_WORD if the section is damaged there.
  uint32_t id(uint32_t position) const {
    const uint32_t id = packed(ids_, position);
    return id < words_ ? id : HUSHBIT_NO_WORD;
  }

  // Where the word `id` < size() is: below size() too, or HUSHBIT_NO_WORD if the section is damaged.
  uint32_t position(uint32_t id) const;

  // Reads everything: a permutation, which every way back undoes, and nothing besides.
  hushbit_status verify(hushbit_error* error) const;

 private:
  uint32_t packed(const uint8_t* numbers, uint32_t index) const {
    const uint64_t bit = uint64_t{index} * width_;
    return static_cast<uint32_t>(load_le64(numbers + bit / 8) >> (bit % 8) & mask_);
  }
  uint32_t shortcut_at(uint32_t position) const;
  bool padding_is_zero() const;
  bool marks_fit() const;

  uint64_t section_offset_ = 0;
  uint32_t words_ = 0;
  uint32_t step_ = 0;
  uint32_t shortcut_count_ = 0;
  uint32_t width_ = 0;  // bits of a number
  uint64_t mask_ = 0;
  const uint8_t* ids_ = nullptr;
  const uint8_t* marks_ = nullptr;      // one bit a position: a shortcut begins there
  const uint8_t* ranks_ = nullptr;      // how many marks stand before each group of kGroupBits
  const uint8_t* shortcuts_ = nullptr;  // where they lead, in the order of the marks
};

}  // namespace hushbit

#endif  // HUSHBIT_ORDER_H_
