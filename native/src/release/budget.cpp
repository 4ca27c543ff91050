#include "release/budget.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "release/storage.h"

namespace hushbit {
namespace {

constexpr int64_t kSecondsPerDay = 86400;

bool join(Buffer<char>* joined, const char* path, const char* ending) {
  return joined->append(path, strlen(path)) && joined->append(ending, strlen(ending) + 1);
}

hushbit_status load(const char* path, Ledger* ledger, bool* found, hushbit_error* error) {
  uint8_t bytes[kLedgerBytes + 1];
  size_t size = 0;
  const hushbit_status status = read_small_file(path, bytes, sizeof(bytes), &size, found, error);
  if (status != HUSHBIT_OK || !*found) return status;
  switch (decode_ledger(bytes, size, ledger)) {
    case HUSHBIT_OK:
      return HUSHBIT_OK;
    case HUSHBIT_UNSUPPORTED_BUDGET:
      return fail(error, HUSHBIT_UNSUPPORTED_BUDGET, 0,
                  "the budget %.*s is of a newer version: update this app; nothing was released", shown_bytes(path),
                  path);
    default:
      return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
                  "the budget %.*s is damaged; reset it (hushbit budget reset) to begin at zero; nothing was released",
                  shown_bytes(path), path);
  }
}

// A ledger that must be there: one that is gone would begin at zero again.
hushbit_status load_existing(const char* path, Ledger* ledger, hushbit_error* error) {
  bool found = false;
  const hushbit_status status = load(path, ledger, &found, error);
  if (status != HUSHBIT_OK || found) return status;
  return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
              "the budget %.*s is gone; put it back, or open it anew to begin at zero; nothing was released",
              shown_bytes(path), path);
}

hushbit_status store(const BudgetPaths& paths, const Ledger& ledger, hushbit_error* error) {
  uint8_t bytes[kLedgerBytes];
  encode_ledger(ledger, bytes);
  return replace_file(paths.file.data(), paths.temporary.data(), bytes, sizeof(bytes), error);
}

hushbit_status check_cost(double worst_case, const char* what, hushbit_error* error) {
  if (worst_case >= 0) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "%s is %g; it must be 0 or more", what, worst_case);
}

// Rounded down, unlike costs, and all of what is there if there is no cap.
uint64_t cap_units(double cap) {
  if (isinf(cap)) return kInfiniteCost;
  const double units = floor(cap * 1e6);
  return units < 0x1p63 ? static_cast<uint64_t>(units) : uint64_t{1} << 63;
}

bool exceeds(uint64_t spent, uint64_t more, uint64_t cap) {
  return cap != UINT64_MAX && (spent > cap || more > cap - spent);
}

}  // namespace

uint64_t days_since_1970() {
  const int64_t now = static_cast<int64_t>(time(nullptr));
  return now < 0 ? 0 : static_cast<uint64_t>(now / kSecondsPerDay);
}

hushbit_status BudgetPaths::set(const char* path, hushbit_error* error) {
  if (*path == '\0') return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the path of the budget is empty");
  if (join(&file, path, "") && join(&lock, path, ".lock") && join(&temporary, path, ".new")) return HUSHBIT_OK;
  return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
}

hushbit_status Budget::open(const char* path, const hushbit_budget_limits& limits, hushbit_error* error) {
  hushbit_status status = check_cost(limits.worst_case_per_day, "the cap per day", error);
  if (status == HUSHBIT_OK) status = check_cost(limits.worst_case_lifetime, "the cap per lifetime", error);
  if (status == HUSHBIT_OK) status = paths_.set(path, error);
  if (status != HUSHBIT_OK) return status;
  caps_ = {.cost_per_day = cap_units(limits.worst_case_per_day),
           .cost_lifetime = cap_units(limits.worst_case_lifetime),
           .tokens_per_day = limits.tokens_per_day,
           .tokens_lifetime = limits.tokens_lifetime};
  FileLock lock;
  status = lock.acquire(paths_.lock.data(), error);
  Ledger ledger;
  bool found = false;
  if (status == HUSHBIT_OK) status = load(paths_.file.data(), &ledger, &found, error);
  return status != HUSHBIT_OK || found ? status : store(paths_, ledger, error);
}

uint64_t Budget::today() const {
  return clock_ < 0 ? days_since_1970() : static_cast<uint64_t>(clock_ / kSecondsPerDay);
}

