// The C interface of embeddings.
#include <math.h>

#include "api/handles.h"
#include "api/holding.h"
#include "api/sized.h"
#include "base/clean_stack.h"
#include "base/error.h"
#include "hushbit/hushbit.h"
#include "release/nearest_words.h"

using hushbit::fail;
using hushbit::give;
using hushbit::null_argument;
using hushbit::run_and_wipe;
using hushbit::takes_no_texts;

namespace {

constexpr hushbit_embedder_options kDefaultOptions = {.struct_size = sizeof(hushbit_embedder_options),
                                                      .epsilon = 2,
                                                      .punctuation = HUSHBIT_PUNCTUATION_DROP,
                                                      .device_key = nullptr,
                                                      .epoch = 0,
                                                      .budget = nullptr,
                                                      .audit_log = nullptr};

// Embeds by `work`, a function of the scratch memory and an embedding, so that nothing of the text stays behind.
template <typename Work>
hushbit_status embed_and_wipe(hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error, Work work) {
  // This comes before anything is spent.
  hushbit_status status = hushbit::check_size(*embedding, "the embedding", error);
  if (status != HUSHBIT_OK) return status;
  hushbit_embedding whole = {};
  status = run_and_wipe<hushbit::kSearchStackBytes>([&] { return work(&scratch->result.text_crowd, &whole); });
  scratch->result.clear();
  return status == HUSHBIT_OK ? give(whole, "the embedding", embedding, error) : status;
}

}  // namespace

hushbit_status hushbit_embedder_options_init(hushbit_embedder_options* options, hushbit_error* error) {
  return options == nullptr ? null_argument(error) : give(kDefaultOptions, "the options", options, error);
}

hushbit_status hushbit_embedder_create(const hushbit_bundle* bundle, const hushbit_embedder_options* options,
                                       hushbit_embedder** embedder, hushbit_error* error) {
  if (bundle == nullptr || options == nullptr || embedder == nullptr) return null_argument(error);
  const auto init = [&](hushbit_embedder* made, const hushbit_embedder_options& whole, const hushbit::Budget* budget) {
    return made->embedder.init(bundle->bundle, whole, budget, error);
  };
  return hushbit::create_holding(bundle, kDefaultOptions, *options, embedder, error, init);
}

hushbit_status hushbit_embedder_create_from_projection(const void* data, size_t length,
                                                       const hushbit_embedder_options* options,
                                                       hushbit_embedder** embedder, hushbit_error* error) {
  if (data == nullptr || options == nullptr || embedder == nullptr) return null_argument(error);
  const std::span<const uint8_t> file(static_cast<const uint8_t*>(data), length);
  const auto init = [&](hushbit_embedder* made, const hushbit_embedder_options& whole, const hushbit::Budget* budget) {
    return made->embedder.init_projection(file, whole, budget, error);
  };
  return hushbit::create_holding(nullptr, kDefaultOptions, *options, embedder, error, init);
}

void hushbit_embedder_destroy(hushbit_embedder* embedder) {
  if (embedder == nullptr || embedder->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  hushbit::destroy_holding(embedder);
}

hushbit_status hushbit_embedder_get_info(const hushbit_embedder* embedder, hushbit_embedder_info* info,
                                         hushbit_error* error) {
  if (embedder == nullptr || info == nullptr) return null_argument(error);
  return give(embedder->embedder.info(), "the embedder info", info, error);
}

hushbit_status hushbit_embedder_directions(const hushbit_embedder* embedder, uint32_t first, uint32_t count,
                                           uint64_t* signs, hushbit_error* error) {
  if (embedder == nullptr || (signs == nullptr && count > 0)) return null_argument(error);
  const hushbit::Directions& directions = embedder->embedder.directions();
  if (first > directions.count() || count > directions.count() - first) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "directions are out of range; there are %u", directions.count());
  }
  for (uint32_t i = 0; i < count; ++i) signs[i] = directions.signs(first + i);
  return HUSHBIT_OK;
}

hushbit_status hushbit::embed_checked(const hushbit_embedder* embedder, const char* text, size_t text_bytes,
                                      RandomSource random, hushbit_result* scratch, hushbit_embedding* embedding,
                                      hushbit_error* error) {
  if (scratch == nullptr) return null_argument(error);
  scratch->result.clear();
  if (embedder == nullptr || embedding == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  if (embedder->embedder.bundle() == nullptr) return takes_no_texts(error);
  return embed_and_wipe(scratch, embedding, error, [&](TextCrowdScratch* memory, hushbit_embedding* whole) {
    return embedder->embedder.embed(as_bytes(text, text_bytes), random, memory, whole, error);
  });
}

hushbit_status hushbit::embed_vector_checked(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                             RandomSource random, hushbit_result* scratch, hushbit_embedding* embedding,
                                             hushbit_error* error) {
  if (scratch == nullptr) return null_argument(error);
  scratch->result.clear();
  if (embedder == nullptr || embedding == nullptr || numbers == nullptr) return null_argument(error);
  if (embedder->embedder.bundle() != nullptr) return takes_no_vectors(error);
  return embed_and_wipe(scratch, embedding, error, [&](TextCrowdScratch* memory, hushbit_embedding* whole) {
    return embedder->embedder.embed_vector({numbers, count}, random, memory, whole, error);
  });
}

hushbit_status hushbit_embed(const hushbit_embedder* embedder, const char* text, size_t text_bytes,
                             hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error) {
  return hushbit::embed_checked(embedder, text, text_bytes, hushbit::system_random(), scratch, embedding, error);
}

hushbit_status hushbit_embed_vector(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                    hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error) {
  return hushbit::embed_vector_checked(embedder, numbers, count, hushbit::system_random(), scratch, embedding, error);
}

hushbit_status hushbit_embedder_nearest_words(const hushbit_embedder* embedder, const double* direction,
                                              size_t dimensions, size_t k, uint32_t* ids, double* cosines,
                                              hushbit_error* error) {
  if (embedder == nullptr || direction == nullptr || ids == nullptr || cosines == nullptr) return null_argument(error);
  const hushbit::Bundle* bundle = embedder->embedder.bundle();
  if (bundle == nullptr) return takes_no_texts(error);
  const uint32_t expected = embedder->embedder.info().dimensions, words = bundle->outputs().count();
  if (dimensions != expected) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the direction has %zu numbers; it must have %u", dimensions,
                expected);
  }
  for (size_t i = 0; i < dimensions; ++i) {
    if (!isfinite(direction[i])) {
      return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "number %zu of the direction is not finite", i);
    }
  }
  if (k < 1 || k > words) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "k is %zu; it must be 1 to %u, the number of output words", k,
                words);
  }
  const bool ok = hushbit::find_nearest_words(*bundle, direction, k, ids, cosines) && bundle->outputs().to_ids(ids, k);
  return ok ? HUSHBIT_OK : hushbit::damaged_codes(error);
}
