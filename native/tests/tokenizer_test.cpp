#include "text/tokenizer.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "bundle_builder.h"
#include "check.h"

namespace {

using hushbit::TextPosition;

// The section of sorted words in blocks of four.
hushbit::testing::Bytes section_of(const std::vector<std::string>& words) {
  size_t longest = 0;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  return hushbit::testing::build_words_section(
      {.words = hushbit::testing::front_code(words, 4), .block_words = 4, .longest = static_cast<uint32_t>(longest)});
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
  const hushbit::Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::string& operator[](uint32_t id) const { return words_[id]; }

 private:
  std::vector<std::string> words_;
  hushbit::testing::Bytes section_;
  std::unique_ptr<hushbit::Vocabulary> vocabulary_ = std::make_unique<hushbit::Vocabulary>();
};

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// An owned copy without room behind it, so that the sanitizer sees a read past the end.
std::vector<hushbit_token> tokenize(const Words& words, std::string_view text, hushbit_status expected = HUSHBIT_OK,
                                    hushbit_error* error = nullptr) {
  const std::vector<uint8_t> copy(text.begin(), text.end());
  hushbit::Tokenizer tokenizer(words.vocabulary(), copy);
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
bool walk(std::string_view text, uint64_t to, TextPosition* at) {
  bool white = true;
  while (at->byte < to) {
    uint32_t code_point = 0;
    const auto rest = as_bytes(text).subspan(at->byte);
    at->byte += hushbit::decode_utf8(rest.data(), rest.size(), &code_point);
    at->utf16 += code_point > 0xFFFF ? 2 : 1;
    white &= hushbit::code_point_info(code_point).char_class == hushbit::CharClass::kSpace;
  }
  CHECK_EQ(at->byte, to);
  return white;
}

// Tokens follow one another, begin and end where their offsets say in both countings, and leave out white space only.
void check_cover(std::string_view text, const std::vector<hushbit_token>& tokens) {
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
std::string shown(const Words& words, std::string_view text) {
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

void check_shown(const Words& words, std::string_view text, std::string_view expected) {
  const std::string found = shown(words, text);
  CHECK_EQ(found == expected, true);
  if (found != expected) std::cerr << "  " << found << "\n  is not\n  " << expected << '\n';
}

std::string repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

const Words& english() {
  static const Words words({"a",     "ca",   "do",  "don",    "he",   "i",          "it", "john", "known",   "n't",
                            "o",     "rock", "the", "u.s.",   "well", "well-known", "wo", "'",    "'d",      "'ll",
                            "'m",    "'re",  "'s",  "'ve",    "''",   ",",          ".",  "...",  "o'brien", "1990",
                            "1990s", "3.14", "we",  "'cause", "you",  "they",       "-",  "mid-"});
  return words;
}

void test_plain() {
  check_shown(english(), "", "");
  check_shown(english(), " \t\r\n\u00A0\u3000", "");
  check_shown(english(), "the", "the");
  check_shown(english(), "  The well ", "The=the|well");
  check_shown(english(), "THE ZYX, the.", "THE=the|ZYX?|,!|the|.!");
  check_shown(english(), "the\nwell\u2028john", "the|well|john");
  check_shown(english(), "thewell", "thewell?");  // no boundary inside
  check_shown(english(), "(the)[well]", "(.|the|).|[.|well|].");
}

void test_contractions() {
  check_shown(english(), "don't", "do|n't");
  check_shown(english(), "Don\u2019t", "Do=do|n\u2019t=n't");
  check_shown(english(), "DON\u2018T", "DO=do|N\u2018T=n't");
  check_shown(english(), "can't won't", "ca|n't|wo|n't");
  check_shown(english(), "it's", "it|'s");
  check_shown(english(), "I'm you're we've they'll he'd", "I=i|'m|you|'re|we|'ve|they|'ll|he|'d");
  check_shown(english(), "John's.", "John=john|'s|.!");
  check_shown(english(), "zyx's", "zyx?|'s");
  check_shown(english(), "zyxn't", "zyx?|n't");
  check_shown(english(), "199's 199", "199?|'s|199?");
  check_shown(english(), "O'Brien's", "O'Brien=o'brien|'s");  // the base is in the vocabulary
  check_shown(english(), "well-known's", "well-known|'s");
  check_shown(english(), "un-known's", "un?|-!|known|'s");  // neither in it nor plain
  check_shown(english(), "don't've", "do|n't|'ve");
  check_shown(english(), "\u2018don\u2019t\u2019", "\u2018!='|do|n\u2019t=n't|\u2019!='");
  check_shown(english(), "'s n't 'cause", "'s|n't|'cause");  // nothing before: words of their own
  check_shown(english(), "rock'n'roll", "rock|'!|n?|'!|roll?");
  check_shown(english(), "john'", "john|'!");
  check_shown(english(), "it's's", "it|'s|'s");
  // A contraction is taken with its base, so that nothing longer can begin at its apostrophe.
  const Words beyond({"we", "'ve", "'ve-x", "'s", "'s-x", "x", "-"});
  check_shown(beyond, "'ve-x we've-x", "'ve-x|we|'ve|-!|x");
  check_shown(beyond, "zyx's-x", "zyx?|'s|-!|x");
  for (const std::string c : {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"}) {
    const Words longer({"longest", c, c + "-x", "-", "x"});
    check_shown(longer, "longest" + c + "-x", "longest|" + c + "|-!|x");
    check_shown(longer, "zyx" + c + "-x", "zyx?|" + c + "|-!|x");
  }
  // Contractions that the vocabulary lacks are not split off.
  const Words few({"do", "t", "'", "n"});
  check_shown(few, "don't", "don?|'!|t");
  check_shown(few, "do's", "do|'!|s?");
}

void test_longest_match() {
  check_shown(english(), "well-known", "well-known");
  check_shown(english(), "Well-Known,", "Well-Known=well-known|,!");
  check_shown(english(), "well-john", "well|-!|john");
  check_shown(english(), "mid-john", "mid-|john");
  check_shown(english(), "o'brien o'zyx", "o'brien|o|'!|zyx?");
  check_shown(english(), "u.s. U.S.A. u.s", "u.s.|U.S.=u.s.|A=a|.!|u?|.!|s?");
  check_shown(english(), "....", "...!|.!");
  check_shown(english(), "'''", "''!|'!");
  check_shown(english(), "3.14 3.145 3.14.", "3.14|3?|.!|145?|3.14|.!");
  // A long word of which the text has all but the end.
  const Words long_word({"a-a-a-a-a-b", "a", "a-a", "-"});
  check_shown(long_word, "a-a-a-a-a-c", "a-a|-!|a-a|-!|a|-!|c?");
  check_shown(long_word, "a-a-a-a-a-b", "a-a-a-a-a-b");
  check_shown(long_word, "a-a-a-a-a-bc", "a-a|-!|a-a|-!|a|-!|bc?");
}

void test_emoji() {
  const Words words({"\u2764\uFE0F", "1", "ok", "\U0001F44D"});
  check_shown(words, "ok\U0001F44D\U0001F3FD", "ok|\U0001F44D!|\U0001F3FD.");
  check_shown(words, "\u2764\uFE0F", "\u2764\uFE0F!");
  check_shown(words, "\u2764 ", "\u2764.");
  check_shown(words, "1\uFE0F\u20E3", "1\uFE0F\u20E3?");  // a keycap is a digit with marks
  check_shown(words, "\U0001F469\u200D\u2764\uFE0F\u200D\U0001F468",
              "\U0001F469\u200D.|\u2764\uFE0F\u200D!=\u2764\uFE0F|\U0001F468.");
  check_shown(words, "\U0001F1E9\U0001F1EA", "\U0001F1E9.|\U0001F1EA.");
}

void test_marks() {
  const Words words({"caf\u00E9", "\u1E96", "i", "\u05E9\u05B8\u05C1", "\uD55C\uAE00", "e\u0301x", "\u0301"});
  check_shown(words, "caf\u00E9", "caf\u00E9");
  check_shown(words, "cafe\u0301", "cafe\u0301=caf\u00E9");
  check_shown(words, "CAFE\u0301 CAF\u00C9", "CAFE\u0301=caf\u00E9|CAF\u00C9=caf\u00E9");
  check_shown(words, "cafe", "cafe?");
  check_shown(words, "H\u0331 h\u0331", "H\u0331=\u1E96|h\u0331=\u1E96");  // composes in lower case only
  check_shown(words, "\u0130", "\u0130=i");
  check_shown(words, "e\u0301x", "e\u0301x?");  // a word that is not NFC is out of reach
  // Hebrew points in either order.
  check_shown(words, "\u05E9\u05C1\u05B8 \u05E9\u05B8\u05C1",
              "\u05E9\u05C1\u05B8=\u05E9\u05B8\u05C1|\u05E9\u05B8\u05C1");
  // Hangul: syllables and their parts.
  check_shown(words, "\uD55C\uAE00", "\uD55C\uAE00");
  check_shown(words, "\u1112\u1161\u11AB\u1100\u1173\u11AF", "\u1112\u1161\u11AB\u1100\u1173\u11AF=\uD55C\uAE00");
  check_shown(words, "\uD558\u11AB\uAE00", "\uD558\u11AB\uAE00=\uD55C\uAE00");
  // Marks with nothing to stand on: at the start, after white space, on punctuation.
  check_shown(words, "\u0301 \u0301\u0301 \u0301", "\u0301|\u0301\u0301?|\u0301");
  check_shown(words, ".\u0301i", ".\u0301.|i");
}

void test_controls() {
  const Words words({"a", "b", "\u202E", "\u200Ba"});
  check_shown(words, std::string_view("a\0b\0", 4), "a|b");
  check_shown(words, "a\x01\x7F\u0085\u200Bb", "a|b");
  check_shown(words, "a \u202E b\u200Ba", "a|b|a");  // words that cannot be typed
}

// Characters that are not seen, in words of which they are no part.
void test_format_characters() {
  const Words words({"cooperate", "caf\u00E9", "do", "n't", "the", "."});
  check_shown(words, "\uFEFF", "");
  check_shown(words, "\uFEFFthe", "the");  // a byte order mark
  check_shown(words, "co\u00ADop\u00ADer\u00ADate", "co\u00ADop\u00ADer\u00ADate=cooperate");
  check_shown(words, "\u202Ethe\u202C", "the\u202C=the");
  check_shown(words, "the\U000E0074\U000E0065.", "the\U000E0074\U000E0065=the|.!");
  check_shown(words, "do\u00ADn\u2060't\u00AD", "do\u00AD=do|n\u2060't\u00AD=n't");
  check_shown(words, "cafe\u00AD\u0301", "cafe\u00AD\u0301=caf\u00E9");
  check_shown(words, "\u00AD\u00AD\u0301 \u00AD", "\u0301?");  // a mark with nothing to stand on
  check_shown(words, "th\u200De \u200Cthe\u200C", "th\u200De=the|the\u200C=the");
  check_shown(words, "the" + repeat("\u00AD", 31), "the" + repeat("\u00AD", 31) + "=the");
  check_shown(words, "the" + repeat("\u00AD", 32), "the" + repeat("\u00AD", 32) + "?");  // a unit too long
  check_shown(words, "th\u200Be", "th?|e?");                                             // ZERO WIDTH SPACE is a space
}

// Joiners stay in words of scripts that need them, inside of the word or behind a virama.
void test_joiners() {
  const Words words(
      {"\u0645\u06CC\u200C\u062E", "\u0645\u06CC", "\u0928\u094D\u200D", "\u0915\u094D\u200D\u0937", "a\u200Db", "a"});
  check_shown(words, "\u0645\u06CC\u200C\u062E", "\u0645\u06CC\u200C\u062E");
  check_shown(words, "\u0645\u06CC\u062E", "\u0645\u06CC\u062E?");
  check_shown(words, "\u0645\u06CC\u200C \u200C\u0645\u06CC", "\u0645\u06CC\u200C=\u0645\u06CC|\u0645\u06CC");
  check_shown(words, "\u0645\u06CC\u200C.", "\u0645\u06CC\u200C=\u0645\u06CC|..");
  check_shown(words, "\u0928\u094D\u200D.", "\u0928\u094D\u200D|..");
  check_shown(words, "\u0928\u094D\u200C", "\u0928\u094D\u200C?");
  check_shown(words, "\u0915\u094D\u200D\u0937", "\u0915\u094D\u200D\u0937");
  check_shown(words, "a\u200Db", "a\u200Db?");
}

void test_apostrophes_and_ligatures() {
  const Words words({"do", "n't", "o'brien", "fine", "difficult", "'", "st", "\u02BC", "ijs", "f\u00EDn"});
  check_shown(words, "don\u02BCt don\uFF07t", "do|n\u02BCt=n't|do|n\uFF07t=n't");
  check_shown(words, "O\u02BCBrien \u02BC", "O\u02BCBrien=o'brien|\u02BC!='");
  check_shown(words, "\uFB01ne di\uFB03cult \uFB05 \uFB06", "\uFB01ne=fine|di\uFB03cult=difficult|\uFB05=st|\uFB06=st");
  check_shown(words, "\u0133s \u0132S \uFB01\u0301n", "\u0133s=ijs|\u0132S=ijs|\uFB01\u0301n=f\u00EDn");
}

void test_long_numbers() {
  const std::vector<std::string> spelled = {
      "123", "1984", "1990s", "3.1415", "3", ".", "1", "b2b2", "b2b2b2b2", "'s", "\u0661\u0662\u0663\u0664", "1.2.3"};
  const Words words(spelled);
  check_shown(words, "123 1984 1990s b2b2 b2b2b2b2", "123|1984?|1990s?|b2b2|b2b2b2b2?");
  check_shown(words, "3.1415 1.2.3", "3|.!|1415?|1.2.3");
  check_shown(words, "1984's 123's", "1984?|'s|123|'s");
  check_shown(words, "\u0661\u0662\u0663\u0664", "\u0661\u0662\u0663\u0664?");
  const std::string_view text = "1984's 3.1415";
  hushbit::Tokenizer tokenizer(words.vocabulary(), as_bytes(text), true);
  for (const std::string_view expected : {"1984", "'s", "3.1415"}) {
    hushbit_token token;
    bool found = false;
    CHECK_EQ(tokenizer.next(&token, &found, nullptr), HUSHBIT_OK);
    CHECK(found && token.word != HUSHBIT_NO_WORD && words[token.word] == expected);
  }
}

// Scripts without spaces: the longest words from left to right, and one unknown token for all between them.
void test_unspaced() {
  const Words words({"\u4ECA\u5929", "\u5929\u6C14", "\u5929", "\u5F88", "\u5F88\u597D\u5417", "t\u6064", "'s", "12",
                     "a", "\u0E01\u0E34\u0E19", "\u0E02\u0E49\u0E32\u0E27"});
  check_shown(words, "\u4ECA\u5929\u5929\u6C14\u5F88\u597D", "\u4ECA\u5929|\u5929\u6C14|\u5F88|\u597D?");
  check_shown(words, "\u732B\u54AA\u5F88\u9F20\u9F20\u9F20", "\u732B\u54AA?|\u5F88|\u9F20\u9F20\u9F20?");
  check_shown(words, "a\u5929a \u5929 12\u5929", "a|\u5929|a|\u5929|12|\u5929");
  check_shown(words, "T\u6064t\u886B", "T\u6064=t\u6064|t?|\u886B?");
  check_shown(words, "\u4ECA\u5929's \u732B\u54AA's", "\u4ECA\u5929|'s|\u732B\u54AA?|'s");
  check_shown(words, "\u0E01\u0E34\u0E19\u0E02\u0E49\u0E32\u0E27\u0E1B\u0E25\u0E32",
              "\u0E01\u0E34\u0E19|\u0E02\u0E49\u0E32\u0E27|\u0E1B\u0E25\u0E32?");
  check_shown(words, "\u0E51\u0E52\u0E53\u0E01", "\u0E51\u0E52\u0E53?|\u0E01?");  // digits run on
  check_shown(words, "\uFF76\u30AB\u3042\u4E00", "\uFF76\u30AB\u3042\u4E00?");
  const std::string many = repeat("\u9F20", 5000), marked = "\u9F20" + repeat("\u0301", 40);
  check_shown(words, many + "\u5F88" + many, many + "?|\u5F88|" + many + "?");
  check_shown(words, many + "\u3002" + many, many + "?|\u3002.|" + many + "?");
  check_shown(words, "\u732B" + marked + "\u732B\u5929" + marked, "\u732B" + marked + "\u732B?|\u5929|" + marked + "?");
  check_shown(words, "a" + repeat("\u5929", 3000), "a" + repeat("|\u5929", 3000));
  // A long word of which the text has all but the end, over and over.
  const Words long_word({repeat("\u5929", 84) + "\u6C14", "\u5929\u5929"});
  check_shown(long_word, repeat("\u5929", 201), "\u5929\u5929" + repeat("|\u5929\u5929", 99) + "|\u5929?");
}

void test_oversize_units() {
  const Words words({"a", "b", "."});
  const std::string marks31 = repeat("\u0301", 31), marks32 = repeat("\u0301", 32), many = repeat("\u0301", 5000);
  check_shown(words, "a" + marks31, "a" + marks31 + "?");
  check_shown(words, "a" + marks32 + "b .", "a" + marks32 + "b?|.!");
  check_shown(words, "a." + many, "a|." + many + ".");  // class of its first code point: other
  check_shown(words, "." + marks32 + "a", "." + marks32 + ".|a");
  check_shown(words, many + ".", many + "?|.!");
  check_shown(words, "a-a" + many + "b", "a|-.|a" + many + "b?");
  // A unit of 32 code points still has a normal form.
  std::string composed = "\u00E1" + repeat("\u0301", 30);
  const Words longest({composed});
  check_shown(longest, "a" + marks31, "a" + marks31 + "=" + composed);
}

// Candidates end at the longest word plus a contraction, and the window moves over long texts without a gap.
void test_long_text() {
  const std::string longest(255, 'x');
  const Words words({longest, "n't", "'s", "a", "-", std::string(250, 'y') + "-y"});
  check_shown(words, longest, longest);
  check_shown(words, longest + "x", longest + "x?");
  check_shown(words, longest + "n't", longest + "|n't");
  check_shown(words, std::string(300, 'y') + "n't", std::string(300, 'y') + "n?|'.|t?");
  check_shown(words, std::string(300, 'y') + "'s", std::string(300, 'y') + "?|'s");
  check_shown(words, std::string(250, 'y') + "-y's", std::string(250, 'y') + "-y|'s");
  std::string expected = "a";
  for (int i = 0; i < 5000; ++i) expected += "|-!|a";
  check_shown(words, "a" + repeat("-a", 5000), expected);
  check_shown(words, std::string(100000, 'z') + ".", std::string(100000, 'z') + "?|..");
}

void test_utf16() {
  const Words words({"a"});
  const auto tokens = tokenize(words, "\U0001F600 a\u20ACa");
  CHECK_EQ(tokens.size(), size_t{4});
  CHECK_EQ(tokens[0].utf16_end, 2u);
  CHECK_EQ(tokens[1].byte_begin, 5u);
  CHECK_EQ(tokens[1].utf16_begin, 3u);
  CHECK_EQ(tokens[3].byte_begin, 9u);
  CHECK_EQ(tokens[3].utf16_begin, 5u);
}

void check_invalid(std::string_view text, uint64_t position) {
  hushbit_error error = {};
  tokenize(english(), text, HUSHBIT_INVALID_UTF8, &error);
  CHECK_EQ(error.status, HUSHBIT_INVALID_UTF8);
  CHECK_EQ(error.position, position);
}

void test_invalid_utf8() {
  check_invalid("\xFF", 0);
  check_invalid("the \x80", 4);
  check_invalid("the\xC3", 3);  // ends in the middle of a sequence
  check_invalid("the \xE2\x80", 4);
  check_invalid("the \xF0\x9F\x98", 4);
  check_invalid("a\xC0\x80", 1);          // overlong
  check_invalid("a\xED\xA0\x80", 1);      // a surrogate
  check_invalid("a\xF4\x90\x80\x80", 1);  // above U+10FFFF
  check_invalid("e\xCC\x81\xCC", 3);      // within a unit
  check_invalid(std::string(100000, 'z') + "\xFF", 100000);
  check_invalid(repeat("\u9F20", 1000) + "\xFF", 3000);
  check_invalid(repeat("\u0301", 5000) + "\xFF", 10000);
  check_invalid("." + repeat("\u0301", 5000) + "\xFF", 10001);
}

void test_damage() {
  std::vector<std::string> words;
  for (int i = 0; i < 200; ++i) words.push_back("w" + std::to_string(1000 + i));
  auto section = section_of(words);
  for (size_t i = 448; i < 448 + 4 * 50; ++i) section[i] = 0xFF;  // where blocks start
  const auto vocabulary = std::make_unique<hushbit::Vocabulary>();
  CHECK_EQ(vocabulary->open(section, 0, 200, nullptr), HUSHBIT_OK);
  hushbit::Tokenizer tokenizer(*vocabulary, as_bytes("w1100"));
  hushbit_token token;
  bool found;
  hushbit_error error = {};
  CHECK_EQ(tokenizer.next(&token, &found, &error), HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(error.status, HUSHBIT_CORRUPT_BUNDLE);
  CHECK(strstr(error.message, "w1100") == nullptr);
}

}  // namespace

int main() {
  CHECK(sizeof(hushbit::Tokenizer) < 5000);
  test_plain();
  test_contractions();
  test_longest_match();
  test_emoji();
  test_marks();
  test_controls();
  test_format_characters();
  test_joiners();
  test_apostrophes_and_ligatures();
  test_long_numbers();
  test_unspaced();
  test_oversize_units();
  test_long_text();
  test_utf16();
  test_invalid_utf8();
  test_damage();
  return check_result();
}
