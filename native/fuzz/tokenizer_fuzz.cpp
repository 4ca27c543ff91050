// Any text through the tokenizer: tokens in order and apart, offsets true in bytes and UTF-16, nothing between tokens
// but spaces, no word that cannot be typed, and invalid UTF-8 refused where it begins.
#include <string_view>

#include "fixed_bundle.h"
#include "text/unicode.h"

using namespace hushbit::testing;

namespace {

// Walks the text beside the tokens.
struct Walk {
  const uint8_t* text;
  size_t size;
  uint64_t byte = 0;
  uint64_t utf16 = 0;

  // To `end`, which must be the edge of a code point.
  void to(uint64_t end, bool only_spaces) {
    while (byte < end) {
      uint32_t code_point;
      const size_t length = hushbit::decode_utf8(text + byte, size - byte, &code_point);
      REQUIRE(length > 0);
      if (only_spaces) {
        REQUIRE(hushbit::code_point_info(code_point).char_class == hushbit::CharClass::kSpace);
      }
      byte += length;
      utf16 += code_point > 0xFFFF ? 2 : 1;
    }
    REQUIRE(byte == end);
  }
};

// Of the fixed bundle's words: not a direction mark, white space, or a long number.
void require_typable(const hushbit_bundle* bundle, uint32_t id) {
  char word[255];
  size_t length;
  REQUIRE(hushbit_bundle_word(bundle, id, word, sizeof(word), &length, nullptr) == HUSHBIT_OK);
  for (const std::string_view never : {"\xE2\x80\xAE", "\xC2\xA0", ". . .", "1234"}) {
    REQUIRE(std::string_view(word, length) != never);
  }
}

void check_tokens(const hushbit_bundle* bundle, const hushbit_result* result, const uint8_t* text, size_t size) {
  size_t count;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  Walk walk = {.text = text, .size = size};
  for (size_t i = 0; i < count; ++i) {
    walk.to(tokens[i].byte_begin, true);
    REQUIRE(walk.utf16 == tokens[i].utf16_begin);
    walk.to(tokens[i].byte_end, false);
    REQUIRE(walk.utf16 == tokens[i].utf16_end);
    if (tokens[i].word != HUSHBIT_NO_WORD) require_typable(bundle, tokens[i].word);
  }
  walk.to(size, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const hushbit_bundle* bundle = fixed_bundle();
  REQUIRE(bundle != nullptr);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  hushbit_result* result;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned(result);
  hushbit_error error;
  const hushbit_status status = hushbit_tokenize(bundle, reinterpret_cast<const char*>(data), size, result, &error);
  const size_t invalid = hushbit::first_invalid_utf8(data, size);
  require_tokens(result, size, info.words);
  if (invalid < size) {
    REQUIRE(status == HUSHBIT_INVALID_TEXT && error.position == invalid);
    require_told(status, error);
    size_t count;
    REQUIRE(hushbit_result_tokens(result, &count) == nullptr && count == 0);
    return 0;
  }
  REQUIRE(status == HUSHBIT_OK);
  check_tokens(bundle, result, data, size);
  return 0;
}
