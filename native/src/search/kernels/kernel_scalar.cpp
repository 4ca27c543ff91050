// The portable kernels: registers of 64 bits.
#include <string.h>

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "search/kernels/kernel_sets.h"

namespace hushbit {
namespace {

struct Vector {
  static constexpr uint32_t kBits = 64, kTogether = 1;
  using Type = uint64_t;

  HUSHBIT_INLINE static Type load(const uint8_t* p) { return load_le64(p); }  // bit w is the group's word w
  HUSHBIT_INLINE static void store(uint8_t* p, Type value) { memcpy(p, &value, sizeof(value)); }
  HUSHBIT_INLINE static Type both(Type a, Type b) { return a & b; }
  HUSHBIT_INLINE static Type either(Type a, Type b) { return a | b; }
  HUSHBIT_INLINE static Type invert(Type a) { return ~a; }
  HUSHBIT_INLINE static bool all_ones(Type a) { return a == UINT64_MAX; }
  HUSHBIT_INLINE static void half_add(Type a, Type b, Type* sum, Type* carry) {
    *sum = a ^ b;
    *carry = a & b;
  }
  HUSHBIT_INLINE static void add(Type a, Type b, Type c, Type* sum, Type* carry) {
    const Type ab = a ^ b;
    *sum = ab ^ c;
    *carry = (a & b) | (ab & c);
  }
  HUSHBIT_INLINE static Type spread(const uint16_t* numbers) { return numbers[0] * uint64_t{0x0001000100010001}; }
  HUSHBIT_INLINE static Type bit(Type values, uint32_t j) { return Type{0} - (values >> j & 1); }
};

#include "search/kernels/tile_kernel.inc"

HUSHBIT_INLINE uint32_t distances_inlined(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query,
                                          uint32_t code_bytes, uint16_t* distances) {
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t distance = hamming_distance(codes + i * stride, query, code_bytes);
    distances[i] = static_cast<uint16_t>(distance);
    least = std::min(least, distance);
  }
  return least;
}

}  // namespace

const Kernels kScalarKernels = {"scalar", scan_tile, zero_planes_scalar, distances_scalar};

void zero_planes_scalar(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask) {
  for (uint32_t plane = 0; plane < bits; plane += 8) {
    uint32_t zeros = 0;
    for (uint32_t j = 0; j < 8; ++j) {
      const uint32_t bit = order.bit(plane + j) % bits;
      zeros |= (~(uint32_t{code[bit / 8]} >> (bit % 8)) & 1u) << j;
    }
    mask[plane / 8] = static_cast<uint8_t>(zeros);
  }
}

uint32_t distances_scalar(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query,
                          uint32_t code_bytes, uint16_t* distances) {
#if HUSHBIT_X86_KERNELS
  // Older than AVX2, and not in the baseline either.
  if (__builtin_cpu_supports("popcnt")) return distances_popcnt(codes, stride, count, query, code_bytes, distances);
#endif
  return distances_inlined(codes, stride, count, query, code_bytes, distances);
}

#if HUSHBIT_X86_KERNELS
[[gnu::target("popcnt")]] uint32_t distances_popcnt(const uint8_t* codes, size_t stride, uint32_t count,
                                                    const uint8_t* query, uint32_t code_bytes, uint16_t* distances) {
  return distances_inlined(codes, stride, count, query, code_bytes, distances);
}
#endif

}  // namespace hushbit
