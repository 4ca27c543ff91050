// A ledger of what was spent, in a small file, and caps.
#include "Objects.h"
#include "Options.h"

namespace hushbit::react {

namespace {

jsi::Value spend(const Call& call, hushbit_budget* budget) {
  const double worst_case = call.number(0, "the cost");
  const uint64_t tokens = call.integer(1, "the number of tokens", UINT32_MAX);
  check(call.rt, hushbit_budget_spend, budget, worst_case, tokens);
  return jsi::Value::undefined();
}

jsi::Value spend_texts(const Call& call, hushbit_budget* budget) {
  const double worst_case = call.number(0, "the cost");
  check(call.rt, hushbit_budget_spend_texts, budget, worst_case, call.integer(1, "the number of texts", UINT32_MAX));
  return jsi::Value::undefined();
}

jsi::Value state(const Call& call, hushbit_budget* budget) {
  const auto state = told<hushbit_budget_state>(call.rt, hushbit_budget_get_state, budget);
  return to_object(call.rt, {HUSHBIT_FIELD(state, day), HUSHBIT_FIELD(state, worst_case_today),
                             HUSHBIT_FIELD(state, worst_case_lifetime), HUSHBIT_FIELD(state, tokens_today),
                             HUSHBIT_FIELD(state, tokens_lifetime), HUSHBIT_FIELD(state, texts_today),
                             HUSHBIT_FIELD(state, texts_lifetime)});
}

constexpr Method kMethods[] = {
    {"spend", 2, untyped<spend>}, {"spendTexts", 2, untyped<spend_texts>}, {"state", 0, untyped<state>}};

}  // namespace

constinit const Kind kBudget = {"budget", nullptr, kMethods};

jsi::Value open_budget(const Call& call) {
  const std::string path = call.path(0);
  hushbit_budget_limits limits = sized<hushbit_budget_limits>();
  check(call.rt, hushbit_budget_limits_init, &limits);
  Options given(call.rt, call.argument(1));
  given.read("worstCasePerDay", &limits.worst_case_per_day);
  given.read("worstCaseLifetime", &limits.worst_case_lifetime);
  given.integer("tokensPerDay", &limits.tokens_per_day);
  given.integer("tokensLifetime", &limits.tokens_lifetime);
  given.refuse_others();
  hushbit_budget* budget = nullptr;
  check(call.rt, hushbit_budget_open, path.c_str(), &limits, &budget);
  return made(call.rt, kBudget, budget, hushbit_budget_close);
}

jsi::Value reset_budget(const Call& call) {
  check(call.rt, hushbit_budget_reset, call.path(0).c_str());
  return jsi::Value::undefined();
}

}  // namespace hushbit::react
