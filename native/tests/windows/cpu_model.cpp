// What __builtin_cpu_supports reads. The run-time libraries of GCC and Clang have it, zig's has not.
#include <cpuid.h>

namespace {

// Numbers of features, as compilers know them.
enum {
  kPopcnt = 2,
  kAvx2 = 10,
  kAvx512f = 15,
  kBmi = 16,
  kBmi2 = 17,
  kAvx512vl = 20,
  kAvx512bw = 21,
  kAvx512vbmi = 26,
  kAvx512vpopcntdq = 30
};

}  // namespace

extern "C" {

struct {
  unsigned vendor, type, subtype, features;
} __cpu_model;

__attribute__((constructor(101))) void find_cpu_model() {
  unsigned eax, ebx, ecx, edx, saved = 0, saved_high;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return;
  const auto set = [](bool has, int feature) { __cpu_model.features |= has ? 1u << feature : 0u; };
  set((ecx >> 23 & 1) != 0, kPopcnt);
  if ((ecx >> 27 & 1) != 0) __asm__("xgetbv" : "=a"(saved), "=d"(saved_high) : "c"(0));
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return;
  const bool avx = (saved & 0x06) == 0x06, avx512 = (saved & 0xE6) == 0xE6;  // the system keeps such registers
  set((ebx >> 3 & 1) != 0, kBmi);
  set((ebx >> 8 & 1) != 0, kBmi2);
  set(avx && (ebx >> 5 & 1) != 0, kAvx2);
  set(avx512 && (ebx >> 16 & 1) != 0, kAvx512f);
  set(avx512 && (ebx >> 30 & 1) != 0, kAvx512bw);
  set(avx512 && (ebx >> 31 & 1) != 0, kAvx512vl);
  set(avx512 && (ecx >> 1 & 1) != 0, kAvx512vbmi);
  set(avx512 && (ecx >> 14 & 1) != 0, kAvx512vpopcntdq);
}

}  // extern "C"
