#include "base/random.h"

#include <string.h>

#if defined(_WIN32)
#include <windows.h>
// bcrypt.h needs windows.h before it.
#include <bcrypt.h>
#elif defined(__linux__) && !defined(__ANDROID__)
#include <errno.h>
#include <sys/random.h>
#elif !defined(__wasm__)
#include <stdlib.h>
#endif

#if defined(__wasm__)
// From whoever embeds the module (web/src/core.js): writes `size` random bytes to `out` and returns 1, or returns 0.
extern "C" __attribute__((import_module("env"), import_name("hushbit_random"))) int hushbit_random(void* out,
                                                                                                   size_t size);
#endif

namespace hushbit {
namespace {

bool fill_from_system(void* /*state*/, void* out, size_t size) {
#if defined(_WIN32)
  auto* bytes = static_cast<unsigned char*>(out);
  while (size > 0) {
    const ULONG chunk = size < 1u << 20 ? static_cast<ULONG>(size) : 1u << 20;
    if (BCryptGenRandom(nullptr, bytes, chunk, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) return false;
    bytes += chunk;
    size -= chunk;
  }
  return true;
#elif defined(__linux__) && !defined(__ANDROID__)
  auto* bytes = static_cast<unsigned char*>(out);
  while (size > 0) {
    const ssize_t got = getrandom(bytes, size, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
#elif defined(__wasm__)
  return hushbit_random(out, size) == 1;
#else
  // Android has it from API 21 on, earlier than getrandom; Apple's and the BSDs' never fail either.
  arc4random_buf(out, size);
  return true;
#endif
}

}  // namespace

RandomSource system_random() { return {fill_from_system, nullptr}; }

void wipe(void* memory, size_t size) {
  if (size == 0) return;
  memset(memory, 0, size);
#if defined(__GNUC__)
  // The compiler must assume that this reads the memory, so it cannot leave the memset out.
  __asm__ __volatile__("" : : "r"(memory) : "memory");
#else
  volatile unsigned char* bytes = static_cast<volatile unsigned char*>(memory);
  for (size_t i = 0; i < size; ++i) bytes[i] = 0;
#endif
}

}  // namespace hushbit
