// The C interface: checks arguments, holds references, and hands over.
#include <math.h>
#include <string.h>

#include <algorithm>

#include "api/handles.h"
#include "api/holding.h"
#include "api/sized.h"
#include "base/clean_stack.h"
#include "base/error.h"
#include "hushbit/hushbit.h"
#include "search/kernels/kernels.h"
#include "search/search.h"
#include "text/unicode.h"

using hushbit::as_bytes;
using hushbit::destroy;
using hushbit::fail;
using hushbit::give;
using hushbit::make;
using hushbit::null_argument;
using hushbit::out_of_memory;
using hushbit::run_and_wipe;

namespace {

// Opens a bundle over a mapping, which it takes over.
hushbit_status open_mapping(const hushbit::Mapping& mapping, hushbit_bundle** out, hushbit_error* error) {
  auto* handle = make<hushbit_bundle>();
  hushbit_status status = handle == nullptr ? out_of_memory(error) : handle->bundle.open(mapping, error);
  if (status == HUSHBIT_OK) {
    *out = handle;
    return HUSHBIT_OK;
  }
  if (handle != nullptr) destroy(handle);
  hushbit::unmap(mapping);
  return status;
}

hushbit_privatizer_options default_options(const hushbit_bundle_info& info) {
  static constexpr char kMask[] = "[unk]";
  return {.struct_size = sizeof(hushbit_privatizer_options),
          .mechanism = info.default_mechanism,
          .search = HUSHBIT_SEARCH_AUTO,
          .epsilon = info.default_epsilon,
          .beta = 0.001,
          .oov = HUSHBIT_OOV_RANDOM,
          .punctuation = HUSHBIT_PUNCTUATION_DROP,
          .mask = kMask,
          .mask_bytes = sizeof(kMask) - 1,
          .device_key = nullptr,
          .epoch = 0,
          .budget = nullptr,
          .audit_log = nullptr,
          .crowd_size = info.default_crowd_size,
          .allow_unchanged = 0};
}

}  // namespace

// ---- Library

const char* hushbit_version(void) { return HUSHBIT_VERSION; }

const char* hushbit_status_name(hushbit_status status) {
  switch (status) {
    case HUSHBIT_OK:
      return "ok";
    case HUSHBIT_INVALID_ARGUMENT:
      return "invalid argument";
    case HUSHBIT_FILE_NOT_FOUND:
      return "file not found";
    case HUSHBIT_READ_FAILED:
      return "file could not be read";
    case HUSHBIT_CORRUPT_BUNDLE:
      return "corrupt bundle";
    case HUSHBIT_UNSUPPORTED_BUNDLE:
      return "unsupported bundle";
    case HUSHBIT_OUT_OF_MEMORY:
      return "out of memory";
    case HUSHBIT_RANDOMNESS_FAILED:
      return "no randomness from the operating system";
    case HUSHBIT_INVALID_TEXT:
      return "text is not UTF-8";
    case HUSHBIT_UNKNOWN_WORD:
      return "word not in the vocabulary";
    case HUSHBIT_BUDGET_EXHAUSTED:
      return "budget exhausted";
    case HUSHBIT_CORRUPT_BUDGET:
      return "corrupt budget";
    case HUSHBIT_UNSUPPORTED_BUDGET:
      return "unsupported budget";
    case HUSHBIT_STORAGE_FAILED:
      return "budget or audit log could not be read or written";
  }
  return "unknown status";
}

const char* hushbit_mechanism_name(uint32_t mechanism) { return hushbit::mechanism_name(mechanism); }

const char* hushbit_kernel_name(uint32_t index) {
  const auto sets = hushbit::supported_kernels();
  return index < sets.size() ? sets[index]->name : nullptr;
}

uint32_t hushbit_unicode_version(void) { return hushbit::unicode_version(); }

// ---- Bundles

hushbit_status hushbit_bundle_open(const char* path, hushbit_bundle** bundle, hushbit_error* error) {
  if (path == nullptr || bundle == nullptr) return null_argument(error);
  hushbit::Mapping mapping;
  const hushbit_status status = hushbit::map_path(path, &mapping, error);
  return status == HUSHBIT_OK ? open_mapping(mapping, bundle, error) : status;
}

hushbit_status hushbit_bundle_open_fd(int fd, uint64_t offset, uint64_t length, hushbit_bundle** bundle,
                                      hushbit_error* error) {
  if (bundle == nullptr) return null_argument(error);
  hushbit::Mapping mapping;
  const hushbit_status status = hushbit::map_descriptor(fd, offset, length, &mapping, error);
  return status == HUSHBIT_OK ? open_mapping(mapping, bundle, error) : status;
}

hushbit_status hushbit_bundle_open_memory(const void* data, size_t length, hushbit_bundle** bundle,
                                          hushbit_error* error) {
  if (data == nullptr || bundle == nullptr) return null_argument(error);
  if (reinterpret_cast<uintptr_t>(data) % 8 != 0) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the memory of a bundle must be aligned to 8 bytes");
  }
  hushbit::Mapping mapping;
  mapping.bytes = {static_cast<const uint8_t*>(data), length};
  return open_mapping(mapping, bundle, error);
}

