// Memoized noise: repeats repeat, all that the noise must depend on changes it, nothing is left of a key. The golden
// vectors have the bytes.
#include "mechanism/memo.h"

#include <cstring>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "open_bundle.h"
#include "released.h"

using namespace hushbit;
using hushbit::testing::released_text;

namespace {

constexpr uint8_t kKey[32] = {1, 2, 3};
constexpr uint8_t kHash[32] = {9};

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string word_key(const Memo& memo, const std::string& word) {
  uint8_t key[kNoiseKeyBytes];
  memo.word_key(bytes_of(word), key);
  return {reinterpret_cast<const char*>(key), sizeof(key)};
}

std::string unknown_key(const Memo& memo, const std::string& token) {
  uint8_t key[kNoiseKeyBytes];
  memo.unknown_key(bytes_of(token), key);
  return {reinterpret_cast<const char*>(key), sizeof(key)};
}

NoiseTerms terms() { return {.bundle_hash = kHash, .mechanism = 1, .parameters = {5, 6}, .epoch = 7}; }

void test_everything_counts() {
  const Memo memo(kKey, terms());
  const std::string cat = word_key(memo, "cat");
  CHECK(word_key(memo, "cat") == cat);
  CHECK(word_key(Memo(kKey, terms()), "cat") == cat);
  CHECK(word_key(memo, "dog") != cat);
  CHECK(word_key(memo, "ca") != cat);
  CHECK(unknown_key(memo, "cat") != cat);
  uint8_t other_key[32], other_hash[32];
  for (int i = 0; i < 32; ++i) {
    std::memcpy(other_key, kKey, 32);
    std::memcpy(other_hash, kHash, 32);
    other_key[i] ^= 1;
    other_hash[i] ^= 0x80;
    CHECK(word_key(Memo(other_key, terms()), "cat") != cat);
    NoiseTerms other = terms();
    other.bundle_hash = other_hash;
    CHECK(word_key(Memo(kKey, other), "cat") != cat);
  }
  NoiseTerms mechanism = terms(), first = terms(), second = terms(), swapped = terms(), epoch = terms();
  mechanism.mechanism = 2;
  first.parameters[0] = 4;
  second.parameters[1] = uint64_t{6} | uint64_t{1} << 63;
  swapped.parameters[0] = 6;
  swapped.parameters[1] = 5;
  epoch.epoch = uint64_t{7} | uint64_t{1} << 63;
  for (const NoiseTerms& other : {mechanism, first, second, swapped, epoch}) {
    CHECK(word_key(Memo(kKey, other), "cat") != cat);
  }
}

void test_spellings_of_unknown_tokens() {
  const Memo memo(kKey, terms());
  const std::string qwertz = unknown_key(memo, "qw\xC3\xA9rtz");
  CHECK(unknown_key(memo, "QW\xC3\x89RTZ") == qwertz);
  CHECK(unknown_key(memo, "qwe\xCC\x81rtz") == qwertz);
  CHECK(unknown_key(memo, "qwertz") != qwertz);
  // Longer than any window; a unit without a normal form counts as it is typed.
  const std::string longer(5000, 'x'), upper(5000, 'X');
  CHECK(unknown_key(memo, longer) == unknown_key(memo, upper));
  CHECK(unknown_key(memo, longer) != unknown_key(memo, longer + "x"));
  std::string marks;
  for (int i = 0; i < 40; ++i) marks += "\xCC\x81";
  CHECK(unknown_key(memo, "ab" + marks + "c") == unknown_key(memo, "Ab" + marks + "C"));
  CHECK(unknown_key(memo, "ab" + marks + "c") != unknown_key(memo, "aB" + marks + "c"));
  CHECK(unknown_key(memo, "ab" + marks + "c") != unknown_key(memo, "ab" + marks));
}

void test_nothing_is_left() {
  alignas(Memo) static unsigned char memory[sizeof(Memo)];
  Memo* memo = new (memory) Memo(kKey, terms());
  word_key(*memo, "cat");
  memo->~Memo();
  bool zero = true;
  for (size_t i = 0; i < sizeof(Memo); ++i) zero &= static_cast<volatile unsigned char*>(memory)[i] == 0;
  CHECK(zero);
}

// ---- Through the C interface

std::vector<std::string> numbered_words() {
  std::vector<std::string> words;
  for (int i = 0; i < 300; ++i) words.push_back("word" + std::to_string(i));
  return words;
}

class Device {
 public:
  Device(uint32_t mechanism, const uint8_t* key, uint64_t epoch, double epsilon = 0.3) {
    hushbit_privatizer_options options = bundle_.options();
    CHECK(options.device_key == nullptr);
    options.mechanism = mechanism;
    options.epsilon = epsilon;
    options.device_key = key;
    options.epoch = epoch;
    CHECK_EQ(hushbit_privatizer_create(bundle_.handle, &options, &privatizer_, nullptr), HUSHBIT_OK);
  }
  ~Device() { hushbit_privatizer_destroy(privatizer_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  std::string run(const std::string& text) const {
    hushbit_result* result = nullptr;
    CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_privatize(privatizer_, text.data(), text.size(), result, nullptr), HUSHBIT_OK);
    const std::string released = released_text(result);
    hushbit_result_destroy(result);
    return released;
  }
  const hushbit_privatizer* privatizer() const { return privatizer_; }

 private:
  hushbit::testing::OpenBundle bundle_{numbered_words()};
  hushbit_privatizer* privatizer_ = nullptr;
};

std::string some_words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "word" + std::to_string(i * 7 % 300) + " unknown" + std::to_string(i) + " ";
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

void test_repeats_repeat() {
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM}) {
    const Device device(mechanism, kKey, 1), same(mechanism, kKey, 1), next_epoch(mechanism, kKey, 2);
    const Device other_epsilon(mechanism, kKey, 1, 0.31), fresh(mechanism, nullptr, 1);
    const std::string text = some_words(40), released = device.run(text);
    CHECK(device.run(text) == released);
    CHECK(same.run(text) == released);
    CHECK(next_epoch.run(text) != released);
    CHECK(other_epsilon.run(text) != released);
    CHECK(fresh.run(text) != fresh.run(text));
    // Wherever a word stands, and in whatever company: its noise is its own.
    const std::vector<std::string> typed = split(text), words = split(released);
    for (size_t i = 0; i < words.size(); ++i) CHECK(device.run(typed[i]) == words[i]);
    CHECK(split(device.run("word3 word7 x" + text))[3] == words[1]);
  }
}

