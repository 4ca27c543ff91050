// Texts through the tokenizer, with vocabularies as small as a test needs them, and a short notation for what came out.
#ifndef HUSHBIT_TESTS_TOKENIZED_H_
#define HUSHBIT_TESTS_TOKENIZED_H_

#include <stdint.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "bundle_builder.h"
#include "check.h"
#include "text/tokenizer.h"

namespace hushbit::testing {

// The section of sorted words in blocks of four.
inline Bytes section_of(const std::vector<std::string>& words) {
  size_t longest = 0;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  return build_words_section(
      {.words = front_code(words, 4), .block_words = 4, .longest = static_cast<uint32_t>(longest)});
}

// A vocabulary of its own, as small as a test needs it.
class Words {
 public:
  explicit Words(std::vector<std::string> words) {
    std::sort(words.begin(), words.end());
    section_ = section_of(words);
    CHECK_EQ(vocabulary_->open(section_, 0, static_cast<uint32_t>(words.size()), nullptr), HUSHBIT_OK);
    words_ = std::move(words);
  }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::string& operator[](uint32_t id) const { return words_[id]; }

 private:
  std::vector<std::string> words_;
  Bytes section_;
  std::unique_ptr<Vocabulary> vocabulary_ = std::make_unique<Vocabulary>();
};

inline std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// An owned copy without room behind it, so that the sanitizer sees a read past the end.
inline std::vector<hushbit_token> tokenize(const Words& words, std::string_view text,
                                           hushbit_status expected = HUSHBIT_OK, hushbit_error* error = nullptr) {
  const std::vector<uint8_t> copy(text.begin(), text.end());
  Tokenizer tokenizer(words.vocabulary(), copy);
  std::vector<hushbit_token> tokens;
  for (;;) {
    hushbit_token token;
    bool found;
    const hushbit_status status = tokenizer.next(&token, &found, error);
    if (status != HUSHBIT_OK || !found) {
      CHECK_EQ(status, expected);
      return tokens;
    }
    tokens.push_back(token);
  }
}

// Moves `at` to byte `to`; true if only spaces were passed.
inline bool walk(std::string_view text, uint64_t to, TextPosition* at) {
  bool white = true;
  while (at->byte < to) {
    uint32_t code_point = 0;
    const auto rest = as_bytes(text).subspan(at->byte);
    at->byte += decode_utf8(rest.data(), rest.size(), &code_point);
    at->utf16 += code_point > 0xFFFF ? 2 : 1;
    white &= code_point_info(code_point).char_class == CharClass::kSpace;
  }
  CHECK_EQ(at->byte, to);
  return white;
}

// Tokens follow one another, begin and end where their offsets say in both countings, and leave out spaces only.
inline void check_cover(std::string_view text, const std::vector<hushbit_token>& tokens) {
  TextPosition at;
  for (const hushbit_token& token : tokens) {
    CHECK(walk(text, token.byte_begin, &at));
    CHECK_EQ(token.utf16_begin, at.utf16);
    CHECK(token.byte_end > token.byte_begin);
    CHECK(!walk(text, token.byte_end, &at));
    CHECK_EQ(token.utf16_end, at.utf16);
    CHECK_EQ(token.output_end, token.output_begin);
  }
  CHECK(walk(text, text.size(), &at));
}

// The tokens as typed, joined by |. A word stands bare, with its normal form behind = if that differs; an unknown
// token has ? behind it; punctuation has . behind it, or ! if it is in the vocabulary.
inline std::string shown(const Words& words, std::string_view text) {
  const auto tokens = tokenize(words, text);
  check_cover(text, tokens);
  std::string out;
  for (const hushbit_token& token : tokens) {
    const std::string typed(text.substr(token.byte_begin, token.byte_end - token.byte_begin));
    const bool known = token.word != HUSHBIT_NO_WORD;
    CHECK_EQ(token.kind == HUSHBIT_TOKEN_WORD, known && token.kind != HUSHBIT_TOKEN_PUNCTUATION);
    out += (out.empty() ? "" : "|") + typed;
    if (token.kind == HUSHBIT_TOKEN_PUNCTUATION) out += known ? "!" : ".";
    if (token.kind == HUSHBIT_TOKEN_UNKNOWN) out += "?";
    if (known && words[token.word] != typed) out += "=" + words[token.word];
  }
  return out;
}

inline void check_shown(const Words& words, std::string_view text, std::string_view expected) {
  const std::string found = shown(words, text);
  CHECK_EQ(found == expected, true);
  if (found != expected) std::cerr << "  " << found << "\n  is not\n  " << expected << '\n';
}

inline std::string repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_TOKENIZED_H_
