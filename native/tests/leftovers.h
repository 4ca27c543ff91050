// Finding what calls leave behind in memory: on the stack, and in blocks that malloc gave. The linker sends malloc and
// free of the test and the core through here (CMakeLists.txt). For one file of a test.
#ifndef HUSHBIT_TESTS_LEFTOVERS_H_
#define HUSHBIT_TESTS_LEFTOVERS_H_

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "check.h"

namespace hushbit::testing {

struct Secret {
  const char* what;
  std::vector<uint8_t> bytes;
};

// The first secret of which any 8 bytes, counted from its start in eights, stand in memory, by any alignment. Eight
// bytes that are there by chance would need secrets chosen for it.
inline const char* find_secret(const void* memory, size_t size, const std::vector<Secret>& secrets) {
  constexpr size_t kWindow = 8;
  for (const Secret& secret : secrets) {
    for (size_t at = 0; at + kWindow <= secret.bytes.size(); at += kWindow) {
      if (memmem(memory, size, secret.bytes.data() + at, kWindow) != nullptr) return secret.what;
    }
  }
  return nullptr;
}

inline constexpr uint8_t kFresh = 0xA5;
inline std::map<void*, size_t> live_blocks;
inline const std::vector<Secret>* watched = nullptr;  // for what is in blocks that are freed
inline const char* freed_secret = nullptr;

extern "C" {
void* __real_malloc(size_t size);
void __real_free(void* memory);

void* __wrap_malloc(size_t size) {
  void* memory = __real_malloc(size);
  if (memory != nullptr) {
    memset(memory, kFresh, size);
    live_blocks[memory] = size;
  }
  return memory;
}

void __wrap_free(void* memory) {
  const auto block = live_blocks.find(memory);
  if (block != live_blocks.end()) {
    if (watched != nullptr && freed_secret == nullptr) freed_secret = find_secret(memory, block->second, *watched);
    live_blocks.erase(block);
  }
  __real_free(memory);
}
}

// Whether all of a block that malloc gave is as it was given, or zeros.
inline bool is_wiped(const void* memory) {
  const auto block = live_blocks.find(const_cast<void*>(memory));
  if (block == live_blocks.end()) return memory == nullptr;
  const auto* bytes = static_cast<const uint8_t*>(memory);
  return std::all_of(bytes, bytes + block->second, [](uint8_t byte) { return byte == 0 || byte == kFresh; });
}

struct Leftovers {
  const char* secret = nullptr;  // found on the stack or in a block, live or freed
  size_t words = 0;              // of 8 bytes that are not zero, deeper on the stack than the call itself
  size_t depth = 0;              // the deepest of them, in bytes below the caller
};

// Runs `work` on a stack of its own, and looks at what it left.
inline Leftovers leftovers_of(const std::function<void()>& work, const std::vector<Secret>& secrets) {
  static constexpr size_t kStackWords = (1 << 20) / 8;
  static constexpr uint64_t kPaint = 0x9D9D9D9D9D9D9D9D;
  // What the arguments of the call, and the way to it, may take.
#if defined(__OPTIMIZE__)
  [[maybe_unused]] constexpr size_t kOwnBytes = 512;
#else
  [[maybe_unused]] constexpr size_t kOwnBytes = 1024;
#endif
  struct Run {
    const std::function<void()>* work;
    std::vector<uint64_t> stack = std::vector<uint64_t>(kStackWords, kPaint);
    std::vector<uint64_t> after = std::vector<uint64_t>(kStackWords);
    size_t used = 0;  // words from the end of the stack to the caller
  } run{&work};

  watched = &secrets;
  freed_secret = nullptr;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK_EQ(pthread_attr_setstack(&attributes, run.stack.data(), kStackWords * 8), 0);
  const auto start = [](void* argument) -> void* {
    Run& self = *static_cast<Run*>(argument);
    const uint64_t here = 0;
    self.used = kStackWords - static_cast<size_t>(&here - self.stack.data());
    (*self.work)();
    memcpy(self.after.data(), self.stack.data(), kStackWords * 8);  // before the end of the thread writes over it
    return nullptr;
  };
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, &attributes, start, &run), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  watched = nullptr;

  Leftovers found;
#if !defined(__SANITIZE_ADDRESS__)  // whose locals are elsewhere, and whose memory is its own
  const size_t caller = kStackWords - run.used;
  for (size_t i = 0; i + kOwnBytes / 8 < caller; ++i) {
    if (run.after[i] == 0 || run.after[i] == kPaint) continue;
    if (found.words++ == 0) found.depth = (caller - i) * 8;
  }
  found.secret = find_secret(run.after.data(), kStackWords * 8, secrets);
#endif
  if (found.secret == nullptr) found.secret = freed_secret;
  for (const auto& [memory, size] : live_blocks) {
    if (found.secret == nullptr) found.secret = find_secret(memory, size, secrets);
  }
  return found;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_LEFTOVERS_H_
