// What the tests of budgets share: budgets, and a privatizer that spends.
#ifndef HUSHBIT_TESTS_BUDGET_FILES_H_
#define HUSHBIT_TESTS_BUDGET_FILES_H_

#include <memory>
#include <string>

#include "check.h"
#include "files.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "open_bundle.h"
#include "released.h"

namespace hushbit::testing {

inline hushbit_budget_limits no_limits() {
  hushbit_budget_limits limits = {.struct_size = sizeof(hushbit_budget_limits)};
  hushbit_budget_limits_init(&limits, nullptr);
  return limits;
}

inline hushbit_budget_limits limits_of(double per_day, double lifetime) {
  hushbit_budget_limits limits = no_limits();
  limits.worst_case_per_day = per_day;
  limits.worst_case_lifetime = lifetime;
  return limits;
}

struct OpenBudget {
  hushbit_budget* handle = nullptr;
  hushbit_status status;
  hushbit_error error = {};

  explicit OpenBudget(const std::string& path, const hushbit_budget_limits& limits = no_limits()) {
    status = hushbit_budget_open(path.c_str(), &limits, &handle, &error);
  }
  ~OpenBudget() { hushbit_budget_close(handle); }
  OpenBudget(const OpenBudget&) = delete;
  OpenBudget& operator=(const OpenBudget&) = delete;

  hushbit_status spend(double cost, uint64_t tokens = 0) { return hushbit_budget_spend(handle, cost, tokens, &error); }
  hushbit_budget_state state() {
    hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
    CHECK_EQ(hushbit_budget_get_state(handle, &state, &error), HUSHBIT_OK);
    return state;
  }
  void set_day(int64_t day, int64_t second = 0) { hushbit_testing_budget_set_clock(handle, day * 86400 + second); }
};

// A privatizer over four words, with all that it needs.
class SmallPrivatizer {
 public:
  explicit SmallPrivatizer(hushbit_budget* budget, uint32_t oov = HUSHBIT_OOV_RANDOM, const char* audit = nullptr) {
    hushbit_privatizer_options options = bundle_.options();
    options.budget = budget;
    options.oov = oov;
    options.audit_log = audit;
    status = hushbit_privatizer_create(bundle_.handle, &options, &privatizer_, &error);
    CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  }
  ~SmallPrivatizer() {
    hushbit_result_destroy(result);
    hushbit_privatizer_destroy(privatizer_);
  }
  SmallPrivatizer(const SmallPrivatizer&) = delete;
  SmallPrivatizer& operator=(const SmallPrivatizer&) = delete;

  hushbit_status run(const std::string& text) {
    return hushbit_privatize(privatizer_, text.data(), text.size(), result, &error);
  }
  // With a source of randomness that fails.
  hushbit_status run_without_randomness(const std::string& text) {
    const auto fail = [](void*, void*, size_t) { return 0; };
    return hushbit_testing_privatize_with(privatizer_, fail, nullptr, text.data(), text.size(), result, &error);
  }
  std::string released() const { return released_text(result); }
  hushbit_cost cost() const { return released_cost(result); }

  hushbit_status status;
  hushbit_error error = {};
  hushbit_result* result = nullptr;

 private:
  OpenBundle bundle_{{"a", "cat", "sat", "the"}};
  hushbit_privatizer* privatizer_ = nullptr;
};

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_BUDGET_FILES_H_
