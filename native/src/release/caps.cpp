#include "release/caps.h"

#include "base/error.h"

namespace hushbit {
namespace {

hushbit_status check_cost(double worst_case, const char* what, hushbit_error* error) {
  if (worst_case >= 0) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "%s is %g; it must be 0 or more", what, worst_case);
}

bool exceeds(uint64_t spent, uint64_t more, uint64_t cap) {
  return cap != UINT64_MAX && (spent > cap || more > cap - spent);
}

uint64_t left_of(uint64_t cap, uint64_t spent) { return cap - (spent < cap ? spent : cap); }

hushbit_status check_caps(const Ledger& ledger, const Caps& caps, uint64_t cost, uint64_t tokens,
                          hushbit_error* error) {
  const auto exhausted = [&](const char* span, uint64_t spent, uint64_t cap) {
    return fail(error, HUSHBIT_BUDGET_EXHAUSTED, 0,
                "the budget of %.15g %s has %.15g left, and this costs %.15g at worst; nothing was released",
                of_millionths(cap), span, of_millionths(left_of(cap, spent)), of_millionths(cost));
  };
  const auto tokens_exhausted = [&](const char* span, uint64_t spent, uint64_t cap) {
    return fail(error, HUSHBIT_BUDGET_EXHAUSTED, 0,
                "the budget of %llu tokens %s has %llu left, and this has %llu; nothing was released",
                static_cast<unsigned long long>(cap), span, static_cast<unsigned long long>(left_of(cap, spent)),
                static_cast<unsigned long long>(tokens));
  };
  if (exceeds(ledger.cost_lifetime, cost, caps.cost_lifetime)) {
    return exhausted("in all", ledger.cost_lifetime, caps.cost_lifetime);
  }
  if (exceeds(ledger.cost_today, cost, caps.cost_per_day)) {
    return exhausted("a day", ledger.cost_today, caps.cost_per_day);
  }
  if (exceeds(ledger.tokens_lifetime, tokens, caps.tokens_lifetime)) {
    return tokens_exhausted("in all", ledger.tokens_lifetime, caps.tokens_lifetime);
  }
  if (exceeds(ledger.tokens_today, tokens, caps.tokens_per_day)) {
    return tokens_exhausted("a day", ledger.tokens_today, caps.tokens_per_day);
  }
  return HUSHBIT_OK;
}

}  // namespace

hushbit_status Caps::set(const hushbit_budget_limits& limits, hushbit_error* error) {
  hushbit_status status = check_cost(limits.worst_case_per_day, "the cap per day", error);
  if (status == HUSHBIT_OK) status = check_cost(limits.worst_case_lifetime, "the cap per lifetime", error);
  if (status != HUSHBIT_OK) return status;
  cost_per_day = millionths_of_cap(limits.worst_case_per_day);
  cost_lifetime = millionths_of_cap(limits.worst_case_lifetime);
  tokens_per_day = limits.tokens_per_day;
  tokens_lifetime = limits.tokens_lifetime;
  return HUSHBIT_OK;
}

hushbit_status spend(Ledger* ledger, const Caps& caps, uint64_t today, const Spending& more, hushbit_error* error) {
  hushbit_status status = check_cost(more.worst_case, "the cost", error);
  if (status != HUSHBIT_OK) return status;
  ledger->begin_day(today);
  const uint64_t cost = stated_millionths(more.worst_case);
  status = check_caps(*ledger, caps, cost, more.tokens, error);
  if (status == HUSHBIT_OK) ledger->add(cost, more.tokens, more.texts);
  return status;
}

}  // namespace hushbit
