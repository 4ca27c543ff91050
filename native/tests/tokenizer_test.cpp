#include "text/tokenizer.h"

#include <stdint.h>
#include <string.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "tokenized.h"

using namespace hushbit::testing;

namespace {

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
  tokenize(english(), text, HUSHBIT_INVALID_TEXT, &error);
  CHECK_EQ(error.status, HUSHBIT_INVALID_TEXT);
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
  test_oversize_units();
  test_long_text();
  test_utf16();
  test_invalid_utf8();
  test_damage();
  return check_result();
}
