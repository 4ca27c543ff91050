// The analysis calls of the testing library: a mechanism without text, its weights, counts of distances.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "open_bundle.h"
#include "released.h"
#include "search/hamming.h"

namespace {

const std::vector<std::string> kWords = {"ape", "bat", "cat", "dog", "eel", "fox"};
constexpr uint8_t kSeed[32] = {7};

struct Opened {
  hushbit::testing::OpenBundle bundle{kWords};
  hushbit_privatizer* privatizer = nullptr;

  Opened(uint32_t mechanism, double epsilon) {
    hushbit_privatizer_options options = bundle.options();
    options.mechanism = mechanism;
    options.epsilon = epsilon;
    CHECK_EQ(hushbit_privatizer_create(bundle.handle, &options, &privatizer, nullptr), HUSHBIT_OK);
  }
  ~Opened() { hushbit_privatizer_destroy(privatizer); }
};

// The same draws as for a text of these words.
void test_replace_is_the_mechanism_of_privatize() {
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM}) {
    const Opened opened(mechanism, 0.2);
    std::vector<uint32_t> words(40), outputs(40);
    std::string text;
    for (uint32_t i = 0; i < words.size(); ++i) {
      words[i] = i % static_cast<uint32_t>(kWords.size());
      text += kWords[words[i]] + ' ';
    }
    CHECK_EQ(hushbit_testing_replace(opened.privatizer, kSeed, words.data(), words.size(), outputs.data(), nullptr),
             HUSHBIT_OK);
    std::string replaced;
    for (const uint32_t word : outputs) replaced += (replaced.empty() ? "" : " ") + kWords[word];
    hushbit_result* result = nullptr;
    CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_testing_privatize(opened.privatizer, kSeed, text.data(), text.size(), result, nullptr),
             HUSHBIT_OK);
    CHECK(replaced == hushbit::testing::released_text(result));
    hushbit_result_destroy(result);

    // Without a seed, each call is its own.
    std::vector<uint32_t> fresh(40), again(40);
    CHECK_EQ(hushbit_testing_replace(opened.privatizer, nullptr, words.data(), 40, fresh.data(), nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_testing_replace(opened.privatizer, nullptr, words.data(), 40, again.data(), nullptr), HUSHBIT_OK);
    CHECK(fresh != again);
  }
}

void test_replace_refuses_unknown_ids() {
  const Opened opened(HUSHBIT_BRR, 1);
  const uint32_t words[] = {0, 6};
  uint32_t outputs[] = {77, 77};
  hushbit_error error = {};
  CHECK_EQ(hushbit_testing_replace(opened.privatizer, kSeed, words, 2, outputs, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(outputs[0], 77u);
  CHECK(std::strstr(error.message, "word id 6") != nullptr);
  CHECK_EQ(hushbit_testing_replace(opened.privatizer, kSeed, nullptr, 0, nullptr, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_testing_replace(nullptr, kSeed, words, 2, outputs, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_testing_replace(opened.privatizer, kSeed, nullptr, 2, outputs, nullptr), HUSHBIT_INVALID_ARGUMENT);
}

void test_weights() {
  const Opened tem(HUSHBIT_TEM, 0.5), brr(HUSHBIT_BRR, 0.5);
  std::vector<uint64_t> weights(65);
  CHECK_EQ(hushbit_privatizer_weights(tem.privatizer, weights.data(), nullptr), HUSHBIT_OK);
  CHECK(weights[64] >= 1);
  CHECK(weights[0] > weights[1]);
  CHECK(std::is_sorted(weights.rbegin(), weights.rend()));
  CHECK_EQ(hushbit_privatizer_weights(brr.privatizer, weights.data(), nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_privatizer_weights(tem.privatizer, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
}

void test_distance_counts() {
  const Opened opened(HUSHBIT_BRR, 1);
  std::vector<uint8_t> codes(kWords.size() * 8);
  for (uint32_t i = 0; i < kWords.size(); ++i) {
    CHECK_EQ(hushbit_bundle_code(opened.bundle.handle, i, codes.data() + size_t{i} * 8, nullptr), HUSHBIT_OK);
  }
  std::vector<uint32_t> counts(kWords.size() * 65, 99);
  CHECK_EQ(hushbit_bundle_distance_counts(opened.bundle.handle, codes.data(), kWords.size(), counts.data(), nullptr),
           HUSHBIT_OK);
  std::vector<uint32_t> expected(counts.size());
  for (size_t i = 0; i < kWords.size(); ++i) {
    for (size_t j = 0; j < kWords.size(); ++j) {
      ++expected[i * 65 + hushbit::hamming_distance(codes.data() + i * 8, codes.data() + j * 8, 8)];
    }
  }
  CHECK(counts == expected);
  CHECK_EQ(hushbit_bundle_distance_counts(opened.bundle.handle, nullptr, 1, counts.data(), nullptr),
           HUSHBIT_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  test_replace_is_the_mechanism_of_privatize();
  test_replace_refuses_unknown_ids();
  test_weights();
  test_distance_counts();
  return check_result();
}
