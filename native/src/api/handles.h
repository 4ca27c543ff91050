// What the opaque types of types.h are. Shared by the C interface and its testing companion.
#ifndef HUSHBIT_HANDLES_H_
#define HUSHBIT_HANDLES_H_

#include <stdint.h>
#include <stdlib.h>

#include <atomic>
#include <new>
#include <span>

#include "base/error.h"
#include "bundle/bundle.h"
#include "release/budget.h"
#include "release/classifier.h"
#include "release/embedder.h"
#include "release/privatizer.h"
#include "release/reporter.h"
#include "search/search.h"

struct hushbit_bundle {
  hushbit::Bundle bundle;
  mutable std::atomic<uint32_t> references{1};
};

struct hushbit_budget {
  hushbit::Budget budget;
  std::atomic<uint32_t> references{1};
};

struct hushbit_privatizer {
  const hushbit_bundle* bundle = nullptr;  // holds a reference
  hushbit_budget* budget = nullptr;        // the same, or null
  hushbit::Privatizer privatizer;
};

struct hushbit_embedder {
  const hushbit_bundle* bundle = nullptr;  // holds a reference, or null
  hushbit_budget* budget = nullptr;        // the same
  hushbit::Embedder embedder;
  mutable std::atomic<uint32_t> references{1};
};

struct hushbit_reporter {
  const hushbit_bundle* bundle = nullptr;  // holds a reference, or null
  hushbit_budget* budget = nullptr;        // the same
  hushbit::Reporter reporter;
};

struct hushbit_classifier {
  const hushbit_embedder* embedder = nullptr;  // holds a reference
  hushbit::Classifier classifier;
};

struct hushbit_result {
  hushbit::Result result;
};

namespace hushbit {

template <typename T>
T* make() {
  void* memory = malloc(sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T();
}

template <typename T>
void destroy(T* object) {
  object->~T();
  wipe(object, sizeof(T));
  free(object);
}

inline std::span<const uint8_t> as_bytes(const char* text, size_t size) {
  return {reinterpret_cast<const uint8_t*>(text), size};
}

inline hushbit_status null_argument(hushbit_error* error) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "a required argument is NULL");
}

inline hushbit_status out_of_memory(hushbit_error* error) {
  return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
}

inline hushbit_status takes_no_texts(hushbit_error* error) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the embedder was opened for vectors; create one for texts");
}

inline hushbit_status takes_no_vectors(hushbit_error* error) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the embedder was created for texts; open a projection for vectors");
}

inline hushbit_status damaged_codes(hushbit_error* error) {
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's codes are damaged; download it again");
}

// INVALID_ARGUMENT unless the privatizer's bundle has the word.
hushbit_status check_word(const hushbit_privatizer* privatizer, uint32_t word, hushbit_error* error);

// INVALID_ARGUMENT unless `vector` is what a TextCrowd may be given.
hushbit_status check_vector(const TextCrowd& crowd, const int64_t* vector, hushbit_error* error);

// hushbit_bundle_nearest by any plan. `work`, if not null, is added to.
hushbit_status find_nearest_checked(const hushbit_bundle* bundle, const SearchPlan& plan, const uint8_t* codes,
                                    size_t count, hushbit_nearest* nearest, SearchWork* work, hushbit_error* error);

// hushbit_embed with any source of randomness.
hushbit_status embed_checked(const hushbit_embedder* embedder, const char* text, size_t text_bytes, RandomSource random,
                             hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error);

// hushbit_report_text, hushbit_report_value and hushbit_report_word with any source of randomness.
hushbit_status report_text_checked(const hushbit_reporter* reporter, const char* text, size_t text_bytes,
                                   RandomSource random, hushbit_report* report, hushbit_error* error);
hushbit_status report_value_checked(const hushbit_reporter* reporter, uint32_t value, RandomSource random,
                                    hushbit_report* report, hushbit_error* error);
hushbit_status report_word_checked(const hushbit_reporter* reporter, const char* word, size_t word_bytes,
                                   RandomSource random, hushbit_report* report, hushbit_error* error);

// hushbit_embed_vector with any source of randomness.
hushbit_status embed_vector_checked(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                    RandomSource random, hushbit_result* scratch, hushbit_embedding* embedding,
                                    hushbit_error* error);

// hushbit_privatize with any source of randomness.
hushbit_status privatize_checked(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                 RandomSource random, hushbit_result* result, hushbit_error* error);

}  // namespace hushbit

#endif  // HUSHBIT_HANDLES_H_
