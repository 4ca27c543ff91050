// Text → tokens with offsets. The definition is in docs/tokenizer.md.
#ifndef HUSHBIT_TOKENIZER_H_
#define HUSHBIT_TOKENIZER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "bundle/spellings.h"
#include "bundle/vocabulary.h"
#include "hushbit/hushbit.h"
#include "text/text_window.h"

namespace hushbit {

// A token with so many decimal digits, of any script, is a number that may point at somebody. It is unknown by default.
inline constexpr size_t kLongNumberDigits = 4;

// About 4 KiB, meant for the stack.
class Tokenizer {
 public:
  // Keeps all; they must outlive it. Without `long_numbers`, words with so many digits count as if there were none.
  // `spellings`, which may be null, find words of the vocabulary faster, and the same ones.
  Tokenizer(const Vocabulary& vocabulary, std::span<const uint8_t> text, bool long_numbers = false,
            const Spellings* spellings = nullptr);

  // Fills kind, word, byte and utf16 ranges of the next token and sets `*found`; at the end of the text `*found` is
  // false. Fails with INVALID_TEXT, perhaps before the tokens in front of the bad byte were returned, or with
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
  Vocabulary::Position look_up(std::span<const uint8_t> form) const;

  bool may_be_word(const Search& search, size_t units) const;

  void take_units(size_t units, uint32_t word, hushbit_token* token);
  hushbit_status take_unknown(hushbit_token* token, hushbit_error* error);
  bool take_unknown_run(bool* sound);
  bool skip_unit();
  hushbit_status invalid(hushbit_error* error) const;

  const Vocabulary& vocabulary_;
  TextWindow window_;
  const bool long_numbers_;
  const Spellings* spellings_;
  size_t contraction_units_ = 0;  // at the front of the window, already decided
  uint32_t contraction_ = HUSHBIT_NO_WORD;
};

}  // namespace hushbit

#endif  // HUSHBIT_TOKENIZER_H_
