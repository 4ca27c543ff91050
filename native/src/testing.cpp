// Seeded randomness and a clock to set. Not part of the phone libraries.
#include "hushbit/testing.h"

#include "chacha20.h"
#include "handles.h"

namespace {

constexpr uint8_t kNonce[12] = {};

bool fill_from_stream(void* state, void* out, size_t size) {
  return static_cast<hushbit::ChaCha20Stream*>(state)->fill(out, size);
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

hushbit_status hushbit_testing_privatize(const hushbit_privatizer* privatizer, const uint8_t seed[32], const char* text,
                                         size_t text_bytes, hushbit_result* result, hushbit_error* error) {
  hushbit::ChaCha20Stream stream(seed, kNonce);
  return hushbit::privatize_checked(privatizer, text, text_bytes, {fill_from_stream, &stream}, result, error);
}

hushbit_status hushbit_testing_privatize_with(const hushbit_privatizer* privatizer,
                                              int (*fill)(void* state, void* out, size_t size), void* state,
                                              const char* text, size_t text_bytes, hushbit_result* result,
                                              hushbit_error* error) {
  Callback callback{fill, state};
  return hushbit::privatize_checked(privatizer, text, text_bytes, {fill_from_callback, &callback}, result, error);
}

const uint8_t* hushbit_testing_noisy_codes(const hushbit_result* result, size_t* count, size_t* code_bytes) {
  const hushbit::Result& inner = result->result;
  *code_bytes = inner.code_bytes;
  *count = inner.code_bytes == 0 ? 0 : inner.draws.noisy.size() / inner.code_bytes;
  return inner.draws.noisy.data();
}

void hushbit_testing_keystream(const uint8_t seed[32], uint64_t offset, uint8_t* out, size_t size) {
  hushbit::ChaCha20Stream stream(seed, kNonce);
  stream.seek(offset);
  stream.fill(out, size);
}

void hushbit_testing_budget_set_clock(hushbit_budget* budget, int64_t seconds) { budget->budget.set_clock(seconds); }
