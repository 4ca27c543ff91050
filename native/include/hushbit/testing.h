// Seeded randomness and a clock to set, for tests and experiments only. Built into `hushbit_testing`, a library of its
// own that no phone build links: text privatized with a known seed has NO privacy, since anyone who knows the seed can
// undo it.
#ifndef HUSHBIT_TESTING_H_
#define HUSHBIT_TESTING_H_

#include "hushbit.h"  // beside this file, so that Swift finds it without a search path

#ifdef __cplusplus
extern "C" {
#endif

// hushbit_privatize with the ChaCha20 keystream (RFC 8439, nonce 0, counter from 0) of the 32 bytes at `seed` in place
// of the operating system's randomness, or with that if `seed` is NULL; a privatizer with a device key ignores it.
// Every call starts the stream anew. The result keeps the noisy codes. The same failures, threads and ownership.
HUSHBIT_API hushbit_status hushbit_testing_privatize(const hushbit_privatizer* privatizer, const uint8_t* seed,
                                                     const char* text, size_t text_bytes, hushbit_result* result,
                                                     hushbit_error* error);

// hushbit_privatize with a caller's source of randomness: `fill` writes `size` bytes and returns 1, or returns 0 to
// fail. The result keeps the noisy codes.
HUSHBIT_API hushbit_status hushbit_testing_privatize_with(const hushbit_privatizer* privatizer,
                                                          int (*fill)(void* state, void* out, size_t size), void* state,
                                                          const char* text, size_t text_bytes, hushbit_result* result,
                                                          hushbit_error* error);

// The noisy codes of the last privatize call on `result` by one of these functions, in token order, for words and for
// unknown tokens under HUSHBIT_OOV_RANDOM: `*count` codes of `*code_bytes` bytes each. The result's memory, until its
// next use.
HUSHBIT_API const uint8_t* hushbit_testing_noisy_codes(const hushbit_result* result, size_t* count, size_t* code_bytes);

// Writes `size` bytes of the seed's keystream from byte `offset` on to `out`.
HUSHBIT_API void hushbit_testing_keystream(const uint8_t seed[32], uint64_t offset, uint8_t* out, size_t size);

// Makes the budget take `seconds` since 1970, 0 or more, for the time; -1 gives it back the system's clock. Not while
// another thread uses the budget.
HUSHBIT_API void hushbit_testing_budget_set_clock(hushbit_budget* budget, int64_t seconds);

// ---- Analysis: a mechanism without text around it, to audit and to measure it. ----------------------------------

// Replaces `count` words by the privatizer's mechanism: ids in, ids out; HUSHBIT_NO_WORD stands for an unknown token,
// and public words are replaced like others. Randomness is the keystream of `seed`, or the
// operating system's if `seed` is NULL. INVALID_ARGUMENT for an id out of range; OUT_OF_MEMORY, RANDOMNESS_FAILED; then
// `outputs` is as it was. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_replace(const hushbit_privatizer* privatizer, const uint8_t* seed,
                                                   const uint32_t* words, size_t count, uint32_t* outputs,
                                                   hushbit_error* error);

// The weights of TEM that the privatizer draws by, one for each distance from 0 to the bits of a code, bits + 1 in all.
// INVALID_ARGUMENT if its mechanism has none. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_weights(const hushbit_privatizer* privatizer, uint64_t* weights,
                                                   hushbit_error* error);

// A word of a crowd.
typedef struct hushbit_crowd_member {
  uint32_t word;    // its id
  uint32_t share;   // of the crowd's mass; 1 or more
  uint32_t weight;  // with which it is drawn from all words; no less than its share
} hushbit_crowd_member;

// The crowd of a word, which is that of its stand-in, in order; the shares add up to the privatizer's crowd_mass.
// `*count` is how many members there are; the first `capacity` of them are written. INVALID_ARGUMENT for an id out of
// range or another mechanism, OUT_OF_MEMORY, CORRUPT_BUNDLE. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_crowd(const hushbit_privatizer* privatizer, uint32_t word,
                                                 hushbit_crowd_member* members, uint32_t capacity, uint32_t* count,
                                                 hushbit_error* error);

// The weight of an output word with which the privatizer's crowds draw from all words, 0 for any other word; their sum
// is `output_mass`. The same failures.
HUSHBIT_API hushbit_status hushbit_testing_output_weight(const hushbit_privatizer* privatizer, uint32_t word,
                                                         uint32_t* weight, hushbit_error* error);

// For each of `count` codes of bits / 8 bytes, how many output words of the bundle are at each distance from 0 to bits:
// rows of bits + 1 counts. Any thread.
HUSHBIT_API hushbit_status hushbit_testing_distance_counts(const hushbit_bundle* bundle, const uint8_t* codes,
                                                           size_t count, uint32_t* counts, hushbit_error* error);

// What a search did, summed over its queries. Unlike time, the same on every machine.
typedef struct hushbit_search_work {
  uint64_t rows;                      // codes compared one by one
  uint64_t clusters, tiles, planes;   // visited by the scan of the clusters, the last of 64 bytes each
  uint64_t lookups, entries, blocks;  // of the multi-index hash: values looked up, what was found, codes read for it
  uint64_t fallbacks;                 // queries that the hash gave up
} hushbit_search_work;

// hushbit_bundle_nearest in the way that `search`, a hushbit_search, names; AUTO takes `expected_flips` bits of noise,
// NAN for unknown, into account. Fills `*work`, if that is not NULL. The same failures.
HUSHBIT_API hushbit_status hushbit_testing_search(const hushbit_bundle* bundle, uint32_t search, double expected_flips,
                                                  const uint8_t* codes, size_t count, hushbit_nearest* nearest,
                                                  hushbit_search_work* work, hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HUSHBIT_TESTING_H_
