// Seeded randomness and a clock to set. Not part of the phone libraries.
#include "hushbit/testing.h"

#include <string.h>

#include "api/handles.h"
#include "base/chacha20.h"
#include "base/error.h"
#include "base/random.h"
#include "search/search.h"

using hushbit::fail;
using hushbit::null_argument;

namespace {

constexpr uint8_t kNonce[12] = {};
constexpr uint8_t kNoSeed[32] = {};

bool fill_from_stream(void* state, void* out, size_t size) {
  return static_cast<hushbit::ChaCha20Stream*>(state)->fill(out, size);
}

// The keystream, or without a seed the operating system.
hushbit::RandomSource source_of(const uint8_t* seed, hushbit::ChaCha20Stream* stream) {
  return seed == nullptr ? hushbit::system_random() : hushbit::RandomSource{fill_from_stream, stream};
}

struct Callback {
  int (*fill)(void* state, void* out, size_t size);
  void* state;
};

hushbit_status check_word(const hushbit_privatizer* privatizer, uint32_t word, hushbit_error* error) {
  const uint32_t known = privatizer->bundle->bundle.info().words;
  if (word < known) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "word id %u is out of range; the bundle has %u words", word, known);
}

// The privatizer's crowds and the index of a word's stand-in.
hushbit_status crowd_of(const hushbit_privatizer* privatizer, uint32_t word, const hushbit::Crowd** crowd,
                        uint32_t* index, hushbit_error* error) {
  *crowd = privatizer->privatizer.mechanism().crowd();
  if (*crowd == nullptr) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "only the mechanism crowd has crowds");
  const hushbit_status status = check_word(privatizer, word, error);
  if (status != HUSHBIT_OK) return status;
  *index = privatizer->bundle->bundle.outputs().stand_in(word);
  return *index != HUSHBIT_NO_WORD ? HUSHBIT_OK : hushbit::damaged_codes(error);
}

// What `TextCrowd` may be given.
hushbit_status check_vector(const hushbit::TextCrowd& crowd, const int64_t* vector, hushbit_error* error) {
  constexpr uint64_t kMost = uint64_t{1} << 62;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < crowd.directions().dimensions() && sum < kMost; ++i) {
    const auto number = static_cast<uint64_t>(vector[i]);
    sum += vector[i] < 0 ? 0 - number : number;  // below 2^64: what it is added to is below 2^62
  }
  if (sum < kMost) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the magnitudes of a vector must sum to less than 2^62");
}

bool fill_from_callback(void* state, void* out, size_t size) {
  const auto* callback = static_cast<const Callback*>(state);
  return callback->fill(callback->state, out, size) == 1;
}

}  // namespace

hushbit_status hushbit_testing_privatize(const hushbit_privatizer* privatizer, const uint8_t* seed, const char* text,
                                         size_t text_bytes, hushbit_result* result, hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  if (result != nullptr) result->result.keeps_noisy_codes = true;
  return hushbit::privatize_checked(privatizer, text, text_bytes, source_of(seed, &stream), result, error);
}

hushbit_status hushbit_testing_privatize_with(const hushbit_privatizer* privatizer,
                                              int (*fill)(void* state, void* out, size_t size), void* state,
                                              const char* text, size_t text_bytes, hushbit_result* result,
                                              hushbit_error* error) {
  Callback callback{fill, state};
  if (result != nullptr) result->result.keeps_noisy_codes = true;
  return hushbit::privatize_checked(privatizer, text, text_bytes, {fill_from_callback, &callback}, result, error);
}

hushbit_status hushbit_testing_report_text(const hushbit_reporter* reporter, const uint8_t* seed, const char* text,
                                           size_t text_bytes, hushbit_report* report, hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  return hushbit::report_text_checked(reporter, text, text_bytes, source_of(seed, &stream), report, error);
}

hushbit_status hushbit_testing_report_value(const hushbit_reporter* reporter, const uint8_t* seed, uint32_t value,
                                            hushbit_report* report, hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  return hushbit::report_value_checked(reporter, value, source_of(seed, &stream), report, error);
}

hushbit_status hushbit_testing_report_word(const hushbit_reporter* reporter, const uint8_t* seed, const char* word,
                                           size_t word_bytes, hushbit_report* report, hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  return hushbit::report_word_checked(reporter, word, word_bytes, source_of(seed, &stream), report, error);
}

hushbit_status hushbit_testing_draw_reports(const hushbit_reporter* reporter, const uint8_t* seed,
                                            const uint32_t* values, size_t count, uint64_t* reports,
                                            hushbit_error* error) {
  if (reporter == nullptr || ((values == nullptr || reports == nullptr) && count > 0)) return null_argument(error);
  const hushbit::ReportMechanism& mechanism = reporter->reporter.mechanism();
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  const hushbit::RandomSource random = source_of(seed, &stream);
  for (size_t i = 0; i < count; ++i) {
    if (values[i] >= mechanism.values()) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "there is no such value");
    uint64_t drawn[hushbit::ReportMechanism::kDrawnNumbers];
    uint32_t report = 0;
    if (!random.fill(random.state, drawn, sizeof(drawn)) || !mechanism.draw(values[i], drawn, random, &report)) {
      return fail(error, HUSHBIT_RANDOMNESS_FAILED, 0, "the operating system provided no randomness");
    }
    reports[i] = report;
  }
  return HUSHBIT_OK;
}

