// Characters that are not seen, apostrophes, ligatures, long numbers, and scripts without spaces.
#include "tokenized.h"

using namespace hushbit::testing;

namespace {

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

}  // namespace

int main() {
  test_controls();
  test_format_characters();
  test_joiners();
  test_apostrophes_and_ligatures();
  test_long_numbers();
  test_unspaced();
  return check_result();
}
