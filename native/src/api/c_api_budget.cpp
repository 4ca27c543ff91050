// The C interface of budgets.
#include <math.h>

#include "api/handles.h"
#include "api/sized.h"
#include "hushbit/hushbit.h"

using hushbit::destroy;
using hushbit::give;
using hushbit::make;
using hushbit::null_argument;
using hushbit::out_of_memory;
using hushbit::take;

namespace {

constexpr hushbit_budget_limits kNoCaps = {.struct_size = sizeof(hushbit_budget_limits),
                                           .worst_case_per_day = HUGE_VAL,
                                           .worst_case_lifetime = HUGE_VAL,
                                           .tokens_per_day = UINT64_MAX,
                                           .tokens_lifetime = UINT64_MAX};

// Fills as much of `*state` as the caller has room for with what `read` reads.
template <typename Read>
hushbit_status give_state(hushbit_budget_state* state, hushbit_error* error, Read read) {
  hushbit_budget_state whole = {};
  const hushbit_status status = read(&whole);
  return status == HUSHBIT_OK ? give(whole, "the budget state", state, error) : status;
}

}  // namespace

hushbit_status hushbit_budget_limits_init(hushbit_budget_limits* limits, hushbit_error* error) {
  return limits == nullptr ? null_argument(error) : give(kNoCaps, "the limits", limits, error);
}

hushbit_status hushbit_budget_open(const char* path, const hushbit_budget_limits* limits, hushbit_budget** budget,
                                   hushbit_error* error) {
  if (path == nullptr || limits == nullptr || budget == nullptr) return null_argument(error);
  hushbit_budget_limits whole = kNoCaps;
  hushbit_status status = take(*limits, "the limits", &whole, error);
  if (status != HUSHBIT_OK) return status;
  auto* handle = make<hushbit_budget>();
  if (handle == nullptr) return out_of_memory(error);
  status = handle->budget.open(path, whole, error);
  if (status != HUSHBIT_OK) {
    destroy(handle);
    return status;
  }
  *budget = handle;
  return HUSHBIT_OK;
}

void hushbit_budget_close(hushbit_budget* budget) {
  if (budget != nullptr && budget->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(budget);
}

hushbit_status hushbit_budget_spend(hushbit_budget* budget, double worst_case, uint64_t tokens, hushbit_error* error) {
  if (budget == nullptr) return null_argument(error);
  return budget->budget.spend({.worst_case = worst_case, .tokens = tokens}, error);
}

hushbit_status hushbit_budget_spend_texts(hushbit_budget* budget, double worst_case, uint32_t texts,
                                          hushbit_error* error) {
  if (budget == nullptr) return null_argument(error);
  return budget->budget.spend({.worst_case = worst_case, .tokens = texts, .texts = texts}, error);
}

hushbit_status hushbit_budget_get_state(const hushbit_budget* budget, hushbit_budget_state* state,
                                        hushbit_error* error) {
  if (budget == nullptr || state == nullptr) return null_argument(error);
  return give_state(state, error, [&](hushbit_budget_state* whole) { return budget->budget.get_state(whole, error); });
}

hushbit_status hushbit_budget_read(const char* path, hushbit_budget_state* state, hushbit_error* error) {
  if (path == nullptr || state == nullptr) return null_argument(error);
  return give_state(state, error,
                    [&](hushbit_budget_state* whole) { return hushbit::Budget::read(path, whole, error); });
}

hushbit_status hushbit_budget_reset(const char* path, hushbit_error* error) {
  return path == nullptr ? null_argument(error) : hushbit::Budget::reset(path, error);
}
