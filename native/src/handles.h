// What the opaque types of hushbit.h are. Shared by the C interface and its testing companion.
#ifndef HUSHBIT_HANDLES_H_
#define HUSHBIT_HANDLES_H_

#include <stdint.h>

#include <atomic>
#include <span>

#include "bundle.h"
#include "privatizer.h"

struct hushbit_bundle {
  hushbit::Bundle bundle;
  mutable std::atomic<uint32_t> references{1};
};

struct hushbit_privatizer {
  const hushbit_bundle* bundle = nullptr;  // holds a reference
  hushbit::Privatizer privatizer;
};

struct hushbit_result {
  hushbit::Result result;
};

namespace hushbit {

// hushbit_privatize with any source of randomness.
hushbit_status privatize_checked(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                 RandomSource random, hushbit_result* result, hushbit_error* error);

}  // namespace hushbit

#endif  // HUSHBIT_HANDLES_H_
