// The spellings of the output words, in memory: most words of a text are among them, and all that comes out is. Finding
// one here takes a small part of the time that the `words` section takes.
#ifndef HUSHBIT_SPELLINGS_H_
#define HUSHBIT_SPELLINGS_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"
#include "bundle/outputs.h"
#include "bundle/vocabulary.h"
#include "hushbit/hushbit.h"

namespace hushbit {

class Spellings {
 public:
  // More output words are left to the `words` section: for so many the memory is 250 KB or less, at 7 bytes a word.
  static constexpr uint32_t kMostWords = 16384;

  // Reads all words. OUT_OF_MEMORY, or CORRUPT_BUNDLE. Both must outlive the spellings.
  hushbit_status init(const Vocabulary& vocabulary, const Outputs& outputs, hushbit_error* error);

  // The id of a word if it is here, else HUSHBIT_NO_WORD.
  uint32_t find(std::span<const uint8_t> word) const;
  // The word of an id if it is here, else empty.
  std::span<const uint8_t> word(uint32_t id) const;

 private:
  std::span<const uint8_t> spelling(uint32_t index) const {
    return {bytes_.data() + starts_[index], starts_[index + 1] - starts_[index]};
  }

  const Outputs* outputs_ = nullptr;
  Buffer<uint8_t> bytes_;
  Buffer<uint32_t> starts_;
  Buffer<uint16_t> slots_;  // a table with open addressing: 0 for none, or an index + 1
};

}  // namespace hushbit

#endif  // HUSHBIT_SPELLINGS_H_
