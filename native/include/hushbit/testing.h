// Seeded randomness and a settable clock, for tests and experiments only. They are in the separate library
// `hushbit_testing`, which no phone build links. Text privatized with a known seed has NO privacy, since anyone who
// knows the seed can undo the noise.
#ifndef HUSHBIT_TESTING_H_
#define HUSHBIT_TESTING_H_

#include "hushbit.h"  // in the same folder, so that Swift finds it without a search path

#ifdef __cplusplus
extern "C" {
#endif

// Does the same as hushbit_privatize, with the ChaCha20 keystream (RFC 8439, nonce 0, counter from 0) of the 32 bytes
// at `seed` instead of the operating system's randomness. If `seed` is NULL, the operating system's randomness is used.
// A privatizer with a device key ignores the seed. Every call starts the stream from the beginning. The result keeps
// the noisy codes. The same failures, threads and ownership as hushbit_privatize.
HUSHBIT_API hushbit_status hushbit_testing_privatize(const hushbit_privatizer* privatizer, const uint8_t* seed,
                                                     const char* text, size_t text_bytes, hushbit_result* result,
                                                     hushbit_error* error);

// Does the same as hushbit_privatize, with a caller's source of randomness: `fill` writes `size` bytes and returns 1,
// or returns 0 to fail. The result keeps the noisy codes.
HUSHBIT_API hushbit_status hushbit_testing_privatize_with(const hushbit_privatizer* privatizer,
                                                          int (*fill)(void* state, void* out, size_t size), void* state,
                                                          const char* text, size_t text_bytes, hushbit_result* result,
                                                          hushbit_error* error);

// Do the same as hushbit_report_text, hushbit_report_value and hushbit_report_word, with the keystream of `seed`, as in
// hushbit_testing_privatize.
HUSHBIT_API hushbit_status hushbit_testing_report_text(const hushbit_reporter* reporter, const uint8_t* seed,
                                                       const char* text, size_t text_bytes, hushbit_report* report,
                                                       hushbit_error* error);
HUSHBIT_API hushbit_status hushbit_testing_report_value(const hushbit_reporter* reporter, const uint8_t* seed,
                                                        uint32_t value, hushbit_report* report, hushbit_error* error);
HUSHBIT_API hushbit_status hushbit_testing_report_word(const hushbit_reporter* reporter, const uint8_t* seed,
                                                       const char* word, size_t word_bytes, hushbit_report* report,
                                                       hushbit_error* error);

// Draws a report of each of `count` values, one after another, from the keystream of `seed` or, if it is NULL, from the
// operating system's randomness. Nothing is spent or logged. For new words, values are buckets of group 0.
// INVALID_ARGUMENT if there is no such value, RANDOMNESS_FAILED. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_draw_reports(const hushbit_reporter* reporter, const uint8_t* seed,
                                                        const uint32_t* values, size_t count, uint64_t* reports,
                                                        hushbit_error* error);

// Returns the noisy codes of the last privatize call on `result` by one of these functions, in token order, for words
// and for unknown tokens under HUSHBIT_OOV_RANDOM: `*count` codes of `*code_bytes` bytes each. The memory belongs to
// the result and is valid until its next use.
HUSHBIT_API const uint8_t* hushbit_testing_noisy_codes(const hushbit_result* result, size_t* count, size_t* code_bytes);

// Does the same as hushbit_embed, with the keystream of `seed`, as in hushbit_testing_privatize.
HUSHBIT_API hushbit_status hushbit_testing_embed(const hushbit_embedder* embedder, const uint8_t* seed,
                                                 const char* text, size_t text_bytes, hushbit_result* scratch,
                                                 hushbit_embedding* embedding, hushbit_error* error);

// Does the same as hushbit_embed_vector, in the same way.
HUSHBIT_API hushbit_status hushbit_testing_embed_vector(const hushbit_embedder* embedder, const uint8_t* seed,
                                                        const float* numbers, size_t count, hushbit_result* scratch,
                                                        hushbit_embedding* embedding, hushbit_error* error);

// Does the same as hushbit_embed, with a caller's source of randomness, as in hushbit_testing_privatize_with.
HUSHBIT_API hushbit_status hushbit_testing_embed_with(const hushbit_embedder* embedder,
                                                      int (*fill)(void* state, void* out, size_t size), void* state,
                                                      const char* text, size_t text_bytes, hushbit_result* scratch,
                                                      hushbit_embedding* embedding, hushbit_error* error);

// Writes `size` bytes of the seed's keystream, starting at byte `offset`, to `out`.
HUSHBIT_API void hushbit_testing_keystream(const uint8_t seed[32], uint64_t offset, uint8_t* out, size_t size);

// Sets the budget's clock to `seconds` since 1970, 0 or more; -1 restores the system's clock. Must not be called while
// another thread uses the budget.
HUSHBIT_API void hushbit_testing_budget_set_clock(hushbit_budget* budget, int64_t seconds);

// ---- Mechanisms without text ---------------------------------------------------------------------------------

// Replaces `count` words by the privatizer's mechanism. Inputs and outputs are ids. HUSHBIT_NO_WORD stands for an
// unknown token, and public words are replaced like others. Randomness is the keystream of `seed`, or the operating
// system's randomness if `seed` is NULL. INVALID_ARGUMENT for an id out of range; OUT_OF_MEMORY, RANDOMNESS_FAILED.
// After a failure `outputs` is unchanged. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_replace(const hushbit_privatizer* privatizer, const uint8_t* seed,
                                                   const uint32_t* words, size_t count, uint32_t* outputs,
                                                   hushbit_error* error);

// Draws a direction for a vector of d integers whose magnitudes sum to less than 2^62, `count` times, as hushbit_embed
// draws for the vector of a text. Randomness is as in hushbit_testing_replace. INVALID_ARGUMENT for a larger sum;
// OUT_OF_MEMORY, RANDOMNESS_FAILED. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_draw_directions(const hushbit_embedder* embedder, const uint8_t* seed,
                                                           const int64_t* vector, size_t count, uint32_t* indexes,
                                                           hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HUSHBIT_TESTING_H_
