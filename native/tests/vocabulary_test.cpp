// Words to ids and back against a sorted list, over many vocabularies and Huffman codes; and what `verify` refuses.
#include "bundle/vocabulary.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bundle_builder.h"
#include "check.h"

using namespace hushbit;
using namespace hushbit::testing;

namespace {

using Words = std::vector<std::string>;

std::span<const uint8_t> span_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A complete code for `symbols` with lengths as uneven as chance makes them, up to 12.
CodeLengths random_code(const std::set<uint8_t>& symbols, std::mt19937& random) {
  std::vector<uint8_t> leaves = {0};
  while (leaves.size() < symbols.size()) {
    const size_t leaf = random() % leaves.size();
    if (leaves[leaf] == 12) continue;
    leaves.push_back(++leaves[leaf]);
  }
  if (symbols.size() == 1) leaves = {1};
  std::shuffle(leaves.begin(), leaves.end(), random);
  CodeLengths lengths = {};
  size_t next = 0;
  for (const uint8_t symbol : symbols) lengths[symbol] = leaves[next++];
  return lengths;
}

// Codes with just the symbols that the words use.
void draw_codes(WordsSpec& spec, std::mt19937& random) {
  std::set<uint8_t> suffixes = {0}, prefixes, steps;
  for (size_t id = 0; id < spec.words.size(); ++id) {
    if (id % spec.block_words != 0) prefixes.insert(spec.words[id].kept);
    const std::optional<uint8_t> step = spec.words[id].step;
    if (step) steps.insert(*step);
    for (const char byte : spec.words[id].rest) suffixes.insert(static_cast<uint8_t>(byte));
  }
  spec.suffix_lengths = random_code(suffixes, random);
  spec.prefix_lengths = prefixes.empty() ? CodeLengths{} : random_code(prefixes, random);
  spec.step_lengths = steps.empty() ? CodeLengths{} : random_code(steps, random);
}

// Distinct words of up to `longest` bytes of UTF-8, many of them prefixes of others.
Words random_words(size_t count, size_t longest, std::mt19937& random) {
  const std::vector<std::string> letters = {
      "a", "b", "c", "'", "-", "z", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80"};
  std::set<std::string> words;
  while (words.size() < count) {
    std::string word;
    if (!words.empty() && random() % 2) {
      auto other = words.begin();
      std::advance(other, random() % words.size());
      word = *other;
    }
    for (size_t letter = random() % 4 + 1; letter > 0; --letter) word += letters[random() % letters.size()];
    if (word.size() <= longest) words.insert(word);
  }
  return {words.begin(), words.end()};
}

struct Opened {
  explicit Opened(Bytes bytes, uint32_t words) : section(bytes.begin(), bytes.end()) {
    status = vocabulary.open(section, 1000, words, &error);
  }
  Bytes section;
  Vocabulary vocabulary;
  hushbit_error error = {};
  hushbit_status status;
};

// `locate` as its comment defines it, from the list.
Vocabulary::Position expected_position(const Words& words, const std::string& text) {
  const auto above = std::upper_bound(words.begin(), words.end(), text);
  if (above == words.begin()) return {};
  const std::string& word = above[-1];
  const auto ends = std::mismatch(word.begin(), word.end(), text.begin(), text.end());
  return {.id = static_cast<uint32_t>(above - words.begin()) - 1,
          .common = static_cast<uint32_t>(ends.first - word.begin()),
          .length = static_cast<uint32_t>(word.size()),
          .exact = word == text};
}

void check_locate(const Vocabulary& vocabulary, const Words& words, const std::string& text) {
  const Vocabulary::Position expected = expected_position(words, text);
  const std::vector<uint8_t> exact_size(text.begin(), text.end());  // so that a sanitizer sees any read beyond it
  const Vocabulary::Position found = vocabulary.locate(exact_size);
  CHECK(!found.damaged);
  CHECK_EQ(found.id, expected.id);
  CHECK_EQ(found.common, expected.common);
  CHECK_EQ(found.length, expected.length);
  CHECK_EQ(found.exact, expected.exact);
}

// Every word, its neighbors in byte order, its prefixes, and texts that go on behind it.
void check_vocabulary(const Words& words, const Vocabulary& vocabulary) {
  for (uint32_t id = 0; id < words.size(); ++id) {
    uint8_t buffer[kMaxWordBytes];
    const size_t length = vocabulary.word(id, buffer);
    CHECK(std::string(buffer, buffer + length) == words[id]);
    check_locate(vocabulary, words, words[id]);
    check_locate(vocabulary, words, words[id] + '\0');
    check_locate(vocabulary, words, words[id] + "\xFF");
    check_locate(vocabulary, words, words[id] + std::string(300, 'a'));
    check_locate(vocabulary, words, words[id].substr(0, words[id].size() - 1));
    for (const int step : {-1, 1}) {
      std::string other = words[id];
      other.back() = static_cast<char>(other.back() + step);
      check_locate(vocabulary, words, other);
    }
  }
  for (const char* text : {"", "a", "\xFF\xFF", "\x01", "zzzzzzzz"}) check_locate(vocabulary, words, text);
  check_locate(vocabulary, words, std::string(1, '\0'));
}

void test_round_trips() {
  std::mt19937 random(20240501);
  for (const uint32_t block_words : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    for (const size_t count : {1u, 2u, 15u, 16u, 17u, 64u, 65u, 500u}) {
      const Words words = random_words(count, 40, random);
      WordsSpec spec = words_spec(words, block_words);
      draw_codes(spec, random);
      auto opened = std::make_unique<Opened>(build_words_section(spec), count);
      CHECK_EQ(opened->status, HUSHBIT_OK);
      CHECK_EQ(opened->vocabulary.size(), count);
      CHECK_EQ(opened->vocabulary.max_word_bytes(), spec.longest);
      CHECK_EQ(opened->vocabulary.verify(nullptr), HUSHBIT_OK);
      check_vocabulary(words, opened->vocabulary);
    }
  }
}

// Words of the greatest length, that share nearly all of it.
void test_longest_words() {
  const std::string stem(253, 'x');
  const Words words = {stem, stem + "a", stem + "aa", stem + "ab", stem + "b"};
  auto opened = std::make_unique<Opened>(build_words_section(words_spec(words, 4)), 5);
  CHECK_EQ(opened->status, HUSHBIT_OK);
  CHECK_EQ(opened->vocabulary.max_word_bytes(), 255u);
  CHECK_EQ(opened->vocabulary.verify(nullptr), HUSHBIT_OK);
  check_vocabulary(words, opened->vocabulary);
}

// `locate` notices damage on its way: a word that keeps more than there is, one longer than the longest.
void test_locate_damage() {
  for (const CodedWord& word : {CodedWord{3, {}, "c"}, CodedWord{0, 1, "cccc"}}) {
    WordsSpec spec = words_spec({"ab", "abc"}, 2);
    spec.words[1] = word;
    spec.longest = word.kept == 3 ? 10 : 3;
    auto opened = std::make_unique<Opened>(build_words_section(spec), 2);
    CHECK_EQ(opened->status, HUSHBIT_OK);
    CHECK(opened->vocabulary.locate(span_of("abz")).damaged);
    spec.block_words = 1;
    spec.words[1].step.reset();
    auto first = std::make_unique<Opened>(build_words_section(spec), 2);
    CHECK(first->vocabulary.locate(span_of("cccc")).damaged == (word.kept == 0));
  }
}

// Opens, and `verify` refuses with a message that has `reason` in it.
void check_verify_refuses(const WordsSpec& spec, const char* reason) {
  auto opened = std::make_unique<Opened>(build_words_section(spec), static_cast<uint32_t>(spec.words.size()));
  CHECK_EQ(opened->status, HUSHBIT_OK);
  CHECK_EQ(opened->vocabulary.verify(&opened->error), HUSHBIT_CORRUPT_BUNDLE);
  const bool told = std::string(opened->error.message).find(reason) != std::string::npos;
  CHECK(told);
  if (!told) std::cerr << "  " << opened->error.message << '\n';
  CHECK(opened->error.position >= 1000 && opened->error.position < 1000 + opened->section.size());
}

void test_verify_words() {
  const WordsSpec good = words_spec({"ab", "abc", "abd", "b", "c"}, 2);
  const auto with = [&](size_t id, const CodedWord& word) {
    WordsSpec spec = good;
    spec.words[id] = word;
    return spec;
  };
  check_verify_refuses(with(2, {0, {}, "abc"}), "above");  // the word before, over the edge of a block
  check_verify_refuses(with(2, {0, {}, "abb"}), "above");
  check_verify_refuses(with(2, {0, {}, "ab"}), "above");
  check_verify_refuses(with(1, {1, 0, "c"}), "decoded");         // keeps less than it shares
  check_verify_refuses(with(1, {2, {}, ""}), "decoded");         // the word before again
  check_verify_refuses(with(1, {3, {}, "c"}), "decoded");        // keeps more than there is
  check_verify_refuses(with(1, {1, 256 - 'b', ""}), "decoded");  // a step beyond the last byte
  check_verify_refuses(with(1, {1, 255, "c"}), "decoded");
  check_verify_refuses(with(1, {1, 255 - 'b', ""}), "UTF-8");  // the last byte, 0xFF
  check_verify_refuses(with(0, {0, {}, ""}), "decoded");       // an empty word
  check_verify_refuses(with(4, {0, {}, "cccc"}), "decoded");   // longer than the longest
  check_verify_refuses(with(4, {0, {}, "\xC3"}), "UTF-8");
  auto invalid = std::make_unique<Opened>(build_words_section(with(4, {0, {}, "\xC3"})), 5);
  uint8_t buffer[kMaxWordBytes];
  CHECK_EQ(invalid->vocabulary.word(3, buffer), 1u);
  CHECK_EQ(invalid->vocabulary.word(4, buffer), 0u);
  WordsSpec longer = good;
  longer.longest = 4;
  check_verify_refuses(longer, "longest word");
}

void test_verify_bits() {
  const WordsSpec good = words_spec({"ab", "abc", "b", "c"}, 2);
  const Bytes section = build_words_section(good);  // 3 starts from 448 on, 4 bytes of padding, payload from 464 on
  const auto refuses = [&](size_t at, uint8_t flip) {
    Bytes bytes = section;
    bytes[at] ^= flip;
    auto opened = std::make_unique<Opened>(bytes, 4);
    CHECK_EQ(opened->status, HUSHBIT_OK);
    CHECK_EQ(opened->vocabulary.verify(&opened->error), HUSHBIT_CORRUPT_BUNDLE);
  };
  refuses(448, 8);    // the first block starts late
  refuses(452, 8);    // the second block starts elsewhere
  refuses(456, 8);    // the last block ends elsewhere
  refuses(459, 255);  // far beyond the payload
  refuses(460, 1);    // padding
  refuses(section.size() - 1, 1);
  refuses(section.size() - 8, 128);
}

// A first block that starts late, on what is a good word too.
void test_verify_gap() {
  Bytes section = build_words_section(words_spec({"ab", "c", "cde"}, 1));
  put(section, 448, 8u);
  auto opened = std::make_unique<Opened>(section, 3);
  CHECK_EQ(opened->status, HUSHBIT_OK);
  CHECK_EQ(opened->vocabulary.verify(&opened->error), HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(opened->error.position, 1448u);
}

// The bits that fill up the last byte.
void test_verify_last_bits() {
  std::mt19937 random(7);
  for (int i = 0; i < 50; ++i) {
    WordsSpec spec = words_spec(random_words(9, 20, random), 4);
    draw_codes(spec, random);
    const Bytes section = build_words_section(spec);
    const size_t bits = get<uint64_t>(section, 16);
    if (bits % 8 == 0) continue;
    Bytes bytes = section;
    bytes[section.size() - 9] ^= 1;
    auto opened = std::make_unique<Opened>(bytes, 9);
    CHECK_EQ(opened->status, HUSHBIT_OK);
    CHECK_EQ(opened->vocabulary.verify(&opened->error), HUSHBIT_CORRUPT_BUNDLE);
    CHECK(std::string(opened->error.message).find("padding") != std::string::npos);
  }
}

void check_open_refuses(const Bytes& section, uint32_t words, uint64_t position) {
  auto opened = std::make_unique<Opened>(section, words);
  CHECK_EQ(opened->status, HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(opened->error.position, 1000 + position);
}

void test_open_refuses() {
  const Bytes good = build_words_section(words_spec({"ab", "abc", "b", "c"}, 2));
  const auto with = [&](size_t at, auto value) {
    Bytes bytes = good;
    put(bytes, at, value);
    return bytes;
  };
  check_open_refuses(good, 5, 0);
  check_open_refuses(with(4, 0u), 4, 4);
  check_open_refuses(with(4, 3u), 4, 4);
  check_open_refuses(with(4, 128u), 4, 4);
  check_open_refuses(with(4, 1u), 4, 0);  // more blocks than the section has room for
  check_open_refuses(with(8, 0u), 4, 8);
  check_open_refuses(with(8, 256u), 4, 8);
  check_open_refuses(with(12, 1u), 4, 12);
  check_open_refuses(with(16, uint64_t{1} << 32), 4, 16);
  check_open_refuses(with(16, ~uint64_t{0}), 4, 16);
  check_open_refuses(with(16, get<uint64_t>(good, 16) + 8), 4, 0);
  check_open_refuses(with(63, uint8_t{1}), 4, 63);
  check_open_refuses(with(64, uint8_t{0x87}), 4, 64);   // more codes than there are bits
  check_open_refuses(with(64, uint8_t{0x89}), 4, 64);   // fewer
  check_open_refuses(with(64, uint8_t{0x8D}), 4, 64);   // 13 bits
  check_open_refuses(with(191, uint8_t{0x08}), 4, 64);  // an unused symbol leaves a hole
  check_open_refuses(with(192, uint8_t{0xF8}), 4, 192);
  check_open_refuses(with(320, uint8_t{0xF8}), 4, 320);
  Bytes longer = good;
  longer.resize(good.size() + 8);
  check_open_refuses(longer, 4, 0);
  for (size_t size = 0; size < good.size(); ++size) {
    check_open_refuses(Bytes(good.begin(), good.begin() + static_cast<long>(size)), 4, 0);
  }
}

// A payload of zeros, where a zero is a letter: a word that no end comes to, neither in the payload nor behind it.
void test_endless_word() {
  WordsSpec spec = words_spec({std::string(255, 'b')}, 1);
  spec.suffix_lengths = {};
  spec.suffix_lengths['a'] = 1;
  spec.suffix_lengths['b'] = spec.suffix_lengths[0] = 2;
  Bytes section = build_words_section(spec);
  for (const uint64_t payload_bytes : {64u, 1u}) {
    section.resize(456 + payload_bytes + 8);
    put(section, 16, payload_bytes * 8);
    put(section, 452, static_cast<uint32_t>(payload_bytes * 8));
    std::fill(section.begin() + 456, section.end(), uint8_t{0});
    auto opened = std::make_unique<Opened>(section, 1);
    CHECK_EQ(opened->status, HUSHBIT_OK);
    uint8_t buffer[kMaxWordBytes];
    CHECK_EQ(opened->vocabulary.word(0, buffer), 0u);
    CHECK(opened->vocabulary.locate(span_of(std::string(1000, 'a'))).damaged);
    CHECK(opened->vocabulary.locate(span_of("b")).damaged);
    CHECK_EQ(opened->vocabulary.verify(nullptr), HUSHBIT_CORRUPT_BUNDLE);
  }
}

// Codes of one symbol, and of none.
void test_small_codes() {
  WordsSpec spec = words_spec({"ab", "ac", "ad"}, 4);
  spec.prefix_lengths = {};
  spec.prefix_lengths[1] = 1;
  auto opened = std::make_unique<Opened>(build_words_section(spec), 3);
  CHECK_EQ(opened->status, HUSHBIT_OK);
  check_vocabulary({"ab", "ac", "ad"}, opened->vocabulary);
  Bytes section = build_words_section(spec);
  section[192] = 0x20;  // the single code has two bits
  check_open_refuses(section, 3, 192);

  spec.prefix_lengths = {};  // none, though it is needed: damage that shows when it is read
  auto needed = std::make_unique<Opened>(build_words_section(spec), 3);
  CHECK_EQ(needed->status, HUSHBIT_OK);
  uint8_t buffer[kMaxWordBytes];
  CHECK_EQ(needed->vocabulary.word(0, buffer), 2u);
  CHECK_EQ(needed->vocabulary.word(1, buffer), 0u);
  CHECK(needed->vocabulary.locate(span_of("ad")).damaged);
  CHECK_EQ(needed->vocabulary.verify(nullptr), HUSHBIT_CORRUPT_BUNDLE);

  section = build_words_section(spec);
  std::fill(section.begin() + 64, section.begin() + 192, uint8_t{0});
  section[64] = 0x11;  // complete with two symbols of one bit
  CHECK_EQ(std::make_unique<Opened>(section, 3)->status, HUSHBIT_OK);
  section[65] = 0x0D;  // and one of 13
  check_open_refuses(section, 3, 64);
  std::fill(section.begin() + 64, section.begin() + 192, uint8_t{0});  // no suffix symbol at all
  check_open_refuses(section, 3, 64);
}

}  // namespace

int main() {
  test_round_trips();
  test_longest_words();
  test_locate_damage();
  test_verify_words();
  test_verify_gap();
  test_verify_bits();
  test_verify_last_bits();
  test_open_refuses();
  test_endless_word();
  test_small_codes();
  return check_result();
}
