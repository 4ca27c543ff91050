// The C interface to words and codes: who is who, what stands in, and what is near.
#include <math.h>
#include <string.h>

#include <algorithm>

#include "api/handles.h"
#include "base/clean_stack.h"
#include "base/error.h"
#include "hushbit/hushbit.h"
#include "search/hamming.h"
#include "search/search.h"

using hushbit::damaged_codes;
using hushbit::fail;
using hushbit::null_argument;
using hushbit::run_and_wipe;

namespace {

hushbit_status check_id(const hushbit_bundle* bundle, uint32_t id, hushbit_error* error) {
  const uint32_t words = bundle->bundle.info().words;
  if (id < words) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "word id %u is out of range; the bundle has %u words", id, words);
}

}  // namespace

hushbit_status hushbit_bundle_find(const hushbit_bundle* bundle, const char* word, size_t word_bytes, uint32_t* id,
                                   hushbit_error* error) {
  if (bundle == nullptr || word == nullptr || id == nullptr) return null_argument(error);
  return run_and_wipe<hushbit::kLookupStackBytes>([&] {
    const auto position = bundle->bundle.vocabulary().locate({reinterpret_cast<const uint8_t*>(word), word_bytes});
    if (position.damaged) {
      return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's words are damaged; download it again");
    }
    if (!position.exact) return fail(error, HUSHBIT_UNKNOWN_WORD, 0, "the word is not in the vocabulary");
    *id = position.id;
    return HUSHBIT_OK;
  });
}

hushbit_status hushbit_bundle_word(const hushbit_bundle* bundle, uint32_t id, char* buffer, size_t capacity,
                                   size_t* word_bytes, hushbit_error* error) {
  if (bundle == nullptr || buffer == nullptr || word_bytes == nullptr) return null_argument(error);
  const hushbit_status status = check_id(bundle, id, error);
  if (status != HUSHBIT_OK) return status;
  const uint32_t longest = bundle->bundle.info().max_word_bytes;
  if (capacity < longest) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the buffer must have room for %u bytes", longest);
  }
  return run_and_wipe<hushbit::kLookupStackBytes>([&] {
    uint8_t word[hushbit::kMaxWordBytes];
    const size_t bytes = bundle->bundle.vocabulary().word(id, word);
    if (bytes == 0 || bytes > longest) {
      return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "word %u of the bundle is damaged; download it again", id);
    }
    memcpy(buffer, word, bytes);
    *word_bytes = bytes;
    return HUSHBIT_OK;
  });
}

hushbit_status hushbit_bundle_output_word(const hushbit_bundle* bundle, uint32_t index, uint32_t* id,
                                          hushbit_error* error) {
  if (bundle == nullptr || id == nullptr) return null_argument(error);
  const hushbit::Outputs& outputs = bundle->bundle.outputs();
  if (index >= outputs.count()) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "output word %u is out of range; the bundle has %u", index,
                outputs.count());
  }
  const uint32_t found = outputs.id(index);
  if (found == HUSHBIT_NO_WORD) return damaged_codes(error);
  *id = found;
  return HUSHBIT_OK;
}

hushbit_status hushbit_bundle_stand_in(const hushbit_bundle* bundle, uint32_t id, uint32_t* stand_in,
                                       hushbit_error* error) {
  if (bundle == nullptr || stand_in == nullptr) return null_argument(error);
  const hushbit_status status = check_id(bundle, id, error);
  if (status != HUSHBIT_OK) return status;
  return run_and_wipe<hushbit::kLookupStackBytes>([&] {
    const hushbit::Outputs& outputs = bundle->bundle.outputs();
    const uint32_t index = outputs.stand_in(id);
    const uint32_t found = index == HUSHBIT_NO_WORD ? HUSHBIT_NO_WORD : outputs.id(index);
    if (found == HUSHBIT_NO_WORD) return damaged_codes(error);
    *stand_in = found;
    return HUSHBIT_OK;
  });
}

hushbit_status hushbit_bundle_code(const hushbit_bundle* bundle, uint32_t id, uint8_t* code, hushbit_error* error) {
  if (bundle == nullptr || code == nullptr) return null_argument(error);
  const hushbit_status status = check_id(bundle, id, error);
  if (status != HUSHBIT_OK) return status;
  return run_and_wipe<hushbit::kLookupStackBytes>([&] {
    const uint32_t index = bundle->bundle.outputs().stand_in(id);
    const bool ok = index != HUSHBIT_NO_WORD && bundle->bundle.codes().copy(index, code);
    return ok ? HUSHBIT_OK : damaged_codes(error);
  });
}

hushbit_status hushbit_bundle_nearest(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
                                      hushbit_nearest* nearest, hushbit_error* error) {
  if (bundle == nullptr || ((codes == nullptr || nearest == nullptr) && count > 0)) return null_argument(error);
  hushbit::SearchPlan plan;
  plan.init(bundle->bundle.codes(), HUSHBIT_SEARCH_AUTO, NAN, nullptr);
  return hushbit::find_nearest_checked(bundle, plan, codes, count, nearest, nullptr, error);
}

hushbit_status hushbit::find_nearest_checked(const hushbit_bundle* bundle, const SearchPlan& plan, const uint8_t* codes,
                                             size_t count, hushbit_nearest* nearest, SearchWork* work,
                                             hushbit_error* error) {
  return run_and_wipe<kSearchStackBytes>([&] {
    const Codes& all = bundle->bundle.codes();
    constexpr size_t kChunk = 64;
    Ties ties[kChunk];
    for (size_t begin = 0; begin < count; begin += kChunk) {
      const size_t size = std::min(kChunk, count - begin);
      if (!find_nearest(all, plan, codes + begin * all.code_bytes, size, ties, work)) return damaged_codes(error);
      for (size_t i = 0; i < size; ++i) {
        const uint32_t word = bundle->bundle.outputs().id(ties[i].ids[0]);
        if (word == HUSHBIT_NO_WORD) return damaged_codes(error);
        nearest[begin + i] = {.distance = ties[i].distance, .ties = ties[i].count, .word = word};
      }
    }
    return HUSHBIT_OK;
  });
}

hushbit_status hushbit_bundle_neighbors(const hushbit_bundle* bundle, const uint8_t* code, size_t k, uint32_t* ids,
                                        uint32_t* distances, hushbit_error* error) {
  if (bundle == nullptr || code == nullptr || ids == nullptr || distances == nullptr) return null_argument(error);
  const hushbit::Codes& codes = bundle->bundle.codes();
  if (k < 1 || k > codes.count) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "k is %zu; it must be 1 to %u, the number of output words", k,
                codes.count);
  }
  return run_and_wipe<hushbit::kSearchStackBytes>([&] {
    const bool ok = hushbit::find_neighbors(codes, code, k, ids, distances) && bundle->bundle.outputs().to_ids(ids, k);
    return ok ? HUSHBIT_OK : damaged_codes(error);
  });
}

hushbit_status hushbit_bundle_farthest(const hushbit_bundle* bundle, uint32_t first, uint32_t last, uint32_t floor,
                                       uint32_t* distance, hushbit_error* error) {
  if (bundle == nullptr || distance == nullptr) return null_argument(error);
  const hushbit::Codes& codes = bundle->bundle.codes();
  if (first > last || last > codes.count) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "places %u to %u are out of range; the bundle has %u", first, last,
                codes.count);
  }
  *distance = hushbit::find_farthest(codes, first, last, floor);
  return HUSHBIT_OK;
}
