// Filling a hushbit_error. Messages never contain text that was to be privatized.
#ifndef HUSHBIT_ERROR_H_
#define HUSHBIT_ERROR_H_

#include "hushbit/hushbit.h"

namespace hushbit {

// Writes status, position and the formatted message to `error` if it is not null; returns `status`, so that a caller
// can `return fail(…)`.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
hushbit_status fail(hushbit_error* error, hushbit_status status, uint64_t position, const char* format, ...);

// How many bytes of a path a message has room for, without cutting a character; for "%.*s".
int shown_bytes(const char* path);

}  // namespace hushbit

#endif  // HUSHBIT_ERROR_H_
