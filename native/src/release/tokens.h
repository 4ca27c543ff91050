// Going through the tokens of a text, and how they are spelled.
#ifndef HUSHBIT_TOKENS_H_
#define HUSHBIT_TOKENS_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/error.h"
#include "base/utf8.h"
#include "bundle/bundle.h"
#include "bundle/spellings.h"
#include "hushbit/hushbit.h"
#include "text/tokenizer.h"

namespace hushbit {

inline hushbit_status damaged_words(hushbit_error* error) {
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's words are damaged; download it again");
}

inline hushbit_status check_utf8(std::span<const uint8_t> text, hushbit_error* error) {
  const size_t invalid = first_invalid_utf8(text.data(), text.size());
  if (invalid == text.size()) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_TEXT, invalid, "the text is not UTF-8 at byte %llu; nothing was released",
              static_cast<unsigned long long>(invalid));
}

// Calls `take`, which returns a status, for each token in order. `spellings` may be null. Fails with INVALID_TEXT,
// before any token, with CORRUPT_BUNDLE, or as `take` does.
template <typename Take>
hushbit_status visit_tokens(const Bundle& bundle, const Spellings* spellings, std::span<const uint8_t> text,
                            hushbit_error* error, Take take) {
  const hushbit_status valid = check_utf8(text, error);
  if (valid != HUSHBIT_OK) return valid;
  Tokenizer tokenizer(bundle.vocabulary(), text, bundle.long_numbers(), spellings);
  for (;;) {
    hushbit_token token = {};
    bool found = false;
    hushbit_status status = tokenizer.next(&token, &found, error);
    if (status != HUSHBIT_OK || !found) return status;
    status = take(token);
    if (status != HUSHBIT_OK) return status;
  }
}

// Whether a token is treated as a word under a hushbit_punctuation_policy.
inline bool is_word_like(const hushbit_token& token, uint32_t punctuation) {
  return token.kind != HUSHBIT_TOKEN_PUNCTUATION || punctuation == HUSHBIT_PUNCTUATION_PRIVATIZE;
}

// A token as it was typed.
inline std::span<const uint8_t> typed(const hushbit_token& token, std::span<const uint8_t> text) {
  return text.subspan(static_cast<size_t>(token.byte_begin), static_cast<size_t>(token.byte_end - token.byte_begin));
}

// The word of an id, perhaps in `buffer`, which has room for kMaxWordBytes; empty if the bundle is damaged there.
inline std::span<const uint8_t> spell(const Bundle& bundle, const Spellings& spellings, uint32_t id, uint8_t* buffer) {
  const std::span<const uint8_t> spelled = spellings.word(id);
  return spelled.empty() ? std::span<const uint8_t>(buffer, bundle.vocabulary().word(id, buffer)) : spelled;
}

}  // namespace hushbit

#endif  // HUSHBIT_TOKENS_H_
