// Nothing is allocated for a privatized word: once a result has held a text, more of them need no memory. The linker
// sends every call of malloc and its like through the counters here.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "crowds_builder.h"
#include "hushbit/hushbit.h"
#include "indexed_bundle.h"

static long allocations = 0;

extern "C" {
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);

void* __wrap_malloc(size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void* __wrap_calloc(size_t count, size_t size) {
  ++allocations;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, size_t size) {
  ++allocations;
  return __real_realloc(memory, size);
}
}

using namespace hushbit::testing;

namespace {

const std::string kText =
    "word1 word2, unknown word3 word700 \xF0\x9F\x98\x80 word12 word13 word14 and more than sixteen: "
    "word20 word21 word22 word23 word24 word25 word26 word27 word28";

std::vector<uint64_t> bundle_of(Index index, bool crowds) {
  BundleSpec spec;
  spec.bits = 256;
  for (int i = 0; i < 900; ++i) spec.words.push_back("word" + std::to_string(i));
  const Bytes bytes = build_bundle(with_index(crowds ? with_example_crowds(spec) : spec, index));
  std::vector<uint64_t> memory((bytes.size() + 7) / 8);
  memcpy(memory.data(), bytes.data(), bytes.size());
  return memory;
}

size_t size_of(const std::vector<uint64_t>& memory) {
  uint64_t size;
  memcpy(&size, reinterpret_cast<const uint8_t*>(memory.data()) + 32, 8);
  return static_cast<size_t>(size);
}

void check(const hushbit_bundle* bundle, uint32_t mechanism, uint32_t search, double epsilon,
           uint32_t crowd = HUSHBIT_CROWD_SIZE_DEFAULT) {
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  options.mechanism = mechanism;
  options.search = search;
  options.epsilon = epsilon;
  options.allow_unchanged = 1;
  options.crowd_size = crowd;
  hushbit_privatizer* privatizer = nullptr;
  if (hushbit_privatizer_create(bundle, &options, &privatizer, nullptr) != HUSHBIT_OK) return;
  hushbit_result* result = nullptr;
  CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  // The output's length is random; a long text first gives it room.
  const std::string long_text = kText + " " + kText;
  const long before_any = allocations;
  CHECK_EQ(hushbit_privatize(privatizer, long_text.data(), long_text.size(), result, nullptr), HUSHBIT_OK);
  CHECK(allocations > before_any);
  const long before = allocations;
  for (int i = 0; i < 50; ++i) {
    CHECK_EQ(hushbit_privatize(privatizer, kText.data(), kText.size(), result, nullptr), HUSHBIT_OK);
  }
  CHECK_EQ(allocations, before);
  hushbit_result_destroy(result);
  hushbit_privatizer_destroy(privatizer);
}

// A reporter needs no memory for a text, not even the first one or a long one.
void check_reports(const hushbit_bundle* bundle, uint32_t values) {
  hushbit_reporter_options options = {.struct_size = sizeof(hushbit_reporter_options)};
  hushbit_reporter_options_init(&options, nullptr);
  options.values = values;
  hushbit_reporter* reporter = nullptr;
  CHECK_EQ(hushbit_reporter_create(bundle, &options, &reporter, nullptr), HUSHBIT_OK);
  hushbit_report report = {.struct_size = sizeof(hushbit_report)};
  std::string long_text = kText;
  for (int i = 0; i < 5; ++i) long_text += " " + long_text;
  const long before = allocations;
  for (int i = 0; i < 50; ++i) {
    CHECK_EQ(hushbit_report_text(reporter, kText.data(), kText.size(), &report, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_report_text(reporter, long_text.data(), long_text.size(), &report, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_report_value(reporter, 0, &report, nullptr), HUSHBIT_OK);
  }
  CHECK_EQ(allocations, before);
  hushbit_reporter_destroy(reporter);
}

// The first text gives the scratch memory its room, however short it is.
void check_embedding() {
  hushbit_bundle* bundle = nullptr;
  CHECK_EQ(hushbit_bundle_open(HUSHBIT_VECTORS "/embed-64.hushbit", &bundle, nullptr), HUSHBIT_OK);
  const uint8_t key[32] = {};
  for (const uint8_t* device_key : {static_cast<const uint8_t*>(nullptr), key}) {
    hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
    hushbit_embedder_options_init(&options, nullptr);
    options.device_key = device_key;
    hushbit_embedder* embedder = nullptr;
    CHECK_EQ(hushbit_embedder_create(bundle, &options, &embedder, nullptr), HUSHBIT_OK);
    hushbit_result* scratch = nullptr;
    CHECK_EQ(hushbit_result_create(&scratch, nullptr), HUSHBIT_OK);
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
    const long before_any = allocations;
    CHECK_EQ(hushbit_embed(embedder, "dog", 3, scratch, &embedding, nullptr), HUSHBIT_OK);
    CHECK(allocations > before_any);
    const long before = allocations;
    for (const std::string& text : {std::string(), kText, std::string("the dog is not here"), kText + kText}) {
      CHECK_EQ(hushbit_embed(embedder, text.data(), text.size(), scratch, &embedding, nullptr), HUSHBIT_OK);
    }
    CHECK_EQ(allocations, before);
    hushbit_result_destroy(scratch);
    hushbit_embedder_destroy(embedder);
  }
  hushbit_bundle_close(bundle);
}

}  // namespace

int main() {
  check_embedding();
  for (int kind = 0; kind < 8; ++kind) {
    const std::vector<uint64_t> memory = bundle_of(kIndexes[kind / 2], kind % 2 == 1);
    hushbit_bundle* bundle = nullptr;
    const long before = allocations;
    CHECK_EQ(hushbit_bundle_open_memory(memory.data(), size_of(memory), &bundle, nullptr), HUSHBIT_OK);
    CHECK_EQ(allocations, before + 1);  // the handle
    for (uint32_t search = HUSHBIT_SEARCH_AUTO; search <= HUSHBIT_SEARCH_MIH; ++search) {
      for (const double epsilon : {0.0, 1.0, 4.0}) check(bundle, HUSHBIT_BRR, search, epsilon);
    }
    check(bundle, HUSHBIT_TEM, HUSHBIT_SEARCH_AUTO, 1.0);
    for (uint32_t crowd = HUSHBIT_CROWD_SIZE_ONE; crowd <= HUSHBIT_CROWD_SIZE_MANY; ++crowd) {
      check(bundle, HUSHBIT_CROWD, HUSHBIT_SEARCH_AUTO, 5.0, crowd);
    }
    for (const uint32_t values : {HUSHBIT_VALUES_WORDS, HUSHBIT_VALUES_EMOJI, HUSHBIT_VALUES_NEW_WORDS}) {
      check_reports(bundle, values);
    }
    hushbit_bundle_close(bundle);
  }
  return check_result();
}
