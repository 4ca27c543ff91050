// The budget: a ledger in a file, and caps that nothing gets past (docs/repetition-and-budget.md).
#ifndef HUSHBIT_BUDGET_H_
#define HUSHBIT_BUDGET_H_

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "hushbit/hushbit.h"
#include "release/caps.h"

namespace hushbit {

// Returns the day of the system's clock, in UTC.
uint64_t days_since_1970();

// The names of a ledger's files.
struct BudgetPaths {
  Buffer<char> file, lock, temporary;

  hushbit_status set(const char* path, hushbit_error* error);
};

class Budget {
 public:
  // Creates the file if there is none.
  hushbit_status open(const char* path, const hushbit_budget_limits& limits, hushbit_error* error);

  // Does what hushbit_budget_spend says. Allocates nothing.
  hushbit_status spend(const Spending& more, hushbit_error* error) const;
  hushbit_status get_state(hushbit_budget_state* state, hushbit_error* error) const;

  // Replaces the system's clock, in seconds since 1970, for tests; -1 gives it back.
  void set_clock(int64_t seconds) { clock_ = seconds; }

  static hushbit_status read(const char* path, hushbit_budget_state* state, hushbit_error* error);
  static hushbit_status reset(const char* path, hushbit_error* error);

 private:
  uint64_t today() const;

  BudgetPaths paths_;
  Caps caps_;
  int64_t clock_ = -1;
};

}  // namespace hushbit

#endif  // HUSHBIT_BUDGET_H_
