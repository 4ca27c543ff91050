// How a damaged bundle is reported.
#ifndef HUSHBIT_CORRUPT_H_
#define HUSHBIT_CORRUPT_H_

#include "base/error.h"

namespace hushbit {

// `what` is wrong at byte `position` of the bundle.
inline hushbit_status corrupt(hushbit_error* error, uint64_t position, const char* what) {
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, position,
              "the bundle is damaged: %s, at byte %llu; export or download it again", what,
              static_cast<unsigned long long>(position));
}

}  // namespace hushbit

#endif  // HUSHBIT_CORRUPT_H_
