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
    if (values[i] >= mechanism.values())
      return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "there is no such value to draw");
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
    const hushbit_status status = hushbit::check_word(privatizer, words[i], error);
    if (status != HUSHBIT_OK) return status;
  }
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  hushbit::Draws draws;
  const hushbit::NoiseSource noise{.shared = source_of(seed, &stream)};
  const hushbit_status status = privatizer->privatizer.mechanism().replace(words, count, noise, &draws, error);
  if (status == HUSHBIT_OK && count > 0) memcpy(outputs, draws.outputs.data(), count * sizeof(uint32_t));
  return status;
}

hushbit_status hushbit_testing_draw_directions(const hushbit_embedder* embedder, const uint8_t* seed,
                                               const int64_t* vector, size_t count, uint32_t* indexes,
                                               hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || (indexes == nullptr && count > 0)) return null_argument(error);
  const hushbit::TextCrowd& crowd = embedder->embedder.crowd();
  hushbit::ChaCha20Stream stream(seed == nullptr ? kNoSeed : seed, kNonce);
  const hushbit::RandomSource random = source_of(seed, &stream);
  hushbit::TextCrowdScratch scratch;
  hushbit_status status = hushbit::check_vector(crowd, vector, error);
  for (size_t i = 0; status == HUSHBIT_OK && i < count; ++i) {
    if (!crowd.reserve(&scratch)) return hushbit::out_of_memory(error);
    if (!crowd.draw(vector, random, &scratch, &indexes[i])) {
      return fail(error, HUSHBIT_RANDOMNESS_FAILED, 0, "the operating system provided no randomness");
    }
  }
  return status;
}
