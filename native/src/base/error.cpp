#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace hushbit {

hushbit_status fail(hushbit_error* error, hushbit_status status, uint64_t position, const char* format, ...) {
  if (error != nullptr) {
    error->status = status;
    error->position = position;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
  }
  return status;
}

int shown_bytes(const char* path) {
  constexpr size_t kMaxShown = 120;
  size_t size = strnlen(path, kMaxShown);
  while (size > 0 && (path[size] & 0xC0) == 0x80) --size;
  return static_cast<int>(size);
}

}  // namespace hushbit
