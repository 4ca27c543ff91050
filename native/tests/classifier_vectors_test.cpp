// Vectors of a caller's own, and classifiers, against the golden vectors (tests/vectors/README.md).
#include <cmath>
#include <string>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "json.h"
#include "vector_files.h"

using namespace hushbit::testing;

namespace {

hushbit_embedder_options options_of(double epsilon) {
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  CHECK_EQ(hushbit_embedder_options_init(&options, nullptr), HUSHBIT_OK);
  options.epsilon = epsilon;
  return options;
}

hushbit_embedder* embedder_for_vectors(const std::string& file, const Json& item) {
  hushbit_embedder_options options = options_of(item["epsilon"].number());
  options.epoch = hexadecimal(item["epoch"]);
  const std::string key = item["device_key"].is_null() ? "" : item["device_key"].bytes();
  if (!key.empty()) options.device_key = data(key);
  hushbit_embedder* embedder = nullptr;
  CHECK_EQ(hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &embedder, nullptr), HUSHBIT_OK);
  return embedder;
}

std::vector<float> numbers_of(const Json& item) {
  std::vector<float> numbers;
  for (const Json& number : item["numbers"].items()) numbers.push_back(static_cast<float>(number.number()));
  return numbers;
}

void check_vector_case(const std::string& file, const Json& item, hushbit_result* scratch) {
  const Named named(item);
  hushbit_embedder* embedder = embedder_for_vectors(file, item);
  const std::vector<float> numbers = numbers_of(item);
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  hushbit_status status;
  if (item["seed"].is_null()) {
    status = hushbit_embed_vector(embedder, numbers.data(), numbers.size(), scratch, &embedding, nullptr);
  } else {
    const std::string seed = item["seed"].bytes();
    status = hushbit_testing_embed_vector(embedder, data(seed), numbers.data(), numbers.size(), scratch, &embedding,
                                          nullptr);
  }
  CHECK_EQ(status, static_cast<hushbit_status>(item["status"].integer()));
  if (item["status"].integer() == 0 && status == HUSHBIT_OK) {
    CHECK_EQ(embedding.index, item["index"].integer());
    CHECK_EQ(embedding.signs, hexadecimal(item["signs"]));
    const std::vector<Json>& expected = item["vector"].items();
    std::vector<int64_t> vector(expected.size());
    CHECK_EQ(hushbit_embedder_project(embedder, numbers.data(), numbers.size(), vector.data(), nullptr), HUSHBIT_OK);
    for (size_t i = 0; i < vector.size(); ++i) CHECK(std::to_string(vector[i]) == expected[i].text());
  }
  hushbit_embedder_destroy(embedder);
}

// Every byte of the file matters, and no more follows.
void check_damaged_projections(const std::string& file) {
  const hushbit_embedder_options options = options_of(2);
  hushbit_embedder* embedder = nullptr;
  for (size_t at = 0; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    CHECK_EQ(hushbit_embedder_create_from_projection(damaged.data(), damaged.size(), &options, &embedder, nullptr),
             HUSHBIT_INVALID_ARGUMENT);
  }
  for (const size_t size : {size_t{0}, size_t{7}, size_t{63}, size_t{64}, file.size() - 1}) {
    CHECK_EQ(hushbit_embedder_create_from_projection(file.data(), size, &options, &embedder, nullptr),
             HUSHBIT_INVALID_ARGUMENT);
  }
  CHECK(embedder == nullptr);
}

void check_numbers_that_are_not_finite(const std::string& file, hushbit_result* scratch) {
  const hushbit_embedder_options options = options_of(2);
  hushbit_embedder* embedder = nullptr;
  CHECK_EQ(hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &embedder, nullptr), HUSHBIT_OK);
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  CHECK_EQ(hushbit_embedder_get_info(embedder, &info, nullptr), HUSHBIT_OK);
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    std::vector<float> numbers(info.input_numbers, 0.5f);
    numbers.back() = bad;
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding), .index = 12345};
    CHECK_EQ(hushbit_embed_vector(embedder, numbers.data(), numbers.size(), scratch, &embedding, nullptr),
             HUSHBIT_INVALID_ARGUMENT);
    CHECK_EQ(embedding.index, 12345u);
  }
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  CHECK_EQ(hushbit_embed(embedder, "dog", 3, scratch, &embedding, nullptr), HUSHBIT_INVALID_ARGUMENT);
  hushbit_embedder_destroy(embedder);
}

