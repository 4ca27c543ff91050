// Embeddings against the golden vectors, which an independent reference wrote (tests/vectors/README.md).
#include <string>
#include <vector>

#include "check.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "json.h"
#include "vector_files.h"

using namespace hushbit::testing;

namespace {

hushbit_embedder* embedder_of(const hushbit_bundle* bundle, const Json& item) {
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  CHECK_EQ(hushbit_embedder_options_init(&options, nullptr), HUSHBIT_OK);
  options.epsilon = item["epsilon"].number();
  options.punctuation = item["punctuation"].text() == "drop" ? HUSHBIT_PUNCTUATION_DROP : HUSHBIT_PUNCTUATION_PRIVATIZE;
  options.epoch = hexadecimal(item["epoch"]);
  const std::string key = item["device_key"].is_null() ? "" : item["device_key"].bytes();
  if (!key.empty()) options.device_key = data(key);
  hushbit_embedder* embedder = nullptr;
  CHECK_EQ(hushbit_embedder_create(bundle, &options, &embedder, nullptr), HUSHBIT_OK);
  return embedder;
}

hushbit_status embed(const hushbit_embedder* embedder, const Json& item, hushbit_result* scratch,
                     hushbit_embedding* embedding, hushbit_error* error) {
  const std::string text = item["text"].bytes();
  if (!item["device_key"].is_null()) {
    return hushbit_embed(embedder, text.data(), text.size(), scratch, embedding, error);
  }
  if (!item["seed"].is_null()) {
    const std::string seed = item["seed"].bytes();
    return hushbit_testing_embed(embedder, data(seed), text.data(), text.size(), scratch, embedding, error);
  }
  Stream stream{item["stream"].bytes()};
  const hushbit_status status =
      hushbit_testing_embed_with(embedder, Stream::fill, &stream, text.data(), text.size(), scratch, embedding, error);
  CHECK_EQ(stream.left.size(), 0u);
  return status;
}

void check_vector(const hushbit_embedder* embedder, const Json& item) {
  const std::string text = item["text"].bytes();
  const std::vector<Json>& expected = item["vector"].items();
  std::vector<int64_t> vector(expected.size());
  CHECK_EQ(hushbit_embedder_text_vector(embedder, text.data(), text.size(), vector.data(), nullptr), HUSHBIT_OK);
  for (size_t i = 0; i < vector.size(); ++i) CHECK(std::to_string(vector[i]) == expected[i].text());
}

void check_case(const hushbit_bundle* bundle, const Json& item, hushbit_result* scratch) {
  const Named named(item);
  hushbit_embedder* embedder = embedder_of(bundle, item);
  if (embedder == nullptr) return;
  hushbit_error error = {};
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  const hushbit_status status = embed(embedder, item, scratch, &embedding, &error);
  CHECK_EQ(status, static_cast<hushbit_status>(item["status"].integer()));
  CHECK_EQ(error.position, item["position"].integer());
  if (item["status"].integer() == 0 && status == HUSHBIT_OK) {
    hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
    CHECK_EQ(hushbit_embedder_get_info(embedder, &info, nullptr), HUSHBIT_OK);
    CHECK_EQ(info.crowd_threshold, hexadecimal(item["crowd_threshold"]));
    CHECK_EQ(info.crowd_directions, item["crowd_directions"].integer());
    CHECK(close(info.effective_epsilon, item["effective_epsilon"].number()));
    CHECK(info.effective_epsilon <= info.requested_epsilon);
    CHECK_EQ(info.memoized != 0, !item["device_key"].is_null());
    CHECK_EQ(embedding.index, item["index"].integer());
    CHECK_EQ(embedding.signs, hexadecimal(item["signs"]));
    CHECK_EQ(embedding.dimensions, info.dimensions);
    CHECK_EQ(embedding.epsilon, info.effective_epsilon);
    check_vector(embedder, item);
  }
  hushbit_embedder_destroy(embedder);
}

void check_file(const std::string& name) {
  const Json vectors = Json::read_file(kVectors + name + ".json");
  hushbit_bundle* bundle = nullptr;
  CHECK_EQ(hushbit_bundle_open((kVectors + vectors["bundle"].text()).c_str(), &bundle, nullptr), HUSHBIT_OK);
  if (bundle == nullptr) return;
  CHECK_EQ(hushbit_bundle_verify(bundle, nullptr), HUSHBIT_OK);
  hushbit_embedder* embedder = nullptr;
  const hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options), .epsilon = 2};
  CHECK_EQ(hushbit_embedder_create(bundle, &options, &embedder, nullptr), HUSHBIT_OK);
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  CHECK_EQ(hushbit_embedder_get_info(embedder, &info, nullptr), HUSHBIT_OK);
  CHECK(std::string(reinterpret_cast<const char*>(info.hash), 32) == vectors["bundle_hash"].bytes());
  CHECK_EQ(info.dimensions, vectors["dimensions"].integer());
  CHECK_EQ(info.directions, vectors["directions"].integer());
  CHECK_EQ(info.seed, hexadecimal(vectors["seed"]));
  hushbit_embedder_destroy(embedder);
  hushbit_result* scratch = nullptr;
  CHECK_EQ(hushbit_result_create(&scratch, nullptr), HUSHBIT_OK);
  CHECK(!vectors["cases"].items().empty());
  for (const Json& item : vectors["cases"].items()) check_case(bundle, item, scratch);
  hushbit_result_destroy(scratch);
  hushbit_bundle_close(bundle);
}

}  // namespace

int main() {
  for (const char* name : {"embed-64", "embed-128"}) check_file(name);
  return check_result();
}
