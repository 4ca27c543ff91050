// Anything as a projection, and as weights of a classifier: opened, and used if it opens.
#include <string.h>

#include <cmath>
#include <string>
#include <vector>

#include "../tests/bundle_builder.h"
#include "../tests/exercise.h"
#include "base/sha256.h"

using namespace hushbit::testing;

namespace {

constexpr size_t kHashBytes = 32;

Handle<hushbit_embedder> open_projection(const Bytes& file) {
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  REQUIRE(hushbit_embedder_options_init(&options, nullptr) == HUSHBIT_OK);
  hushbit_embedder* embedder = nullptr;
  hushbit_error error = {};
  const hushbit_status status =
      hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &embedder, &error);
  if (status == HUSHBIT_OK) return Handle<hushbit_embedder>(embedder);
  REQUIRE(embedder == nullptr && status == HUSHBIT_INVALID_ARGUMENT);
  require_told(status, error);
  return nullptr;
}

// With its hash made to fit, so that mutations get past it.
void exercise_projection(Bytes file) {
  if (file.size() >= kHashBytes) {
    hushbit::Sha256 hash;
    hash.update(file.data(), file.size() - kHashBytes);
    hash.finish(file.data() + file.size() - kHashBytes);
  }
  const Handle<hushbit_embedder> embedder = open_projection(file);
  if (embedder == nullptr) return;
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  REQUIRE(hushbit_embedder_get_info(embedder.get(), &info, nullptr) == HUSHBIT_OK);
  hushbit_result* result = nullptr;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> scratch(result);
  for (const float number : {0.0f, 1.5f, -3e38f, 1e-45f}) {
    std::vector<float> numbers(info.input_numbers, number);
    numbers[0] = -number;
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
    REQUIRE(hushbit_embed_vector(embedder.get(), numbers.data(), numbers.size(), result, &embedding, nullptr) ==
            HUSHBIT_OK);
    REQUIRE(embedding.index < info.directions);
  }
}

const hushbit_embedder* fixed_embedder() {
  static const Handle<hushbit_embedder> embedder = [] {
    Bytes file = {0x89, 'H', 'S', 'P', '\r', '\n', 0x1A, '\n'};
    for (const uint32_t number : {1u, 4u, 8u, 50u}) put(file, file.size(), number);
    file.resize(64 + 4 * 4 + 4 * 8 * 2, 1);
    std::fill(file.begin() + 24, file.begin() + 64 + 4 * 4, uint8_t{0});
    file.resize(file.size() + kHashBytes);
    hushbit::Sha256 hash;
    hash.update(file.data(), file.size() - kHashBytes);
    hash.finish(file.data() + file.size() - kHashBytes);
    return open_projection(file);
  }();
  return embedder.get();
}

// With the right hash where the text says HASH.
void exercise_classifier(std::string json) {
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  REQUIRE(hushbit_embedder_get_info(fixed_embedder(), &info, nullptr) == HUSHBIT_OK);
  const size_t at = json.find("HASH");
  if (at != std::string::npos) {
    std::string hash;
    for (const uint8_t byte : info.hash) {
      hash += "0123456789abcdef"[byte >> 4];
      hash += "0123456789abcdef"[byte & 15];
    }
    json.replace(at, 4, hash);
  }
  hushbit_classifier* classifier = nullptr;
  hushbit_error error = {};
  const hushbit_status status =
      hushbit_classifier_open(fixed_embedder(), json.data(), json.size(), &classifier, &error);
  if (status != HUSHBIT_OK) {
    REQUIRE(classifier == nullptr && status == HUSHBIT_INVALID_ARGUMENT);
    require_told(status, error);
    return;
  }
  const uint32_t count = hushbit_classifier_count(classifier);
  REQUIRE(count >= 2);
  for (uint32_t i = 0; i < count; ++i) {
    size_t length = 0;
    const char* name = hushbit_classifier_name(classifier, i, &length);
    REQUIRE(length >= 1 && length <= 200 && is_utf8(name, length));
  }
  std::vector<double> log_odds(count);
  uint32_t best = count;
  for (const float number : {0.0f, 1.5f, -3e38f}) {
    const float numbers[4] = {number, -number, 1, 0};
    REQUIRE(hushbit_classify_vector(classifier, numbers, 4, &best, log_odds.data(), nullptr) == HUSHBIT_OK);
    REQUIRE(best < count);
    for (const double odds : log_odds) REQUIRE(std::isfinite(odds) && odds <= log_odds[best]);
  }
  hushbit_classifier_close(classifier);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2 == 0) {
    exercise_projection({data + 1, data + size});
  } else {
    exercise_classifier({reinterpret_cast<const char*>(data) + 1, size - 1});
  }
  return 0;
}
