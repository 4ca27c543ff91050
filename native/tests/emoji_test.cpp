// Emoji: every one is found as it is spelled, and only then; tests/test_emoji.py compares the table with Unicode's.
#include "text/emoji.h"

#include <set>
#include <string>
#include <vector>

#include "check.h"

namespace {

using hushbit::EmojiTable;

std::string spelled(const EmojiTable& table, uint32_t emoji) {
  uint8_t bytes[EmojiTable::kMaxBytes];
  const size_t size = table.spell(emoji, bytes);
  return {reinterpret_cast<const char*>(bytes), size};
}

std::vector<uint32_t> found_in(const EmojiTable& table, const std::string& text) {
  std::vector<uint32_t> found;
  size_t at = 0;
  uint32_t emoji = 0;
  while (table.next({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, &at, &emoji)) found.push_back(emoji);
  CHECK_EQ(at, text.size());
  return found;
}

std::string without(const std::string& text, const std::string& part) {
  std::string left = text;
  for (size_t at = left.find(part); at != std::string::npos; at = left.find(part)) left.erase(at, part.size());
  return left;
}

// Fully qualified, without any selector, and between words.
void test_every_emoji_is_found(bool skin_tones, uint32_t count) {
  EmojiTable table;
  CHECK(table.init(skin_tones));
  CHECK_EQ(table.count(), count);
  std::set<std::string> distinct;
  for (uint32_t emoji = 0; emoji < table.count(); ++emoji) {
    const std::string text = spelled(table, emoji);
    distinct.insert(text);
    const std::vector<uint32_t> only = {emoji}, twice = {emoji, emoji};
    CHECK(found_in(table, text) == only);
    CHECK(found_in(table, without(text, "\uFE0F")) == only);
    CHECK(found_in(table, "a" + text + " b\u00e9 " + text + ".") == twice);
  }
  CHECK_EQ(distinct.size(), count);
}

void test_tones_are_folded() {
  EmojiTable plain, toned;
  CHECK(plain.init(false) && toned.init(true));
  for (uint32_t emoji = plain.count(); emoji < toned.count(); ++emoji) {
    const std::vector<uint32_t> found = found_in(plain, spelled(toned, emoji));
    CHECK_EQ(found.size(), 1u);
    CHECK(found[0] < plain.count());
  }
  const std::string kiss = "\U0001F48F",
                    kissing = "\U0001F9D1\U0001F3FB\u200D\u2764\uFE0F\u200D\U0001F48B\u200D\U0001F9D1";
  CHECK(found_in(plain, kissing + "\U0001F3FC") == found_in(plain, kiss));
  CHECK(found_in(toned, kissing + "\U0001F3FC") != found_in(toned, kiss));
  CHECK(found_in(toned, kissing + "\U0001F3FB") == found_in(toned, kiss + "\U0001F3FB"));  // equal tones: one is enough
  CHECK(found_in(toned, "\U0001F9D1\U0001F3FB\u200D\U0001F91D\u200D\U0001F9D1") ==
        found_in(toned, "\U0001F9D1\u200D\U0001F91D\u200D\U0001F9D1"));             // one tone of two
  CHECK(found_in(toned, "\U0001F600\U0001F3FB") == found_in(toned, "\U0001F600"));  // a tone that nobody gave it
}

void test_what_is_no_emoji() {
  EmojiTable table;
  CHECK(table.init(true));
  CHECK(found_in(table, "").empty());
  CHECK(found_in(table, "7 # * 12 don't \u0645\u0631\u062d\u0628\u0627 \u4f60\u597d \u200D\uFE0F").empty());
  CHECK(found_in(table, "\U0001F3FB").empty());  // a tone alone
  CHECK_EQ(found_in(table, "7\uFE0F\u20E3").size(), 1u);
  CHECK_EQ(found_in(table, "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7").size(), 2u);  // two flags
  CHECK(found_in(table, "\U0001F1E9").empty());                                      // half a flag
  // A sequence that nobody defined is its parts.
  CHECK_EQ(found_in(table, "\U0001F600\u200D\U0001F600").size(), 2u);
}

}  // namespace

int main() {
  test_every_emoji_is_found(false, 1849);
  test_every_emoji_is_found(true, 3624);
  test_tones_are_folded();
  test_what_is_no_emoji();
  return check_result();
}
