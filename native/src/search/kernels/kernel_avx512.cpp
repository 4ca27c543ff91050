// Kernels for x86-64 processors with AVX-512 (since Ice Lake and Zen 4): registers of 512 bits.
#include "base/bytes.h"
#include "search/kernels/kernel_sets.h"

#if HUSHBIT_X86_KERNELS

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns about its own header
#endif
#include <immintrin.h>
#include <string.h>

#include <algorithm>
#include <bit>

namespace hushbit {

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2,popcnt")
#endif

namespace {

struct Vector {
  static constexpr uint32_t kBits = 512, kTogether = 1;
  using Type = __m512i;

  HUSHBIT_INLINE static Type load(const uint8_t* p) { return _mm512_loadu_si512(p); }
  HUSHBIT_INLINE static void store(uint8_t* p, Type value) { _mm512_storeu_si512(p, value); }
  HUSHBIT_INLINE static Type both(Type a, Type b) { return _mm512_and_si512(a, b); }
  HUSHBIT_INLINE static Type either(Type a, Type b) { return _mm512_or_si512(a, b); }
  HUSHBIT_INLINE static Type invert(Type a) { return _mm512_ternarylogic_epi64(a, a, a, 0x55); }
  HUSHBIT_INLINE static bool all_ones(Type a) { return _mm512_cmpneq_epi64_mask(a, _mm512_set1_epi64(-1)) == 0; }
  HUSHBIT_INLINE static void half_add(Type a, Type b, Type* sum, Type* carry) {
    *sum = _mm512_xor_si512(a, b);
    *carry = _mm512_and_si512(a, b);
  }
  HUSHBIT_INLINE static void add(Type a, Type b, Type c, Type* sum, Type* carry) {
    *sum = _mm512_ternarylogic_epi64(a, b, c, 0x96);    // odd
    *carry = _mm512_ternarylogic_epi64(a, b, c, 0xE8);  // two or three
  }
  HUSHBIT_INLINE static Type spread(const uint16_t* numbers) {
    const Type wide = _mm512_cvtepu16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers)));
    const Type twice = _mm512_or_si512(wide, _mm512_slli_epi64(wide, 16));
    return _mm512_or_si512(twice, _mm512_slli_epi64(twice, 32));
  }
  HUSHBIT_INLINE static Type bit(Type values, uint32_t j) {
    return _mm512_movm_epi16(_mm512_test_epi16_mask(values, _mm512_set1_epi16(static_cast<int16_t>(1 << j))));
  }
};

#include "search/kernels/tile_kernel.inc"

// Each byte of `numbers` asks for one bit of the 64 bytes of `code`; a number's bit 8 is bit j of `high`.
HUSHBIT_INLINE uint64_t zeros(__m512i code, __m512i numbers, uint64_t high) {
  __m512i byte = _mm512_and_si512(_mm512_srli_epi16(numbers, 3), _mm512_set1_epi8(31));
  byte = _mm512_mask_or_epi64(byte, 0xFF, byte, _mm512_maskz_set1_epi8(high, 32));
  const __m512i powers = _mm512_set1_epi64(static_cast<int64_t>(0x8040201008040201));
  const __m512i bit = _mm512_shuffle_epi8(powers, _mm512_and_si512(numbers, _mm512_set1_epi8(7)));
  return _mm512_testn_epi8_mask(_mm512_permutexvar_epi8(byte, code), bit);
}

void zero_planes(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask) {
  const uint32_t code_bytes = bits / 8;
  const __m512i whole = _mm512_maskz_loadu_epi8(UINT64_MAX >> (64 - code_bytes), code);
  for (uint32_t plane = 0; plane < bits; plane += 64) {
    uint64_t high = 0;
    if (order.high != nullptr) memcpy(&high, order.high + plane / 8, 8);
    const uint64_t found = zeros(whole, _mm512_loadu_si512(order.low + plane), high);
    memcpy(mask + plane / 8, &found, 8);
  }
}

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const Kernels kAvx512Kernels = {"avx512", scan_tile, zero_planes, distances_popcnt};

bool avx512_supported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace hushbit

#endif  // HUSHBIT_X86_KERNELS
