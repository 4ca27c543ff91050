// A word that is spelled in letters: what reports of new words are about.
#ifndef HUSHBIT_LETTERS_H_
#define HUSHBIT_LETTERS_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/random.h"

namespace hushbit {

// The normal form of a word of 2 to 24 letters (docs/tokenizer.md), which may be of any script. Meant for the stack;
// wiped with it.
class Letters {
 public:
  static constexpr uint32_t kFewest = 2, kMost = 24;

  Letters() = default;
  ~Letters() { wipe(bytes_, sizeof(bytes_)); }
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  // Takes a token as it was typed. False if it is not such a word: if it has a digit, or anything else that is no
  // letter or mark, or too few or too many letters, which are code points here.
  bool take(std::span<const uint8_t> typed);

  uint32_t count() const { return count_; }
  // The first `letters` <= count() of them, in UTF-8.
  std::span<const uint8_t> first(uint32_t letters) const { return {bytes_, ends_[letters]}; }

 private:
  bool add(std::span<const uint8_t> form);

  uint32_t count_ = 0;
  uint8_t bytes_[kMost * 4];
  uint8_t ends_[kMost + 1] = {};  // of so many letters, in bytes
};

}  // namespace hushbit

#endif  // HUSHBIT_LETTERS_H_
