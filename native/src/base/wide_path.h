// Paths for Windows, which wants UTF-16.
#ifndef HUSHBIT_WIDE_PATH_H_
#define HUSHBIT_WIDE_PATH_H_

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

namespace hushbit {

// A path of UTF-8, on the stack. `ok` is false if it is not UTF-8 or too long.
struct WidePath {
  explicit WidePath(const char* path)
      : ok(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, text, kMax) > 0) {}

  static constexpr int kMax = 4096;
  wchar_t text[kMax];
  bool ok;
};

}  // namespace hushbit

#endif  // _WIN32

#endif  // HUSHBIT_WIDE_PATH_H_