// Different words get independent noise: outputs under one key are as spread as under fresh noise.
void test_words_do_not_share_noise() {
  const Device device(HUSHBIT_BRR, kKey, 1, 0);  // pure noise, whatever the word
  std::map<std::string, int> counts;
  for (const std::string& word : split(device.run(some_words(300)))) ++counts[word];
  // 600 draws of 300 words: 259 distinct ones are expected, with a standard deviation below 7.
  CHECK(counts.size() > 220 && counts.size() < 298);
}

void test_seed_does_not_matter() {
  const Device device(HUSHBIT_BRR, kKey, 1);
  const std::string text = some_words(5);
  hushbit_result* result = nullptr;
  CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  const uint8_t seed[32] = {3};
  CHECK_EQ(hushbit_testing_privatize(device.privatizer(), seed, text.data(), text.size(), result, nullptr), HUSHBIT_OK);
  CHECK(released_text(result) == device.run(text));
  hushbit_result_destroy(result);
}

void test_threads_agree() {
  const Device device(HUSHBIT_TEM, kKey, 1);
  const std::string text = some_words(30), released = device.run(text);
  std::vector<std::thread> threads;
  std::vector<int> agreed(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) agreed[t] += device.run(text) == released;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : agreed) CHECK_EQ(count, 20);
}

}  // namespace

int main() {
  test_everything_counts();
  test_spellings_of_unknown_tokens();
  test_nothing_is_left();
  test_repeats_repeat();
  test_words_do_not_share_noise();
  test_seed_does_not_matter();
  test_threads_agree();
  return check_result();
}
