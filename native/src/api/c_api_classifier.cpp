// The C interface of classifiers.
#include "api/handles.h"
#include "base/clean_stack.h"
#include "hushbit/hushbit.h"

using hushbit::as_bytes;
using hushbit::destroy;
using hushbit::make;
using hushbit::null_argument;
using hushbit::run_and_wipe;

namespace {

// Classifies what `read` writes: a function of a vector.
template <typename Read>
hushbit_status classify(const hushbit_classifier* classifier, uint32_t* best, double* log_odds, Read read) {
  return run_and_wipe<hushbit::kSearchStackBytes>([&] {
    int64_t vector[hushbit::Embedding::kMaxDimensions];
    const hushbit_status status = read(vector);
    if (status == HUSHBIT_OK) *best = classifier->classifier.classify(vector, log_odds);
    return status;
  });
}

}  // namespace

hushbit_status hushbit_classifier_open(const hushbit_embedder* embedder, const char* json, size_t json_bytes,
                                       hushbit_classifier** classifier, hushbit_error* error) {
  if (embedder == nullptr || json == nullptr || classifier == nullptr) return null_argument(error);
  auto* handle = make<hushbit_classifier>();
  if (handle == nullptr) return hushbit::out_of_memory(error);
  const hushbit_status status = handle->classifier.open(as_bytes(json, json_bytes), embedder->embedder.info(), error);
  if (status != HUSHBIT_OK) {
    destroy(handle);
    return status;
  }
  embedder->references.fetch_add(1, std::memory_order_relaxed);
  handle->embedder = embedder;
  *classifier = handle;
  return HUSHBIT_OK;
}

void hushbit_classifier_close(hushbit_classifier* classifier) {
  if (classifier == nullptr) return;
  // Only its reference count is written through this, which is mutable.
  auto* embedder = const_cast<hushbit_embedder*>(classifier->embedder);
  destroy(classifier);
  hushbit_embedder_destroy(embedder);
}

uint32_t hushbit_classifier_count(const hushbit_classifier* classifier) {
  return classifier == nullptr ? 0 : classifier->classifier.classes();
}

const char* hushbit_classifier_name(const hushbit_classifier* classifier, uint32_t index, size_t* length) {
  const bool found = index < hushbit_classifier_count(classifier);
  const std::span<const char> name = found ? classifier->classifier.name(index) : std::span<const char>();
  if (length != nullptr) *length = name.size();
  return name.data();
}

hushbit_status hushbit_classify(const hushbit_classifier* classifier, const char* text, size_t text_bytes,
                                uint32_t* best, double* log_odds, hushbit_error* error) {
  if (classifier == nullptr || best == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  const hushbit::Embedder& embedder = classifier->embedder->embedder;
  if (embedder.bundle() == nullptr) return hushbit::takes_no_texts(error);
  return classify(classifier, best, log_odds,
                  [&](int64_t* vector) { return embedder.vector_of(as_bytes(text, text_bytes), vector, error); });
}

hushbit_status hushbit_classify_vector(const hushbit_classifier* classifier, const float* numbers, size_t count,
                                       uint32_t* best, double* log_odds, hushbit_error* error) {
  if (classifier == nullptr || best == nullptr || numbers == nullptr) return null_argument(error);
  const hushbit::Embedder& embedder = classifier->embedder->embedder;
  if (embedder.bundle() != nullptr) return hushbit::takes_no_vectors(error);
  return classify(classifier, best, log_odds, [&](int64_t* vector) {
    return embedder.vector_of(std::span<const float>(numbers, count), vector, error);
  });
}
