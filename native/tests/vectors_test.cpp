// The core against the golden vectors, which an independent reference wrote (tests/vectors/README.md).
#include <cmath>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "json.h"
#include "released.h"
#include "vector_files.h"

using hushbit::testing::close;
using hushbit::testing::data;
using hushbit::testing::hexadecimal;
using hushbit::testing::kVectors;
using hushbit::testing::Named;
using hushbit::testing::Stream;

namespace {

hushbit_oov_policy oov_policy(const std::string& name) {
  const std::vector<std::string> names = {"random", "drop", "mask", "error", "verbatim-unsafe"};
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<hushbit_oov_policy>(i);
  }
  std::cerr << "no policy is called " << name << '\n';
  std::exit(1);
}

std::string kind_name(hushbit_token_kind kind) {
  switch (kind) {
    case HUSHBIT_TOKEN_WORD:
      return "word";
    case HUSHBIT_TOKEN_UNKNOWN:
      return "unknown";
    default:
      return "punctuation";
  }
}

void check_range(const Json& expected, uint64_t begin, uint64_t end) {
  CHECK_EQ(begin, expected.items()[0].integer());
  CHECK_EQ(end, expected.items()[1].integer());
}

void check_tokens(const std::vector<Json>& expected, const hushbit_result* result) {
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  CHECK_EQ(count, expected.size());
  if (count != expected.size()) return;
  for (size_t i = 0; i < count; ++i) {
    const Json& want = expected[i];
    const hushbit_token& token = tokens[i];
    CHECK(kind_name(token.kind) == want["kind"].text());
    CHECK_EQ(token.word, want["id"].is_null() ? HUSHBIT_NO_WORD : static_cast<uint32_t>(want["id"].integer()));
    check_range(want["bytes"], token.byte_begin, token.byte_end);
    check_range(want["utf16"], token.utf16_begin, token.utf16_end);
    if (want["output"].is_null()) {
      CHECK_EQ(token.output_begin, token.output_end);
    } else {
      check_range(want["output"], token.output_begin, token.output_end);
    }
  }
}

void check_noisy_codes(const std::vector<Json>& expected, const hushbit_result* result) {
  size_t count = 0, code_bytes = 0;
  const uint8_t* codes = hushbit_testing_noisy_codes(result, &count, &code_bytes);
  CHECK_EQ(count, expected.size());
  if (count != expected.size()) return;
  for (size_t i = 0; i < count; ++i) {
    const std::string want = expected[i].bytes();
    CHECK_EQ(want.size(), code_bytes);
    CHECK(std::memcmp(codes + i * code_bytes, want.data(), want.size()) == 0);
  }
}

uint32_t mechanism_of(const std::string& name) {
  return name == "crowd" ? HUSHBIT_CROWD : name == "tem" ? HUSHBIT_TEM : HUSHBIT_BRR;
}

uint32_t crowd_of(const Json& name) {
  if (name.is_null()) return HUSHBIT_CROWD_SIZE_DEFAULT;
  return name.text() == "one"   ? HUSHBIT_CROWD_SIZE_ONE
         : name.text() == "few" ? HUSHBIT_CROWD_SIZE_FEW
                                : HUSHBIT_CROWD_SIZE_MANY;
}

void check_cost(const Json& expected, const hushbit_result* result) {
  const hushbit_cost cost = hushbit::testing::released_cost(result);
  const auto finite_or = [](const Json& value) { return value.is_null() ? HUGE_VAL : value.number(); };
  CHECK(close(cost.epsilon, expected["epsilon"].number()));
  CHECK(close(cost.average, finite_or(expected["average"])));
  CHECK(close(cost.worst_case, finite_or(expected["worst_case"])));
  CHECK_EQ(cost.words, expected["words"].integer());
  CHECK_EQ(cost.unknown, expected["unknown"].integer());
  CHECK_EQ(cost.dropped, expected["dropped"].integer());
  CHECK_EQ(cost.verbatim, expected["verbatim"].integer());
  CHECK_EQ(cost.public_words, expected.has("public_words") ? expected["public_words"].integer() : 0);
}

