// The ledger of a budget as bytes, for a caller that stores them itself: web/src/budget.js. The bytes are the same as
// in the file of a budget (native/src/release/ledger.cpp).
#include "release/ledger.h"

#include "base/error.h"
#include "hushbit/hushbit.h"
#include "release/caps.h"

using hushbit::fail;
using hushbit::kLedgerBytes;
using hushbit::Ledger;

namespace {

hushbit_status decode(const uint8_t* bytes, size_t size, Ledger* ledger, hushbit_error* error) {
  switch (hushbit::decode_ledger(bytes, size, ledger)) {
    case HUSHBIT_OK:
      return HUSHBIT_OK;
    case HUSHBIT_UNSUPPORTED_BUDGET:
      return fail(error, HUSHBIT_UNSUPPORTED_BUDGET, 0,
                  "the budget is of a newer version: reload the page; nothing was released");
    default:
      return fail(error, HUSHBIT_CORRUPT_BUDGET, 0,
                  "the budget is damaged; reset it to begin at zero; nothing was released");
  }
}

}  // namespace

extern "C" {

// An empty ledger, kLedgerBytes of it.
HUSHBIT_API void hushbit_web_ledger_create(uint8_t* bytes) { hushbit::encode_ledger(Ledger(), bytes); }

// Spends from the ledger of `size` bytes at `bytes`, in place. `today` is the number of days since 1970. `texts`:
// releases of whole texts, which are tokens too. Fails like
// hushbit_budget_spend, except for errors of files. If it fails, the bytes are unchanged.
HUSHBIT_API hushbit_status hushbit_web_ledger_spend(uint8_t* bytes, size_t size, const hushbit_budget_limits* limits,
                                                    uint32_t today, double worst_case, uint32_t tokens, uint32_t texts,
                                                    hushbit_error* error) {
  hushbit::Caps caps;
  Ledger ledger;
  hushbit_status status = caps.set(*limits, error);
  if (status == HUSHBIT_OK) status = decode(bytes, size, &ledger, error);
  if (status == HUSHBIT_OK) status = hushbit::spend(&ledger, caps, today, {worst_case, tokens, texts}, error);
  if (status == HUSHBIT_OK) hushbit::encode_ledger(ledger, bytes);
  return status;
}

// Writes to `state` what was spent until `today`.
HUSHBIT_API hushbit_status hushbit_web_ledger_state(const uint8_t* bytes, size_t size, uint32_t today,
                                                    hushbit_budget_state* state, hushbit_error* error) {
  Ledger ledger;
  const hushbit_status status = decode(bytes, size, &ledger, error);
  if (status != HUSHBIT_OK) return status;
  ledger.begin_day(today);
  *state = ledger.state();
  return HUSHBIT_OK;
}

}  // extern "C"
