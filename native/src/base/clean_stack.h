// Running what handles typed words so that nothing of them stays behind on the stack.
#ifndef HUSHBIT_CLEAN_STACK_H_
#define HUSHBIT_CLEAN_STACK_H_

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

#if defined(_MSC_VER)
#define HUSHBIT_APART __declspec(noinline)
#else
#define HUSHBIT_APART [[gnu::noinline]]
#endif

namespace hushbit {

// How deep calls go, with room for a dynamic linker that looks functions up when they are first called. Without
// optimization frames are larger. native/tests/wipe_test.cpp finds out whether this is enough.
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
inline constexpr size_t kFrames = 3;
#else
inline constexpr size_t kFrames = 1;
#endif
inline constexpr size_t kLookupStackBytes = kFrames * 8 * 1024;      // of a word, of a code
inline constexpr size_t kTokenizerStackBytes = kFrames * 16 * 1024;  // of a text, of a key
inline constexpr size_t kSearchStackBytes = kFrames * 88 * 1024;     // of near codes, and all the rest

// Neither may be inlined: their frames must begin in the same place, below that of the caller.
template <typename Work>
HUSHBIT_APART auto run_apart(const Work& work) {
  return work();
}
template <size_t kBytes>
HUSHBIT_APART void wipe_stack() {
  uint8_t memory[kBytes];
  wipe(memory, sizeof(memory));
}

// Runs `work`, then overwrites what it left on the stack, spilled registers too, down to kBytes. The caller must keep
// nothing of the words in its own frame.
template <size_t kBytes, typename Work>
auto run_and_wipe(const Work& work) {
  const auto result = run_apart(work);
  wipe_stack<kBytes>();
  return result;
}

}  // namespace hushbit

#endif  // HUSHBIT_CLEAN_STACK_H_