void check_vectors(hushbit_result* scratch) {
  const Json vectors = Json::read_file(kVectors + "embed-vectors.json");
  const std::string file = vectors["projection"].bytes();
  hushbit_embedder* embedder = nullptr;
  const hushbit_embedder_options options = options_of(2);
  CHECK_EQ(hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &embedder, nullptr), HUSHBIT_OK);
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  CHECK_EQ(hushbit_embedder_get_info(embedder, &info, nullptr), HUSHBIT_OK);
  CHECK(std::string(reinterpret_cast<const char*>(info.hash), 32) == vectors["hash"].bytes());
  CHECK_EQ(info.input_numbers, vectors["input_numbers"].integer());
  CHECK_EQ(info.dimensions, vectors["dimensions"].integer());
  CHECK_EQ(info.directions, vectors["directions"].integer());
  CHECK_EQ(info.seed, hexadecimal(vectors["seed"]));
  hushbit_embedder_destroy(embedder);
  CHECK(!vectors["cases"].items().empty());
  for (const Json& item : vectors["cases"].items()) check_vector_case(file, item, scratch);
  check_damaged_projections(file);
  check_numbers_that_are_not_finite(file, scratch);
}

void check_class_names(const hushbit_classifier* classifier, const std::vector<Json>& expected) {
  CHECK_EQ(hushbit_classifier_count(classifier), expected.size());
  for (uint32_t i = 0; i < expected.size(); ++i) {
    size_t length = 0;
    const char* name = hushbit_classifier_name(classifier, i, &length);
    CHECK(std::string(name, length) == expected[i].bytes());
  }
  CHECK(hushbit_classifier_name(classifier, static_cast<uint32_t>(expected.size()), nullptr) == nullptr);
}

void check_classified(const hushbit_classifier* classifier, const Json& item) {
  const Named named(item);
  const std::string text = item["text"].bytes();
  const std::vector<Json>& expected = item["log_odds"].items();
  std::vector<double> log_odds(expected.size());
  uint32_t best = 12345, again = 12345;
  CHECK_EQ(hushbit_classify(classifier, text.data(), text.size(), &best, log_odds.data(), nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_classify(classifier, text.data(), text.size(), &again, nullptr, nullptr), HUSHBIT_OK);
  CHECK_EQ(best, item["best"].integer());
  CHECK_EQ(again, best);
  for (size_t i = 0; i < log_odds.size(); ++i) CHECK(close(log_odds[i], expected[i].number()));
}

void check_classifiers() {
  const Json vectors = Json::read_file(kVectors + "classify.json");
  hushbit_bundle* bundle = nullptr;
  CHECK_EQ(hushbit_bundle_open((kVectors + vectors["bundle"].text()).c_str(), &bundle, nullptr), HUSHBIT_OK);
  hushbit_embedder* embedder = nullptr;
  const hushbit_embedder_options options = options_of(2);
  CHECK_EQ(hushbit_embedder_create(bundle, &options, &embedder, nullptr), HUSHBIT_OK);
  for (const Json& item : vectors["refused"].items()) {
    const Named named(item);
    const std::string weights = item["weights"].bytes();
    hushbit_classifier* classifier = nullptr;
    hushbit_error error = {};
    CHECK_EQ(hushbit_classifier_open(embedder, weights.data(), weights.size(), &classifier, &error),
             HUSHBIT_INVALID_ARGUMENT);
    CHECK(std::string(error.message).find("the weights of the classifier") == 0);
    CHECK(classifier == nullptr);
  }
  const std::string weights = vectors["weights"].bytes();
  hushbit_classifier* classifier = nullptr;
  CHECK_EQ(hushbit_classifier_open(embedder, weights.data(), weights.size(), &classifier, nullptr), HUSHBIT_OK);
  // Each keeps what it needs alive.
  hushbit_embedder_destroy(embedder);
  hushbit_bundle_close(bundle);
  check_class_names(classifier, vectors["classes"].items());
  for (const Json& item : vectors["cases"].items()) check_classified(classifier, item);
  uint32_t best = 12345;
  const float number = 1;
  CHECK_EQ(hushbit_classify(classifier, "\xFF", 1, &best, nullptr, nullptr), HUSHBIT_INVALID_TEXT);
  CHECK_EQ(hushbit_classify_vector(classifier, &number, 1, &best, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(best, 12345u);
  hushbit_classifier_close(classifier);
}

}  // namespace

int main() {
  hushbit_result* scratch = nullptr;
  CHECK_EQ(hushbit_result_create(&scratch, nullptr), HUSHBIT_OK);
  check_vectors(scratch);
  hushbit_result_destroy(scratch);
  check_classifiers();
  return check_result();
}