hushbit_privatizer* privatizer_of(const hushbit_bundle* bundle, const Json& item) {
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  const std::string mask = item["mask"].bytes();
  options.epsilon = item["epsilon"].number();
  options.allow_unchanged = 1;
  options.oov = oov_policy(item["oov"].text());
  options.punctuation = item["punctuation"].text() == "drop" ? HUSHBIT_PUNCTUATION_DROP : HUSHBIT_PUNCTUATION_PRIVATIZE;
  options.mask = mask.data();
  options.mask_bytes = mask.size();
  options.mechanism = mechanism_of(item["mechanism"].text());
  if (item.has("crowd")) options.crowd_size = crowd_of(item["crowd"]);
  options.beta = item["beta"].number();
  options.epoch = hexadecimal(item["epoch"]);
  const std::string key = item["device_key"].is_null() ? "" : item["device_key"].bytes();
  if (!key.empty()) {
    CHECK_EQ(key.size(), 32u);
    options.device_key = data(key);
  }
  hushbit_privatizer* privatizer = nullptr;
  CHECK_EQ(hushbit_privatizer_create(bundle, &options, &privatizer, nullptr), HUSHBIT_OK);
  return privatizer;
}

void check_case(const hushbit_bundle* bundle, const Json& item, hushbit_result* result) {
  const Named named(item);
  hushbit_privatizer* privatizer = privatizer_of(bundle, item);
  if (privatizer == nullptr) return;
  const std::string text = item["text"].bytes();
  hushbit_error error = {};
  hushbit_status status;
  if (!item["device_key"].is_null()) {
    status = hushbit_privatize(privatizer, text.data(), text.size(), result, &error);
  } else if (item["seed"].is_null()) {
    Stream stream{item["stream"].bytes()};
    status =
        hushbit_testing_privatize_with(privatizer, Stream::fill, &stream, text.data(), text.size(), result, &error);
    CHECK_EQ(stream.left.size(), 0u);
  } else {
    const std::string seed = item["seed"].bytes();
    CHECK_EQ(seed.size(), 32u);
    status = hushbit_testing_privatize(privatizer, data(seed), text.data(), text.size(), result, &error);
  }
  CHECK_EQ(status, static_cast<hushbit_status>(item["status"].integer()));
  CHECK_EQ(error.position, item["position"].integer());
  const std::string output = hushbit::testing::released_text(result);
  if (item["status"].integer() == 0 && status == HUSHBIT_OK) {
    hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
    hushbit_privatizer_get_info(privatizer, &info, nullptr);
    CHECK_EQ(info.flip_threshold, hexadecimal(item["flip_threshold"]));
    CHECK_EQ(info.gamma, item["gamma"].integer());
    CHECK_EQ(info.memoized != 0, !item["device_key"].is_null());
    if (item.has("crowd_threshold")) {
      CHECK_EQ(info.crowd_threshold, hexadecimal(item["crowd_threshold"]));
      CHECK_EQ(info.crowd_mass, item["crowd_mass"].integer());
      CHECK_EQ(info.output_mass, item["output_mass"].integer());
      CHECK(close(info.mean_crowd, item["mean_crowd"].number()));
    }
    check_tokens(item["tokens"].items(), result);
    check_noisy_codes(item["noisy_codes"].items(), result);
    CHECK(output == item["output"].bytes());
    check_cost(item["cost"], result);
  } else {
    CHECK(output.empty());
  }
  hushbit_privatizer_destroy(privatizer);
}

void check_words(const hushbit_bundle* bundle, const std::vector<Json>& words) {
  for (uint32_t id = 0; id < words.size(); ++id) {
    const std::string want = words[id].bytes();
    char buffer[255];
    size_t length = 0;
    uint32_t found = HUSHBIT_NO_WORD;
    CHECK_EQ(hushbit_bundle_word(bundle, id, buffer, sizeof(buffer), &length, nullptr), HUSHBIT_OK);
    CHECK(std::string(buffer, length) == want);
    CHECK_EQ(hushbit_bundle_find(bundle, want.data(), want.size(), &found, nullptr), HUSHBIT_OK);
    CHECK_EQ(found, id);
  }
}

void check_nearest(const hushbit_bundle* bundle, const Json& item) {
  const std::string code = item["code"].bytes();
  hushbit_nearest nearest = {};
  CHECK_EQ(hushbit_bundle_nearest(bundle, data(code), 1, &nearest, nullptr), HUSHBIT_OK);
  CHECK_EQ(nearest.distance, item["distance"].integer());
  CHECK_EQ(nearest.ties, item["ties"].integer());
  CHECK_EQ(nearest.word, item["word"].integer());
  const std::vector<Json>& ids = item["neighbors"]["ids"].items();
  std::vector<uint32_t> found(ids.size()), distances(ids.size());
  CHECK_EQ(hushbit_bundle_neighbors(bundle, data(code), ids.size(), found.data(), distances.data(), nullptr),
           HUSHBIT_OK);
  for (size_t i = 0; i < ids.size(); ++i) {
    CHECK_EQ(found[i], ids[i].integer());
    CHECK_EQ(distances[i], item["neighbors"]["distances"].items()[i].integer());
  }
}

