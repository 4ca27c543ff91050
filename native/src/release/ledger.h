// What a budget's file holds, and its bytes.
#ifndef HUSHBIT_LEDGER_H_
#define HUSHBIT_LEDGER_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit/hushbit.h"

namespace hushbit {

// Costs are in millionths.
struct Ledger {
  uint64_t day = 0;  // since 1970-01-01 UTC
  uint64_t cost_today = 0;
  uint64_t cost_lifetime = 0;
  uint64_t tokens_today = 0;
  uint64_t tokens_lifetime = 0;
  uint32_t texts_today = 0;  // releases of whole texts; both saturate
  uint32_t texts_lifetime = 0;

  // Begins a new day if `today` is one. A day before the last one changes nothing.
  void begin_day(uint64_t today);
  void add(uint64_t cost, uint64_t tokens, uint32_t texts);
  hushbit_budget_state state() const;
};

inline constexpr size_t kLedgerBytes = 64;

void encode_ledger(const Ledger& ledger, uint8_t bytes[kLedgerBytes]);

// Reads a file of `size` bytes, of which the first kLedgerBytes + 1 are at `bytes` if it has as many. OK,
// CORRUPT_BUDGET, or UNSUPPORTED_BUDGET for a newer version.
hushbit_status decode_ledger(const uint8_t* bytes, size_t size, Ledger* ledger);

// Whether the bytes could be a ledger that was damaged, rather than some other file: they begin as one, as far as they
// go, or they are all zero, as a crash may leave them.
bool may_be_ledger(const uint8_t* bytes, size_t size);

}  // namespace hushbit

#endif  // HUSHBIT_LEDGER_H_
