#include "error.h"

#include <stdarg.h>
#include <stdio.h>

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

}  // namespace hushbit