void check_bundle(const std::string& name) {
  const Json vectors = Json::read_file(kVectors + "privatize-" + name + ".json");
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  CHECK_EQ(hushbit_bundle_open((kVectors + vectors["bundle"].text()).c_str(), &bundle, &error), HUSHBIT_OK);
  if (bundle == nullptr) {
    std::cerr << "  " << name << ": " << error.message << '\n';
    return;
  }
  CHECK_EQ(hushbit_bundle_verify(bundle, nullptr), HUSHBIT_OK);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  CHECK(std::string(reinterpret_cast<const char*>(info.hash), 32) == vectors["bundle_hash"].bytes());
  CHECK_EQ(info.bits, vectors["bits"].integer());
  CHECK_EQ(info.words, vectors["words"].items().size());
  CHECK_EQ(info.max_distance, vectors["max_distance"].integer());
  CHECK_EQ(info.max_word_bytes, vectors["max_word_bytes"].integer());
  CHECK_EQ(info.average_distance, vectors["average_distance"].number());
  if (vectors.has("output_words")) {
    CHECK_EQ(info.output_words, vectors["output_words"].integer());
    CHECK_EQ(info.public_words, vectors["public_words"].integer());
    CHECK_EQ(info.default_mechanism, mechanism_of(vectors["default_mechanism"].text()));
    CHECK_EQ(info.default_crowd_size, crowd_of(vectors["default_crowd"]));
    CHECK_EQ(info.default_epsilon, vectors["default_epsilon"].number());
    CHECK_EQ(info.default_epsilon_brr, vectors["default_epsilon_brr"].number());
    CHECK_EQ(info.default_epsilon_tem, vectors["default_epsilon_tem"].number());
  }
  check_words(bundle, vectors["words"].items());
  for (const Json& item : vectors["nearest"].items()) check_nearest(bundle, item);
  hushbit_result* result = nullptr;
  CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  CHECK(!vectors["cases"].items().empty());
  for (const Json& item : vectors["cases"].items()) check_case(bundle, item, result);
  hushbit_result_destroy(result);
  hushbit_bundle_close(bundle);
}

void check_coin() {
  hushbit_bundle* bundle = nullptr;
  CHECK_EQ(hushbit_bundle_open((kVectors + "single-512.hushbit").c_str(), &bundle, nullptr), HUSHBIT_OK);
  const Json vectors = Json::read_file(kVectors + "coin.json");
  for (const Json& item : vectors.items()) {
    hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
    hushbit_privatizer_options_init(bundle, &options, nullptr);
    options.epsilon = item["epsilon"].number();
    options.allow_unchanged = 1;
    hushbit_privatizer* privatizer = nullptr;
    CHECK_EQ(hushbit_privatizer_create(bundle, &options, &privatizer, nullptr), HUSHBIT_OK);
    hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
    hushbit_privatizer_get_info(privatizer, &info, nullptr);
    CHECK_EQ(info.flip_threshold, hexadecimal(item["flip_threshold"]));
    CHECK(info.effective_epsilon <= options.epsilon);
    CHECK(close(info.effective_epsilon, item["effective_epsilon"].number()));
    CHECK_EQ(info.clamped != 0, item["clamped"].boolean());
    hushbit_privatizer_destroy(privatizer);
  }
  hushbit_bundle_close(bundle);
}

void check_keystream() {
  const Json vectors = Json::read_file(kVectors + "keystream.json");
  for (const Json& item : vectors.items()) {
    const std::string want = item["bytes"].bytes(), seed = item["seed"].bytes();
    std::string got(want.size(), '\0');
    hushbit_testing_keystream(data(seed), item["offset"].integer(), reinterpret_cast<uint8_t*>(got.data()), got.size());
    CHECK(got == want);
  }
}

}  // namespace

int main() {
  for (const char* name :
       {"words-64", "words-256", "twins-128", "single-512", "crowds-64", "outputs-128", "crowds-by-codes"}) {
    check_bundle(name);
  }
  check_coin();
  check_keystream();
  return check_result();
}