const uint8_t* hushbit_testing_noisy_codes(const hushbit_result* result, size_t* count, size_t* code_bytes) {
  const hushbit::Result& inner = result->result;
  *code_bytes = inner.code_bytes;
  *count = inner.code_bytes == 0 ? 0 : inner.draws.noisy.size() / inner.code_bytes;
  return inner.draws.noisy.data();
}

hushbit_status hushbit_testing_embed(const hushbit_embedder* embedder, const uint8_t* seed, const char* text,
                                     size_t text_bytes, hushbit_result* scratch, hushbit_embedding* embedding,
                                     hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  return hushbit::embed_checked(embedder, text, text_bytes, source_of(seed, &stream), scratch, embedding, error);
}

hushbit_status hushbit_testing_embed_vector(const hushbit_embedder* embedder, const uint8_t* seed, const float* numbers,
                                            size_t count, hushbit_result* scratch, hushbit_embedding* embedding,
                                            hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  return hushbit::embed_vector_checked(embedder, numbers, count, source_of(seed, &stream), scratch, embedding, error);
}

hushbit_status hushbit_testing_embed_with(const hushbit_embedder* embedder,
                                          int (*fill)(void* state, void* out, size_t size), void* state,
                                          const char* text, size_t text_bytes, hushbit_result* scratch,
                                          hushbit_embedding* embedding, hushbit_error* error) {
  Callback callback{fill, state};
  return hushbit::embed_checked(embedder, text, text_bytes, {fill_from_callback, &callback}, scratch, embedding, error);
}

void hushbit_testing_keystream(const uint8_t seed[32], uint64_t offset, uint8_t* out, size_t size) {
  hushbit::ChaCha20Stream stream(seed, kNonce);
  stream.seek(offset);
  stream.fill(out, size);
}

void hushbit_testing_budget_set_clock(hushbit_budget* budget, int64_t seconds) { budget->budget.set_clock(seconds); }

hushbit_status hushbit_testing_replace(const hushbit_privatizer* privatizer, const uint8_t* seed, const uint32_t* words,
                                       size_t count, uint32_t* outputs, hushbit_error* error) {
  if (privatizer == nullptr || ((words == nullptr || outputs == nullptr) && count > 0)) return null_argument(error);
  for (size_t i = 0; i < count; ++i) {
    if (words[i] == HUSHBIT_NO_WORD) continue;
    const hushbit_status status = check_word(privatizer, words[i], error);
    if (status != HUSHBIT_OK) return status;
  }
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  hushbit::Draws draws;
  const hushbit::NoiseSource noise{.shared = source_of(seed, &stream)};
  const hushbit_status status = privatizer->privatizer.mechanism().replace(words, count, noise, &draws, error);
  if (status == HUSHBIT_OK && count > 0) memcpy(outputs, draws.outputs.data(), count * sizeof(uint32_t));
  return status;
}

