// Handles that are made of options, and hold a bundle and a budget as long as they live.
#ifndef HUSHBIT_API_HOLDING_H_
#define HUSHBIT_API_HOLDING_H_

#include <atomic>

#include "api/handles.h"
#include "api/sized.h"
#include "base/clean_stack.h"

namespace hushbit {

// Makes a handle that `init` initializes: a function of the handle, the whole options and the budget, which may be
// null. Options that `given` lacks are those of `defaults`. The handle holds `bundle`, unless that is null.
template <typename Handle, typename Options, typename Init>
hushbit_status create_holding(const hushbit_bundle* bundle, const Options& defaults, const Options& given, Handle** out,
                              hushbit_error* error, Init init) {
  Options whole = defaults;
  hushbit_status status = take(given, "the options", &whole, error);
  if (status != HUSHBIT_OK) return status;
  auto* handle = make<Handle>();
  if (handle == nullptr) return out_of_memory(error);
  // What hashing leaves of a device key goes.
  status = run_and_wipe<kTokenizerStackBytes>([&] {
    const Budget* budget = whole.budget == nullptr ? nullptr : &whole.budget->budget;
    return init(handle, whole, budget);
  });
  if (status != HUSHBIT_OK) {
    destroy(handle);
    return status;
  }
  if (bundle != nullptr) bundle->references.fetch_add(1, std::memory_order_relaxed);
  handle->bundle = bundle;
  if (whole.budget != nullptr) whole.budget->references.fetch_add(1, std::memory_order_relaxed);
  handle->budget = whole.budget;
  *out = handle;
  return HUSHBIT_OK;
}

// Destroys such a handle, and drops what it holds.
template <typename Handle>
void destroy_holding(Handle* handle) {
  // Only its reference count is written through this, which is mutable; no bundle is ever created const.
  auto* bundle = const_cast<hushbit_bundle*>(handle->bundle);
  hushbit_budget* budget = handle->budget;
  destroy(handle);
  hushbit_budget_close(budget);
  hushbit_bundle_close(bundle);
}

}  // namespace hushbit

#endif  // HUSHBIT_API_HOLDING_H_
