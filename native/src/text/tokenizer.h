// Text → tokens with offsets. The definition is in docs/tokenizer.md.
#ifndef HUSHBIT_TOKENIZER_H_
#define HUSHBIT_TOKENIZER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "bundle/vocabulary.h"
#include "hushbit/hushbit.h"
#include "text/text_window.h"

namespace hushbit {

// About 4 KiB, meant for the stack.
class Tokenizer {
 public:
  // Keeps both; they must outlive it.
  Tokenizer(const Vocabulary& vocabulary, std::span<const uint8_t> text);

  // Fills kind, word, byte and utf16 ranges of the next token and sets `*found`; at the end of the text `*found` is
  // false. Fails with INVALID_UTF8, perhaps before the tokens in front of the bad byte were returned, or with
  // CORRUPT_BUNDLE; then it must not be called again. No heap memory.
  hushbit_status next(hushbit_token* token, bool* found, hushbit_error* error);

 private:
  // What a candidate turned out to be. No units: nothing fits.
  struct Match {
    size_t units = 0;
    uint32_t word = HUSHBIT_NO_WORD;
    size_t contraction_units = 0;  // that follow
    uint32_t contraction = HUSHBIT_NO_WORD;
  };
  struct Search;

  // These return false if the vocabulary is damaged.
  bool match(Match* match);
  bool match_word(Search* search);
  bool match_contraction(Search* search);
  bool locate(Search* search, size_t form_bytes, Vocabulary::Position* position);

  void take_units(size_t units, uint32_t word, hushbit_token* token);
  // False on invalid UTF-8.
  bool take_unknown(hushbit_token* token);

  const Vocabulary& vocabulary_;
  TextWindow window_;
  size_t contraction_units_ = 0;  // at the front of the window, already decided
  uint32_t contraction_ = HUSHBIT_NO_WORD;
};

}  // namespace hushbit

#endif  // HUSHBIT_TOKENIZER_H_