hushbit_status hushbit_testing_is_public(const hushbit_bundle* bundle, const uint32_t* words, size_t count,
                                         uint8_t* found, hushbit_error* error) {
  if (bundle == nullptr || ((words == nullptr || found == nullptr) && count > 0)) return null_argument(error);
  const hushbit::PublicWords& listed = bundle->bundle.public_words();
  for (size_t i = 0; i < count; ++i) found[i] = listed.contains(words[i]) ? 1 : 0;
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_weights(const hushbit_privatizer* privatizer, uint64_t* weights, hushbit_error* error) {
  if (privatizer == nullptr || weights == nullptr) return null_argument(error);
  const hushbit::TemWeights* table = privatizer->privatizer.mechanism().weights();
  if (table == nullptr) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "only the mechanism tem has weights");
  memcpy(weights, table->weight, (size_t{table->bits} + 1) * sizeof(uint64_t));
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_crowd(const hushbit_privatizer* privatizer, uint32_t word, hushbit_crowd_member* members,
                                     uint32_t capacity, uint32_t* count, hushbit_error* error) {
  if (privatizer == nullptr || count == nullptr || (members == nullptr && capacity > 0)) return null_argument(error);
  const hushbit::Crowd* crowd = nullptr;
  uint32_t index = 0;
  hushbit_status status = crowd_of(privatizer, word, &crowd, &index, error);
  if (status != HUSHBIT_OK) return status;
  hushbit::NearScratch scratch;
  hushbit::Buffer<hushbit::CrowdMember> found;
  if (!crowd->reserve(&scratch)) return hushbit::out_of_memory(error);
  status = crowd->members(index, &scratch, &found);
  if (status == HUSHBIT_OUT_OF_MEMORY) return hushbit::out_of_memory(error);
  if (status != HUSHBIT_OK) return hushbit::damaged_codes(error);
  const hushbit::Outputs& words = privatizer->bundle->bundle.outputs();
  for (uint32_t i = 0; i < found.size(); ++i) {
    const uint32_t member = words.id(found[i].index);
    if (member == HUSHBIT_NO_WORD) return hushbit::damaged_codes(error);
    if (i < capacity) members[i] = {.word = member, .share = found[i].share, .weight = crowd->weight(found[i].index)};
  }
  *count = static_cast<uint32_t>(found.size());
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_output_weight(const hushbit_privatizer* privatizer, uint32_t word, uint32_t* weight,
                                             hushbit_error* error) {
  if (privatizer == nullptr || weight == nullptr) return null_argument(error);
  const hushbit::Crowd* crowd = nullptr;
  uint32_t index = 0;
  const hushbit_status status = crowd_of(privatizer, word, &crowd, &index, error);
  if (status != HUSHBIT_OK) return status;
  *weight = privatizer->bundle->bundle.outputs().id(index) == word ? crowd->weight(index) : 0;
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_text_vector(const hushbit_embedder* embedder, const char* text, size_t text_bytes,
                                           int64_t* vector, hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  if (embedder->embedder.bundle() == nullptr) return hushbit::takes_no_texts(error);
  return embedder->embedder.vector_of(hushbit::as_bytes(text, text_bytes), vector, error);
}

hushbit_status hushbit_testing_project(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                       int64_t* vector, hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || numbers == nullptr) return null_argument(error);
  if (embedder->embedder.bundle() != nullptr) return hushbit::takes_no_vectors(error);
  return embedder->embedder.vector_of(std::span<const float>(numbers, count), vector, error);
}

hushbit_status hushbit_testing_draw_directions(const hushbit_embedder* embedder, const uint8_t* seed,
                                               const int64_t* vector, size_t count, uint32_t* indexes,
                                               hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || (indexes == nullptr && count > 0)) return null_argument(error);
  const hushbit::TextCrowd& crowd = embedder->embedder.crowd();
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  const hushbit::RandomSource random = source_of(seed, &stream);
  hushbit::TextCrowdScratch scratch;
  hushbit_status status = check_vector(crowd, vector, error);
  for (size_t i = 0; status == HUSHBIT_OK && i < count; ++i) {
    if (!crowd.reserve(&scratch)) return hushbit::out_of_memory(error);
    if (!crowd.draw(vector, random, &scratch, &indexes[i])) {
      return fail(error, HUSHBIT_RANDOMNESS_FAILED, 0, "the operating system provided no randomness");
    }
  }
  return status;
}

hushbit_status hushbit_testing_text_crowd(const hushbit_embedder* embedder, const int64_t* vector, uint32_t* indexes,
                                          hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || indexes == nullptr) return null_argument(error);
  const hushbit::TextCrowd& crowd = embedder->embedder.crowd();
  hushbit::TextCrowdScratch scratch;
  const hushbit_status status = check_vector(crowd, vector, error);
  if (status != HUSHBIT_OK) return status;
  if (!crowd.reserve(&scratch)) return hushbit::out_of_memory(error);
  crowd.members(vector, &scratch, indexes);
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_distance_counts(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
                                               uint32_t* counts, hushbit_error* error) {
  if (bundle == nullptr || ((codes == nullptr || counts == nullptr) && count > 0)) return null_argument(error);
  const hushbit::Codes& all = bundle->bundle.codes();
  const size_t stride = size_t{all.bits()} + 1;
  for (size_t i = 0; i < count; ++i) {
    if (!hushbit::count_distances(all, codes + i * all.code_bytes, all.bits(), counts + i * stride)) {
      return hushbit::damaged_codes(error);
    }
  }
  return HUSHBIT_OK;
}

hushbit_status hushbit_testing_search(const hushbit_bundle* bundle, uint32_t search, double expected_flips,
                                      const uint8_t* codes, size_t count, hushbit_nearest* nearest,
                                      hushbit_search_work* work, hushbit_error* error) {
  if (bundle == nullptr || ((codes == nullptr || nearest == nullptr) && count > 0)) return null_argument(error);
  hushbit::SearchPlan plan;
  hushbit::SearchWork done;
  hushbit_status status = plan.init(bundle->bundle.codes(), search, expected_flips, error);
  if (status == HUSHBIT_OK) {
    status = hushbit::find_nearest_checked(bundle, plan, codes, count, nearest, &done, error);
  }
  if (status != HUSHBIT_OK || work == nullptr) return status;
  *work = {.rows = done.rows,
           .clusters = done.scan.clusters,
           .tiles = done.scan.tiles,
           .planes = done.scan.planes,
           .lookups = done.mih.lookups,
           .entries = done.mih.entries,
           .blocks = done.mih.blocks,
           .fallbacks = done.fallbacks};
  return HUSHBIT_OK;
}
