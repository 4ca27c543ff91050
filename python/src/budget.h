// hushbit_budget for Python.
#ifndef HUSHBIT_PYTHON_BUDGET_H_
#define HUSHBIT_PYTHON_BUDGET_H_

#include <memory>
#include <string>

#include "hushbit/hushbit.h"
#include "support.h"

namespace hushbit::python {

class Budget {
 public:
  Budget(const std::string& path, double worst_case_per_day, double worst_case_lifetime, uint64_t tokens_per_day,
         uint64_t tokens_lifetime) {
    hushbit_budget_limits limits = {.struct_size = sizeof(hushbit_budget_limits)};
    hushbit_budget_limits_init(&limits, nullptr);
    limits.worst_case_per_day = worst_case_per_day;
    limits.worst_case_lifetime = worst_case_lifetime;
    limits.tokens_per_day = tokens_per_day;
    limits.tokens_lifetime = tokens_lifetime;
    hushbit_budget* handle = nullptr;
    checked([&](hushbit_error* error) { return hushbit_budget_open(path.c_str(), &limits, &handle, error); });
    handle_.reset(handle);
  }

  void spend(double worst_case, uint64_t tokens) const {
    checked([&](hushbit_error* error) { return hushbit_budget_spend(handle_.get(), worst_case, tokens, error); });
  }

  void spend_texts(double worst_case, uint32_t texts) const {
    checked([&](hushbit_error* error) { return hushbit_budget_spend_texts(handle_.get(), worst_case, texts, error); });
  }

  hushbit_budget_state state() const {
    hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
    checked([&](hushbit_error* error) { return hushbit_budget_get_state(handle_.get(), &state, error); });
    return state;
  }

  static hushbit_budget_state read(const std::string& path) {
    hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
    checked([&](hushbit_error* error) { return hushbit_budget_read(path.c_str(), &state, error); });
    return state;
  }

  static void reset(const std::string& path) {
    checked([&](hushbit_error* error) { return hushbit_budget_reset(path.c_str(), error); });
  }

  hushbit_budget* handle() const { return handle_.get(); }

 private:
  std::unique_ptr<hushbit_budget, decltype(&hushbit_budget_close)> handle_{nullptr, hushbit_budget_close};
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_BUDGET_H_