hushbit_status Budget::try_spend(double worst_case, uint64_t tokens, hushbit_error* error) const {
  hushbit_status status = check_cost(worst_case, "the cost", error);
  if (status != HUSHBIT_OK) return status;
  FileLock lock;
  status = lock.acquire(paths_.lock.data(), error);
  Ledger ledger;
  if (status == HUSHBIT_OK) status = load_existing(paths_.file.data(), &ledger, error);
  if (status != HUSHBIT_OK) return status;
  ledger.begin_day(today());
  status = check_caps(ledger, worst_case, tokens, error);
  if (status != HUSHBIT_OK) return status;
  ledger.add(cost_units(worst_case), tokens);
  return store(paths_, ledger, error);
}

hushbit_status Budget::check_caps(const Ledger& ledger, double worst_case, uint64_t tokens,
                                  hushbit_error* error) const {
  const uint64_t cost = cost_units(worst_case);
  const auto exhausted = [&](const char* span, uint64_t spent, uint64_t cap) {
    return fail(error, HUSHBIT_BUDGET_EXHAUSTED, 0,
                "the budget of %.12g %s has %.12g left, and this costs %.12g at worst; nothing was released",
                cost_of_units(cap), span, cost_of_units(cap - (spent < cap ? spent : cap)), cost_of_units(cost));
  };
  const auto tokens_exhausted = [&](const char* span, uint64_t spent, uint64_t cap) {
    return fail(error, HUSHBIT_BUDGET_EXHAUSTED, 0,
                "the budget of %llu tokens %s has %llu left, and this has %llu; nothing was released",
                static_cast<unsigned long long>(cap), span,
                static_cast<unsigned long long>(cap - (spent < cap ? spent : cap)),
                static_cast<unsigned long long>(tokens));
  };
  if (exceeds(ledger.cost_lifetime, cost, caps_.cost_lifetime)) {
    return exhausted("in all", ledger.cost_lifetime, caps_.cost_lifetime);
  }
  if (exceeds(ledger.cost_today, cost, caps_.cost_per_day)) {
    return exhausted("a day", ledger.cost_today, caps_.cost_per_day);
  }
  if (exceeds(ledger.tokens_lifetime, tokens, caps_.tokens_lifetime)) {
    return tokens_exhausted("in all", ledger.tokens_lifetime, caps_.tokens_lifetime);
  }
  if (exceeds(ledger.tokens_today, tokens, caps_.tokens_per_day)) {
    return tokens_exhausted("a day", ledger.tokens_today, caps_.tokens_per_day);
  }
  return HUSHBIT_OK;
}

hushbit_status Budget::get_state(hushbit_budget_state* state, hushbit_error* error) const {
  Ledger ledger;
  const hushbit_status status = load_existing(paths_.file.data(), &ledger, error);
  if (status != HUSHBIT_OK) return status;
  ledger.begin_day(today());
  *state = ledger.state();
  return HUSHBIT_OK;
}

hushbit_status Budget::read(const char* path, hushbit_budget_state* state, hushbit_error* error) {
  Ledger ledger;
  bool found = false;
  const hushbit_status status = load(path, &ledger, &found, error);
  if (status != HUSHBIT_OK) return status;
  if (!found) return fail(error, HUSHBIT_FILE_NOT_FOUND, 0, "there is no budget %.*s", shown_bytes(path), path);
  ledger.begin_day(days_since_1970());
  *state = ledger.state();
  return HUSHBIT_OK;
}

hushbit_status Budget::reset(const char* path, hushbit_error* error) {
  BudgetPaths paths;
  hushbit_status status = paths.set(path, error);
  if (status != HUSHBIT_OK) return status;
  uint8_t bytes[kLedgerBytes + 1];
  size_t size = 0;
  bool found = false;
  status = read_small_file(path, bytes, sizeof(bytes), &size, &found, error);
  if (status != HUSHBIT_OK) return status;
  if (!may_be_ledger(bytes, size)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "%.*s is not a budget, and was left as it is", shown_bytes(path),
                path);
  }
  FileLock lock;
  status = lock.acquire(paths.lock.data(), error);
  if (status != HUSHBIT_OK) return status;
  return store(paths, Ledger(), error);
}

}  // namespace hushbit
