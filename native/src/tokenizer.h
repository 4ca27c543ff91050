// Text → tokens with offsets. The definition is in docs/tokenizer.md.
#ifndef HUSHBIT_TOKENIZER_H_
#define HUSHBIT_TOKENIZER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "hushbit/hushbit.h"
#include "vocabulary.h"

namespace hushbit {

class Tokenizer {
 public:
  Tokenizer(const Vocabulary& vocabulary, std::span<const uint8_t> text) : vocabulary_(vocabulary), text_(text) {}

  // Fills kind, word, byte and utf16 ranges of the next token and sets `*found`; at the end of the text `*found` is
  // false. Fails with INVALID_UTF8 or CORRUPT_BUNDLE. No heap memory.
  hushbit_status next(hushbit_token* token, bool* found, hushbit_error* error);

 private:
  const Vocabulary& vocabulary_;
  std::span<const uint8_t> text_;
  uint64_t byte_ = 0;   // where the next token is looked for
  uint64_t utf16_ = 0;  // the same in UTF-16 code units
  // (private members are the implementer's to add)
};

}  // namespace hushbit

#endif  // HUSHBIT_TOKENIZER_H_
