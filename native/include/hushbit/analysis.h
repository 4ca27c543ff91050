// Functions that tell what mechanisms do, apart from any text. They are for estimates from what was released, for
// calibration and for audits. They are part of the C interface; include hushbit.h.
#ifndef HUSHBIT_ANALYSIS_H_
#define HUSHBIT_ANALYSIS_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit.h"  // in the same folder, so that Swift finds it without a search path

#ifdef __cplusplus
extern "C" {
#endif

// Writes which of `count` words are public, 1 or 0 for each. An id that no word has is not public. INVALID_ARGUMENT for
// NULL. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_is_public(const hushbit_bundle* bundle, const uint32_t* words, size_t count,
                                                    uint8_t* found, hushbit_error* error);

// For each of `count` codes of bits / 8 bytes, writes the number of output words of the bundle at each distance from 0
// to bits: rows of bits + 1 counts. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_distance_counts(const hushbit_bundle* bundle, const uint8_t* codes,
                                                          size_t count, uint32_t* counts, hushbit_error* error);

// What a search did, summed over its queries. Unlike time, these counts are the same on every machine.
typedef struct hushbit_search_work {
  uint64_t rows;                      // codes compared one by one
  uint64_t clusters, tiles, planes;   // visited by the scan of the clusters; a plane has 64 bytes
  uint64_t lookups, entries, blocks;  // the multi-index hash: values looked up, entries found, blocks of codes read
  uint64_t fallbacks;                 // queries for which the hash fell back to a scan
} hushbit_search_work;

// Does the same as hushbit_bundle_nearest, with the method `search`, a hushbit_search. AUTO takes `expected_flips` bits
// of noise into account; NAN means unknown. Fills `*work` if it is not NULL. The same failures.
HUSHBIT_API hushbit_status hushbit_bundle_search(const hushbit_bundle* bundle, uint32_t search, double expected_flips,
                                                 const uint8_t* codes, size_t count, hushbit_nearest* nearest,
                                                 hushbit_search_work* work, hushbit_error* error);

// Writes the weights of TEM with which the privatizer draws, one for each distance from 0 to the bits of a code, bits +
// 1 in total. INVALID_ARGUMENT if its mechanism has none. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_weights(const hushbit_privatizer* privatizer, uint64_t* weights,
                                                      hushbit_error* error);

// A word of a crowd.
typedef struct hushbit_crowd_member {
  uint32_t word;    // its id
  uint32_t share;   // its part of the crowd's mass, 1 or more
  uint32_t weight;  // its weight in draws from all output words, at least its share
} hushbit_crowd_member;

// Writes the crowd of a word, in order, which is the crowd of its stand-in. The shares sum to the privatizer's
// crowd_mass. `*count` becomes the number of members; the first `capacity` of them are written. INVALID_ARGUMENT for an
// id out of range or another mechanism, OUT_OF_MEMORY, CORRUPT_BUNDLE. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_crowd(const hushbit_privatizer* privatizer, uint32_t word,
                                                    hushbit_crowd_member* members, uint32_t capacity, uint32_t* count,
                                                    hushbit_error* error);

// Writes the weight that an output word has when the privatizer's crowds draw from all output words, or 0 for any other
// word. The sum of the weights is `output_mass`. The same failures.
HUSHBIT_API hushbit_status hushbit_privatizer_output_weight(const hushbit_privatizer* privatizer, uint32_t word,
                                                            uint32_t* weight, hushbit_error* error);

// Writes the vector of a text as typed, d integers, which has NO privacy. It is for public texts, audits and
// measurements. The same failures as hushbit_embed, without RANDOMNESS_FAILED. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_text_vector(const hushbit_embedder* embedder, const char* text,
                                                        size_t text_bytes, int64_t* vector, hushbit_error* error);

// Writes what the projection makes of a caller's own vector, in the same way.
HUSHBIT_API hushbit_status hushbit_embedder_project(const hushbit_embedder* embedder, const float* numbers,
                                                    size_t count, int64_t* vector, hushbit_error* error);

// Writes the crowd of a vector: crowd_directions indexes, the largest inner product first. The same failures, without
// RANDOMNESS_FAILED.
HUSHBIT_API hushbit_status hushbit_embedder_crowd(const hushbit_embedder* embedder, const int64_t* vector,
                                                  uint32_t* indexes, hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HUSHBIT_ANALYSIS_H_
