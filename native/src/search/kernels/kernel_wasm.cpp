// Kernels for WebAssembly with its 128-bit registers.
#include "base/bytes.h"
#include "search/kernels/kernel_sets.h"

#if HUSHBIT_WASM_KERNELS

#include <string.h>
#include <wasm_simd128.h>

#include <algorithm>
#include <bit>

namespace hushbit {
namespace {

struct Vector {
  static constexpr uint32_t kBits = 128, kTogether = 2;
  using Type = v128_t;

  HUSHBIT_INLINE static Type load(const uint8_t* p) { return wasm_v128_load(p); }
  HUSHBIT_INLINE static void store(uint8_t* p, Type value) { wasm_v128_store(p, value); }
  HUSHBIT_INLINE static Type both(Type a, Type b) { return wasm_v128_and(a, b); }
  HUSHBIT_INLINE static Type either(Type a, Type b) { return wasm_v128_or(a, b); }
  HUSHBIT_INLINE static Type invert(Type a) { return wasm_v128_not(a); }
  HUSHBIT_INLINE static bool all_ones(Type a) { return wasm_i64x2_all_true(wasm_i64x2_eq(a, wasm_i64x2_splat(-1))); }
  HUSHBIT_INLINE static void half_add(Type a, Type b, Type* sum, Type* carry) {
    *sum = wasm_v128_xor(a, b);
    *carry = wasm_v128_and(a, b);
  }
  HUSHBIT_INLINE static void add(Type a, Type b, Type c, Type* sum, Type* carry) {
    const Type ab = wasm_v128_xor(a, b);
    *sum = wasm_v128_xor(ab, c);
    *carry = wasm_v128_xor(a, wasm_v128_and(ab, wasm_v128_xor(a, c)));  // c if a and b differ, else a
  }
  HUSHBIT_INLINE static Type spread(const uint16_t* numbers) {
    return wasm_u64x2_make(numbers[0] * uint64_t{0x0001000100010001}, numbers[1] * uint64_t{0x0001000100010001});
  }
  HUSHBIT_INLINE static Type bit(Type values, uint32_t j) { return wasm_i16x8_shr(wasm_i16x8_shl(values, 15 - j), 15); }
};

#include "search/kernels/tile_kernel.inc"

uint32_t distances(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint32_t code_bytes,
                   uint16_t* distances) {
  if (code_bytes % 16 != 0) return distances_scalar(codes, stride, count, query, code_bytes, distances);
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    v128_t sums = wasm_i16x8_splat(0);
    for (uint32_t at = 0; at < code_bytes; at += 16) {
      const v128_t differs = wasm_v128_xor(wasm_v128_load(codes + i * stride + at), wasm_v128_load(query + at));
      sums = wasm_i16x8_add(sums, wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt(differs)));
    }
    const v128_t fours = wasm_u32x4_extadd_pairwise_u16x8(sums);
    const v128_t twos = wasm_i32x4_add(fours, wasm_i32x4_shuffle(fours, fours, 2, 3, 0, 1));
    const uint32_t distance = wasm_u32x4_extract_lane(twos, 0) + wasm_u32x4_extract_lane(twos, 1);
    distances[i] = static_cast<uint16_t>(distance);
    least = std::min(least, distance);
  }
  return least;
}

}  // namespace

const Kernels kWasmKernels = {"simd128", scan_tile, zero_planes_scalar, distances};

}  // namespace hushbit

#endif  // HUSHBIT_WASM_KERNELS
