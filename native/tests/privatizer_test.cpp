// The privatizer through the C interface: policies, costs, failures, reuse.
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "open_bundle.h"
#include "released.h"

namespace {

using hushbit::testing::OpenBundle;
using hushbit::testing::released_cost;
using hushbit::testing::released_text;

constexpr uint8_t kSeed[32] = {42};

struct OpenPrivatizer {
  hushbit_privatizer* handle = nullptr;
  hushbit_result* result = nullptr;

  OpenPrivatizer(const OpenBundle& bundle, const hushbit_privatizer_options& options) {
    CHECK_EQ(hushbit_privatizer_create(bundle.handle, &options, &handle, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  }
  ~OpenPrivatizer() {
    hushbit_result_destroy(result);
    hushbit_privatizer_destroy(handle);
  }

  hushbit_status run(const std::string& text, hushbit_error* error = nullptr) {
    return hushbit_testing_privatize(handle, kSeed, text.data(), text.size(), result, error);
  }
  std::string text() const { return released_text(result); }
  hushbit_cost cost() const { return released_cost(result); }
};

const std::vector<std::string> kWords = {"a", "cat", "dog", "sat", "the", ",", "."};

void test_no_noise_returns_the_words() {
  const OpenBundle bundle(kWords);
  hushbit_privatizer_options options = bundle.options();
  options.epsilon = 44;
  OpenPrivatizer privatizer(bundle, options);
  CHECK_EQ(privatizer.run("The cat sat."), HUSHBIT_OK);
  CHECK(privatizer.text() == "the cat sat");
  CHECK_EQ(privatizer.cost().words, 3u);
  CHECK_EQ(privatizer.cost().dropped, 1u);
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(privatizer.result, &count);
  CHECK_EQ(count, 4u);
  CHECK_EQ(tokens[1].byte_begin, 4u);
  CHECK_EQ(tokens[1].output_begin, 4u);
  CHECK_EQ(tokens[1].output_end, 7u);
  CHECK_EQ(tokens[3].output_begin, tokens[3].output_end);

  options.punctuation = HUSHBIT_PUNCTUATION_PRIVATIZE;
  OpenPrivatizer with_punctuation(bundle, options);
  CHECK_EQ(with_punctuation.run("the cat."), HUSHBIT_OK);
  CHECK(with_punctuation.text() == "the cat .");
}

void test_costs() {
  const OpenBundle bundle(kWords);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle.handle, &info, nullptr);
  hushbit_privatizer_options options = bundle.options();
  options.epsilon = 0.5;
  OpenPrivatizer privatizer(bundle, options);
  CHECK_EQ(privatizer.run("the cat xyzzy sat"), HUSHBIT_OK);
  const hushbit_cost cost = privatizer.cost();
  CHECK_EQ(cost.words, 3u);
  CHECK_EQ(cost.unknown, 1u);
  CHECK(cost.epsilon <= 0.5 && cost.epsilon > 0.4999999);
  CHECK(std::abs(cost.average - 4 * 0.5 * info.average_distance) < 1e-9);
  const double per_token = std::max(0.5 * info.max_distance, 64 * std::log((1 + std::exp(0.5)) / 2));
  CHECK(cost.worst_case >= 4 * per_token * (1 - 1e-12) && cost.worst_case < 4 * per_token * (1 + 1e-9));
}

// What a token costs is rounded up to millionths, and sums of these are exact.
void test_costs_are_rounded_up() {
  const OpenBundle bundle(kWords);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle.handle, &info, nullptr);
  hushbit_privatizer_options options = bundle.options();
  options.oov = HUSHBIT_OOV_DROP;
  for (int i = 1; i <= 50; ++i) {
    options.epsilon = i / 37.0;
    OpenPrivatizer privatizer(bundle, options);
    hushbit_privatizer_info told = {.struct_size = sizeof(hushbit_privatizer_info)};
    hushbit_privatizer_get_info(privatizer.handle, &told, nullptr);
    CHECK(std::fma(told.effective_epsilon, info.max_distance, -told.worst_case_per_token) <= 0);
    std::string text;
    for (int tokens = 1; tokens <= i; ++tokens) text += "cat ";
    CHECK_EQ(privatizer.run(text), HUSHBIT_OK);
    const auto millionths = std::llround(told.worst_case_per_token * 1e6);
    CHECK_EQ(told.worst_case_per_token, static_cast<double>(millionths) / 1e6);
    CHECK_EQ(privatizer.cost().worst_case, static_cast<double>(i * millionths) / 1e6);
  }
}

// Nothing of the last release is left to be taken for this one.
void test_a_call_without_arguments_empties_the_result() {
  const OpenBundle bundle(kWords);
  OpenPrivatizer privatizer(bundle, bundle.options());
  const auto refill = [&] {
    CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
    CHECK(!privatizer.text().empty());
  };
  refill();
  CHECK_EQ(hushbit_privatize(nullptr, "a", 1, privatizer.result, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK(privatizer.text().empty());
  refill();
  CHECK_EQ(hushbit_privatize(privatizer.handle, nullptr, 1, privatizer.result, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK(privatizer.text().empty());
  refill();
  CHECK_EQ(hushbit_tokenize(nullptr, "a", 1, privatizer.result, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK(privatizer.text().empty());
}

void test_oov_policies() {
  const OpenBundle bundle(kWords);
  const auto run = [&](hushbit_oov_policy policy) {
    hushbit_privatizer_options options = bundle.options();
    options.epsilon = 44;
    options.oov = policy;
    OpenPrivatizer privatizer(bundle, options);
    CHECK_EQ(privatizer.run("the Xyzzy cat"), HUSHBIT_OK);
    const hushbit_cost cost = privatizer.cost();
    CHECK_EQ(cost.unknown, 1u);
    CHECK_EQ(cost.verbatim, policy == HUSHBIT_OOV_VERBATIM_UNSAFE ? 1u : 0u);
    CHECK_EQ(std::isinf(cost.worst_case), policy == HUSHBIT_OOV_VERBATIM_UNSAFE);
    CHECK_EQ(std::isinf(cost.average), policy == HUSHBIT_OOV_VERBATIM_UNSAFE);
    return privatizer.text();
  };
  CHECK(run(HUSHBIT_OOV_DROP) == "the cat");
  CHECK(run(HUSHBIT_OOV_MASK) == "the [unk] cat");
  CHECK(run(HUSHBIT_OOV_VERBATIM_UNSAFE) == "the Xyzzy cat");
  const std::string random = run(HUSHBIT_OOV_RANDOM);
  CHECK(random.find("yzzy") == std::string::npos);
  CHECK(random.size() > std::strlen("the cat") + 1);

  hushbit_privatizer_options options = bundle.options();
  options.oov = HUSHBIT_OOV_ERROR;
  OpenPrivatizer refusing(bundle, options);
  hushbit_error error = {};
  CHECK_EQ(refusing.run("the Xyzzy cat", &error), HUSHBIT_UNKNOWN_WORD);
  CHECK_EQ(error.position, 4u);
  CHECK(std::strstr(error.message, "yzzy") == nullptr);
  CHECK(refusing.text().empty());
  CHECK_EQ(refusing.cost().epsilon, 0.0);
}

// Where tokens before it were left out, a replacement has no space before it.
void test_what_is_left_out_leaves_no_space() {
  const OpenBundle bundle(kWords);
  hushbit_privatizer_options options = bundle.options();
  options.epsilon = 44;
  options.oov = HUSHBIT_OOV_DROP;
  OpenPrivatizer privatizer(bundle, options);
  for (const char* text : {"Xyzzy the cat", "(\"the cat\")", " the, xyzzy - cat. xyzzy!"}) {
    CHECK_EQ(privatizer.run(text), HUSHBIT_OK);
    CHECK(privatizer.text() == "the cat");
  }
  CHECK_EQ(privatizer.run("xyzzy!"), HUSHBIT_OK);
  CHECK(privatizer.text().empty());
}

void test_invalid_options() {
  const OpenBundle bundle(kWords);
  const auto refused = [&](auto change) {
    hushbit_privatizer_options options = bundle.options();
    change(options);
    hushbit_privatizer* privatizer = nullptr;
    hushbit_error error = {};
    const hushbit_status status = hushbit_privatizer_create(bundle.handle, &options, &privatizer, &error);
    return status == HUSHBIT_INVALID_ARGUMENT && privatizer == nullptr && error.message[0] != '\0';
  };
  for (const double epsilon : {-1.0, -1e-300, double{NAN}, double{INFINITY}, -double{INFINITY}}) {
    CHECK(refused([&](hushbit_privatizer_options& options) { options.epsilon = epsilon; }));
  }
  for (const int more : {-8, -1, 1, 8}) {  // another version's
    CHECK(refused([&](hushbit_privatizer_options& options) { options.struct_size += static_cast<uint32_t>(more); }));
  }
  CHECK(refused([](hushbit_privatizer_options& options) { options.struct_size = 0; }));
  CHECK(refused([](hushbit_privatizer_options& options) { options.mechanism = 0; }));
  CHECK(refused([](hushbit_privatizer_options& options) { options.oov = 5; }));
  CHECK(refused([](hushbit_privatizer_options& options) { options.punctuation = 2; }));
  const auto mask = [&](const char* text, size_t size) {
    return refused([&](hushbit_privatizer_options& options) {
      options.oov = HUSHBIT_OOV_MASK;
      options.mask = text;
      options.mask_bytes = size;
    });
  };
  CHECK(mask(nullptr, 1));
  CHECK(mask("", 0));
  CHECK(mask("\xff", 1));
  const std::string long_mask(65, 'x');
  CHECK(mask(long_mask.data(), long_mask.size()));
}

void test_huge_epsilon_is_clamped_and_said() {
  const OpenBundle bundle(kWords);
  hushbit_privatizer_options options = bundle.options();
  options.epsilon = 1e9;
  const OpenPrivatizer privatizer(bundle, options);
  hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
  hushbit_privatizer_get_info(privatizer.handle, &info, nullptr);
  CHECK_EQ(info.clamped, 1);
  CHECK_EQ(info.flip_threshold, 1u);
  CHECK(info.effective_epsilon < 44.37);
  CHECK_EQ(info.requested_epsilon, 1e9);
}

void test_invalid_text_releases_nothing() {
  const OpenBundle bundle(kWords);
  OpenPrivatizer privatizer(bundle, bundle.options());
  hushbit_error error = {};
  CHECK_EQ(privatizer.run("the cat \xc3", &error), HUSHBIT_INVALID_TEXT);
  CHECK_EQ(error.position, 8u);
  CHECK(privatizer.text().empty());
  size_t count = 1;
  CHECK(hushbit_result_tokens(privatizer.result, &count) == nullptr);
  CHECK_EQ(count, 0u);
  CHECK_EQ(privatizer.run(""), HUSHBIT_OK);
  CHECK_EQ(privatizer.run(std::string("cat\0dog", 7)), HUSHBIT_OK);
  CHECK_EQ(hushbit_privatize(privatizer.handle, nullptr, 0, privatizer.result, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_privatize(privatizer.handle, nullptr, 1, privatizer.result, nullptr), HUSHBIT_INVALID_ARGUMENT);
}

// A source that works for some draws, then fails.
int fill_a_few_times(void* state, void* out, size_t size) {
  std::memset(out, 0x5A, size);
  return (*static_cast<int*>(state))-- > 0 ? 1 : 0;
}

void test_failing_randomness_releases_nothing() {
  const OpenBundle bundle(kWords);
  OpenPrivatizer privatizer(bundle, bundle.options());
  std::string text;
  for (int i = 0; i < 40; ++i) text += "cat ";  // three groups, a draw each
  for (const int draws : {0, 1, 2}) {
    int left = draws;
    hushbit_error error = {};
    CHECK_EQ(hushbit_testing_privatize_with(privatizer.handle, fill_a_few_times, &left, text.data(), text.size(),
                                            privatizer.result, &error),
             HUSHBIT_RANDOMNESS_FAILED);
    CHECK(privatizer.text().empty());
  }
  int left = 3;
  CHECK_EQ(hushbit_testing_privatize_with(privatizer.handle, fill_a_few_times, &left, text.data(), text.size(),
                                          privatizer.result, nullptr),
           HUSHBIT_OK);
}

void test_fresh_randomness_every_call() {
  const OpenBundle bundle(kWords, 256);
  hushbit_privatizer_options options = bundle.options();
  options.epsilon = 0.1;
  OpenPrivatizer privatizer(bundle, options);
  const std::string text = "cat dog sat";
  std::vector<std::string> noisy;
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(
        hushbit_testing_privatize(privatizer.handle, nullptr, text.data(), text.size(), privatizer.result, nullptr),
        HUSHBIT_OK);
    size_t count = 0, bytes = 0;
    const uint8_t* codes = hushbit_testing_noisy_codes(privatizer.result, &count, &bytes);
    CHECK_EQ(count, 3u);
    CHECK_EQ(bytes, 32u);
    noisy.emplace_back(reinterpret_cast<const char*>(codes), count * bytes);
  }
  CHECK(noisy[0] != noisy[1]);  // false alarm: 2^-700
}

void test_privatizer_outlives_its_bundle() {
  hushbit_privatizer* privatizer = nullptr;
  OpenBundle bundle(kWords);
  const hushbit_privatizer_options options = bundle.options();
  CHECK_EQ(hushbit_privatizer_create(bundle.handle, &options, &privatizer, nullptr), HUSHBIT_OK);
  hushbit_bundle_close(bundle.handle);
  bundle.handle = nullptr;
  hushbit_result* result = nullptr;
  CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_privatize(privatizer, "cat", 3, result, nullptr), HUSHBIT_OK);
  hushbit_result_destroy(result);
  hushbit_privatizer_destroy(privatizer);
}

void test_threads_share_a_privatizer() {
  const OpenBundle bundle(kWords);
  OpenPrivatizer shared(bundle, bundle.options());
  const std::string text = "the cat sat . a dog sat , the cat xyzzy";
  CHECK_EQ(shared.run(text), HUSHBIT_OK);
  const std::string expected = shared.text();
  std::vector<int> wrong(8);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&] {
      hushbit_result* result = nullptr;
      hushbit_result_create(&result, nullptr);
      for (int i = 0; i < 200; ++i) {
        hushbit_testing_privatize(shared.handle, kSeed, text.data(), text.size(), result, nullptr);
        count += released_text(result) != expected;
      }
      hushbit_result_destroy(result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK_EQ(count, 0);
}

void test_invalid_memory() {
  const OpenBundle bundle(kWords);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle.handle, &info, nullptr);
  const auto* bytes = reinterpret_cast<const char*>(bundle.memory.data());
  std::vector<uint64_t> room(bundle.memory.size() + 1);
  for (int offset = 1; offset < 8; ++offset) {
    char* moved = reinterpret_cast<char*>(room.data()) + offset;
    std::memcpy(moved, bytes, info.file_bytes);
    hushbit_bundle* opened = nullptr;
    CHECK_EQ(hushbit_bundle_open_memory(moved, info.file_bytes, &opened, nullptr), HUSHBIT_INVALID_ARGUMENT);
    CHECK(opened == nullptr);
  }

  std::vector<char> word(info.max_word_bytes);
  size_t length = 77;
  CHECK_EQ(hushbit_bundle_word(bundle.handle, 0, word.data(), word.size() - 1, &length, nullptr),
           HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(length, 77u);
  CHECK_EQ(hushbit_bundle_word(bundle.handle, 0, word.data(), word.size(), &length, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_bundle_word(bundle.handle, info.words, word.data(), word.size(), &length, nullptr),
           HUSHBIT_INVALID_ARGUMENT);
}

void test_null_is_refused_or_ignored() {
  hushbit_bundle_close(nullptr);
  hushbit_privatizer_destroy(nullptr);
  hushbit_result_destroy(nullptr);
  hushbit_error error = {};
  hushbit_bundle* bundle = nullptr;
  CHECK_EQ(hushbit_bundle_open(nullptr, &bundle, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_bundle_open("x", nullptr, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_privatizer_create(nullptr, nullptr, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_privatize(nullptr, "a", 1, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_result_create(nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  test_no_noise_returns_the_words();
  test_costs();
  test_costs_are_rounded_up();
  test_a_call_without_arguments_empties_the_result();
  test_oov_policies();
  test_what_is_left_out_leaves_no_space();
  test_invalid_options();
  test_huge_epsilon_is_clamped_and_said();
  test_invalid_text_releases_nothing();
  test_failing_randomness_releases_nothing();
  test_fresh_randomness_every_call();
  test_privatizer_outlives_its_bundle();
  test_threads_share_a_privatizer();
  test_invalid_memory();
  test_null_is_refused_or_ignored();
  return check_result();
}
