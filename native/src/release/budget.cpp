#include "release/budget.h"

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
      if (!may_be_ledger(bytes, size))  // a reset would refuse it, too
        return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
                    "%.*s is not a budget and is left as it is; name another file; nothing was released",
                    shown_bytes(path), path);
      return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
                  "the budget %.*s is damaged; reset it (hushbit budget reset) to start at zero; nothing was released",
                  shown_bytes(path), path);
  }
}

// A ledger that must be there: one that is gone would begin at zero again.
hushbit_status load_existing(const char* path, Ledger* ledger, hushbit_error* error) {
  bool found = false;
  const hushbit_status status = load(path, ledger, &found, error);
  if (status != HUSHBIT_OK || found) return status;
  return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
              "the budget %.*s is missing; restore it, or open it again to start at zero; nothing was released",
              shown_bytes(path), path);
}

hushbit_status store(const BudgetPaths& paths, const Ledger& ledger, hushbit_error* error) {
  uint8_t bytes[kLedgerBytes];
  encode_ledger(ledger, bytes);
  return replace_file(paths.file.data(), paths.temporary.data(), bytes, sizeof(bytes), error);
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
  hushbit_status status = caps_.set(limits, error);
  if (status == HUSHBIT_OK) status = paths_.set(path, error);
  if (status != HUSHBIT_OK) return status;
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

hushbit_status Budget::spend(const Spending& more, hushbit_error* error) const {
  FileLock lock;
  hushbit_status status = lock.acquire(paths_.lock.data(), error);
  Ledger ledger;
  if (status == HUSHBIT_OK) status = load_existing(paths_.file.data(), &ledger, error);
  if (status == HUSHBIT_OK) status = hushbit::spend(&ledger, caps_, today(), more, error);
  return status == HUSHBIT_OK ? store(paths_, ledger, error) : status;
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
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "%.*s is not a budget and was not changed", shown_bytes(path),
                path);
  }
  FileLock lock;
  status = lock.acquire(paths.lock.data(), error);
  if (status != HUSHBIT_OK) return status;
  return store(paths, Ledger(), error);
}

}  // namespace hushbit