void hushbit_bundle_close(hushbit_bundle* bundle) {
  if (bundle == nullptr || bundle->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const hushbit::Mapping mapping = bundle->bundle.mapping();
  destroy(bundle);
  hushbit::unmap(mapping);
}

hushbit_status hushbit_bundle_verify(const hushbit_bundle* bundle, hushbit_error* error) {
  return bundle == nullptr ? null_argument(error) : bundle->bundle.verify(error);
}

hushbit_status hushbit_bundle_get_info(const hushbit_bundle* bundle, hushbit_bundle_info* info, hushbit_error* error) {
  if (bundle == nullptr || info == nullptr) return null_argument(error);
  return give(bundle->bundle.info(), "the bundle info", info, error);
}

const char* hushbit_bundle_meta(const hushbit_bundle* bundle, size_t* length) {
  const auto meta = bundle == nullptr ? std::span<const uint8_t>() : bundle->bundle.meta();
  if (length != nullptr) *length = meta.size();
  return reinterpret_cast<const char*>(meta.data());
}

uint32_t hushbit_bundle_section_count(const hushbit_bundle* bundle) {
  return bundle == nullptr ? 0 : bundle->bundle.section_count();
}

hushbit_status hushbit_bundle_section(const hushbit_bundle* bundle, uint32_t index, hushbit_section_info* section,
                                      hushbit_error* error) {
  if (bundle == nullptr || section == nullptr) return null_argument(error);
  const uint32_t count = bundle->bundle.section_count();
  if (index >= count) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "section %u is out of range; the bundle has %u", index, count);
  }
  return give(bundle->bundle.section(index), "the section info", section, error);
}

// ---- Privatizers

hushbit_status hushbit_privatizer_options_init(const hushbit_bundle* bundle, hushbit_privatizer_options* options,
                                               hushbit_error* error) {
  if (bundle == nullptr || options == nullptr) return null_argument(error);
  return give(default_options(bundle->bundle.info()), "the options", options, error);
}

hushbit_status hushbit_privatizer_create(const hushbit_bundle* bundle, const hushbit_privatizer_options* options,
                                         hushbit_privatizer** privatizer, hushbit_error* error) {
  if (bundle == nullptr || options == nullptr || privatizer == nullptr) return null_argument(error);
  const auto init = [&](hushbit_privatizer* made, const hushbit_privatizer_options& whole,
                        const hushbit::Budget* budget) {
    return made->privatizer.init(bundle->bundle, whole, budget, error);
  };
  return hushbit::create_holding(bundle, default_options(bundle->bundle.info()), *options, privatizer, error, init);
}

void hushbit_privatizer_destroy(hushbit_privatizer* privatizer) {
  if (privatizer != nullptr) hushbit::destroy_holding(privatizer);
}

hushbit_status hushbit_privatizer_get_info(const hushbit_privatizer* privatizer, hushbit_privatizer_info* info,
                                           hushbit_error* error) {
  if (privatizer == nullptr || info == nullptr) return null_argument(error);
  return give(privatizer->privatizer.info(), "the privatizer info", info, error);
}

// ---- Privatizing

hushbit_status hushbit_result_create(hushbit_result** result, hushbit_error* error) {
  if (result == nullptr) return null_argument(error);
  auto* handle = make<hushbit_result>();
  if (handle == nullptr) return out_of_memory(error);
  *result = handle;
  return HUSHBIT_OK;
}

void hushbit_result_destroy(hushbit_result* result) {
  if (result != nullptr) destroy(result);
}

hushbit_status hushbit::privatize_checked(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                          RandomSource random, hushbit_result* result, hushbit_error* error) {
  if (result == nullptr) return null_argument(error);
  result->result.clear();
  if (privatizer == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  return run_and_wipe<kSearchStackBytes>(
      [&] { return privatizer->privatizer.privatize(as_bytes(text, text_bytes), random, &result->result, error); });
}

hushbit_status hushbit_privatize(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                 hushbit_result* result, hushbit_error* error) {
  return hushbit::privatize_checked(privatizer, text, text_bytes, hushbit::system_random(), result, error);
}

hushbit_status hushbit_tokenize(const hushbit_bundle* bundle, const char* text, size_t text_bytes,
                                hushbit_result* result, hushbit_error* error) {
  if (result == nullptr) return null_argument(error);
  result->result.clear();
  if (bundle == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  return run_and_wipe<hushbit::kTokenizerStackBytes>([&] {
    const hushbit_status status =
        hushbit::tokenize(bundle->bundle, nullptr, as_bytes(text, text_bytes), &result->result, error);
    if (status != HUSHBIT_OK) result->result.clear();
    return status;
  });
}

const char* hushbit_result_text(const hushbit_result* result, size_t* length) {
  if (length != nullptr) *length = result == nullptr ? 0 : result->result.text.size();
  if (result == nullptr) return nullptr;
  const char* text = result->result.text.data();
  return text == nullptr ? "" : text;
}

const hushbit_token* hushbit_result_tokens(const hushbit_result* result, size_t* count) {
  const size_t size = result == nullptr ? 0 : result->result.tokens.size();
  if (count != nullptr) *count = size;
  return size == 0 ? nullptr : result->result.tokens.data();
}

hushbit_status hushbit_result_get_cost(const hushbit_result* result, hushbit_cost* cost, hushbit_error* error) {
  if (result == nullptr || cost == nullptr) return null_argument(error);
  return give(result->result.cost, "the cost", cost, error);
}
