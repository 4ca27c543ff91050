// Caps of a budget, and whether a ledger may be spent from.
#ifndef HUSHBIT_CAPS_H_
#define HUSHBIT_CAPS_H_

#include <stdint.h>

#include "base/millionths.h"
#include "hushbit/hushbit.h"
#include "release/ledger.h"

namespace hushbit {

// What a release costs. `texts`: releases of whole texts, each of which is a token too.
struct Spending {
  double worst_case;
  uint64_t tokens;
  uint32_t texts = 0;
};

// Caps are in the units of the ledger. There are none unless they are set.
struct Caps {
  uint64_t cost_per_day = kInfiniteCost;
  uint64_t cost_lifetime = kInfiniteCost;
  uint64_t tokens_per_day = UINT64_MAX;
  uint64_t tokens_lifetime = UINT64_MAX;

  // Rounded down, unlike costs, where they are not stated in millionths. INVALID_ARGUMENT for one that is negative or
  // NaN.
  hushbit_status set(const hushbit_budget_limits& limits, hushbit_error* error);
};

// Begins a new day if `today` (since 1970) is one, and spends if no cap stands against it. Fails with INVALID_ARGUMENT
// (a cost that is negative or NaN) or BUDGET_EXHAUSTED; then nothing is spent.
hushbit_status spend(Ledger* ledger, const Caps& caps, uint64_t today, const Spending& more, hushbit_error* error);

}  // namespace hushbit

#endif  // HUSHBIT_CAPS_H_
