// What mechanisms do, apart from any text: for estimates, calibration and audits.
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "hushbit/hushbit.h"
#include "search/search.h"

using hushbit::fail;
using hushbit::null_argument;

namespace hushbit {

hushbit_status check_word(const hushbit_privatizer* privatizer, uint32_t word, hushbit_error* error) {
  const uint32_t known = privatizer->bundle->bundle.info().words;
  if (word < known) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "word id %u is out of range; the bundle has %u words", word, known);
}

// What `TextCrowd` may be given.
hushbit_status check_vector(const TextCrowd& crowd, const int64_t* vector, hushbit_error* error) {
  constexpr uint64_t kMost = uint64_t{1} << 62;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < crowd.directions().dimensions() && sum < kMost; ++i) {
    const auto number = static_cast<uint64_t>(vector[i]);
    sum += vector[i] < 0 ? 0 - number : number;  // below 2^64: what it is added to is below 2^62
  }
  if (sum < kMost) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the magnitudes of a vector must sum to less than 2^62");
}

}  // namespace hushbit

namespace {

// The privatizer's crowds and the index of a word's stand-in.
hushbit_status crowd_of(const hushbit_privatizer* privatizer, uint32_t word, const hushbit::Crowd** crowd,
                        uint32_t* index, hushbit_error* error) {
  *crowd = privatizer->privatizer.mechanism().crowd();
  if (*crowd == nullptr) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "only the mechanism crowd has crowds");
  const hushbit_status status = hushbit::check_word(privatizer, word, error);
  if (status != HUSHBIT_OK) return status;
  *index = privatizer->bundle->bundle.outputs().stand_in(word);
  return *index != HUSHBIT_NO_WORD ? HUSHBIT_OK : hushbit::damaged_codes(error);
}

}  // namespace

hushbit_status hushbit_bundle_is_public(const hushbit_bundle* bundle, const uint32_t* words, size_t count,
                                        uint8_t* found, hushbit_error* error) {
  if (bundle == nullptr || ((words == nullptr || found == nullptr) && count > 0)) return null_argument(error);
  const hushbit::PublicWords& listed = bundle->bundle.public_words();
  for (size_t i = 0; i < count; ++i) found[i] = listed.contains(words[i]) ? 1 : 0;
  return HUSHBIT_OK;
}

hushbit_status hushbit_privatizer_weights(const hushbit_privatizer* privatizer, uint64_t* weights,
                                          hushbit_error* error) {
  if (privatizer == nullptr || weights == nullptr) return null_argument(error);
  const hushbit::TemWeights* table = privatizer->privatizer.mechanism().weights();
  if (table == nullptr) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "only the mechanism tem has weights");
  memcpy(weights, table->weight, (size_t{table->bits} + 1) * sizeof(uint64_t));
  return HUSHBIT_OK;
}

hushbit_status hushbit_privatizer_crowd(const hushbit_privatizer* privatizer, uint32_t word,
                                        hushbit_crowd_member* members, uint32_t capacity, uint32_t* count,
                                        hushbit_error* error) {
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

hushbit_status hushbit_privatizer_output_weight(const hushbit_privatizer* privatizer, uint32_t word, uint32_t* weight,
                                                hushbit_error* error) {
  if (privatizer == nullptr || weight == nullptr) return null_argument(error);
  const hushbit::Crowd* crowd = nullptr;
  uint32_t index = 0;
  const hushbit_status status = crowd_of(privatizer, word, &crowd, &index, error);
  if (status != HUSHBIT_OK) return status;
  *weight = privatizer->bundle->bundle.outputs().id(index) == word ? crowd->weight(index) : 0;
  return HUSHBIT_OK;
}

hushbit_status hushbit_embedder_text_vector(const hushbit_embedder* embedder, const char* text, size_t text_bytes,
                                            int64_t* vector, hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  if (embedder->embedder.bundle() == nullptr) return hushbit::takes_no_texts(error);
  return embedder->embedder.vector_of(hushbit::as_bytes(text, text_bytes), vector, error);
}

hushbit_status hushbit_embedder_project(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                        int64_t* vector, hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || numbers == nullptr) return null_argument(error);
  if (embedder->embedder.bundle() != nullptr) return hushbit::takes_no_vectors(error);
  return embedder->embedder.vector_of(std::span<const float>(numbers, count), vector, error);
}

hushbit_status hushbit_embedder_crowd(const hushbit_embedder* embedder, const int64_t* vector, uint32_t* indexes,
                                      hushbit_error* error) {
  if (embedder == nullptr || vector == nullptr || indexes == nullptr) return null_argument(error);
  const hushbit::TextCrowd& crowd = embedder->embedder.crowd();
  hushbit::TextCrowdScratch scratch;
  const hushbit_status status = hushbit::check_vector(crowd, vector, error);
  if (status != HUSHBIT_OK) return status;
  if (!crowd.reserve(&scratch)) return hushbit::out_of_memory(error);
  crowd.members(vector, &scratch, indexes);
  return HUSHBIT_OK;
}

hushbit_status hushbit_bundle_distance_counts(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
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

hushbit_status hushbit_bundle_search(const hushbit_bundle* bundle, uint32_t search, double expected_flips,
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
