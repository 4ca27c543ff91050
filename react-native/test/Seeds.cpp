#include "Seeds.h"

#include <hushbit/testing.h>

#include <cstring>

namespace hushbit::testing {

Randomness& randomness() {
  static Randomness one;
  return one;
}

namespace {

int fill(void* state, void* out, size_t size) {
  std::string& left = static_cast<Randomness*>(state)->stream;
  if (size > left.size()) return 0;
  std::memcpy(out, left.data(), size);
  left.erase(0, size);
  return 1;
}

const uint8_t* seed() {
  return randomness().seed.empty() ? nullptr : reinterpret_cast<const uint8_t*>(randomness().seed.data());
}

}  // namespace

extern "C" {

hushbit_status __wrap_hushbit_privatize(const hushbit_privatizer* privatizer, const char* text, size_t bytes,
                                        hushbit_result* result, hushbit_error* error) {
  if (!randomness().streams) return hushbit_testing_privatize(privatizer, seed(), text, bytes, result, error);
  return hushbit_testing_privatize_with(privatizer, fill, &randomness(), text, bytes, result, error);
}

hushbit_status __wrap_hushbit_embed(const hushbit_embedder* embedder, const char* text, size_t bytes,
                                    hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error) {
  if (!randomness().streams) return hushbit_testing_embed(embedder, seed(), text, bytes, scratch, embedding, error);
  return hushbit_testing_embed_with(embedder, fill, &randomness(), text, bytes, scratch, embedding, error);
}

hushbit_status __wrap_hushbit_embed_vector(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                           hushbit_result* scratch, hushbit_embedding* embedding,
                                           hushbit_error* error) {
  return hushbit_testing_embed_vector(embedder, seed(), numbers, count, scratch, embedding, error);
}

hushbit_status __wrap_hushbit_report_text(const hushbit_reporter* reporter, const char* text, size_t bytes,
                                          hushbit_report* report, hushbit_error* error) {
  return hushbit_testing_report_text(reporter, seed(), text, bytes, report, error);
}

hushbit_status __wrap_hushbit_report_value(const hushbit_reporter* reporter, uint32_t value, hushbit_report* report,
                                           hushbit_error* error) {
  return hushbit_testing_report_value(reporter, seed(), value, report, error);
}

hushbit_status __wrap_hushbit_report_word(const hushbit_reporter* reporter, const char* word, size_t bytes,
                                          hushbit_report* report, hushbit_error* error) {
  return hushbit_testing_report_word(reporter, seed(), word, bytes, report, error);
}

}  // extern "C"

}  // namespace hushbit::testing
