// The sources of random bits.
#ifndef HUSHBIT_RANDOM_H_
#define HUSHBIT_RANDOM_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

// `fill` writes `size` random bytes to `out`, or returns false; then nothing may be released.
struct RandomSource {
  bool (*fill)(void* state, void* out, size_t size);
  void* state;
};

// The operating system's generator: getrandom, arc4random_buf, BCryptGenRandom, or in WebAssembly the embedder's. No
// state, no buffering.
RandomSource system_random();

// Overwrites memory in a way that the compiler keeps.
void wipe(void* memory, size_t size);

}  // namespace hushbit

#endif  // HUSHBIT_RANDOM_H_
