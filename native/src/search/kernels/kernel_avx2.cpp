// Kernels for x86-64 processors with AVX2: registers of 256 bits.
#include "base/bytes.h"
#include "search/kernels/kernel_sets.h"

#if HUSHBIT_X86_KERNELS

#include <immintrin.h>
#include <string.h>

#include <algorithm>
#include <bit>

namespace hushbit {

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

namespace {

struct Vector {
  static constexpr uint32_t kBits = 256, kTogether = 2;
  using Type = __m256i;

  HUSHBIT_INLINE static Type load(const uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  HUSHBIT_INLINE static void store(uint8_t* p, Type value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), value);
  }
  HUSHBIT_INLINE static Type both(Type a, Type b) { return _mm256_and_si256(a, b); }
  HUSHBIT_INLINE static Type either(Type a, Type b) { return _mm256_or_si256(a, b); }
  HUSHBIT_INLINE static Type invert(Type a) { return _mm256_xor_si256(a, _mm256_set1_epi8(-1)); }
  HUSHBIT_INLINE static bool all_ones(Type a) { return _mm256_testc_si256(a, _mm256_set1_epi8(-1)) != 0; }
  HUSHBIT_INLINE static void half_add(Type a, Type b, Type* sum, Type* carry) {
    *sum = _mm256_xor_si256(a, b);
    *carry = _mm256_and_si256(a, b);
  }
  HUSHBIT_INLINE static void add(Type a, Type b, Type c, Type* sum, Type* carry) {
    const Type ab = _mm256_xor_si256(a, b);
    *sum = _mm256_xor_si256(ab, c);
    *carry = _mm256_xor_si256(a, _mm256_and_si256(ab, _mm256_xor_si256(a, c)));  // c if a and b differ, else a
  }
  HUSHBIT_INLINE static Type spread(const uint16_t* numbers) {
    const Type wide = _mm256_cvtepu16_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(numbers)));
    const Type twice = _mm256_or_si256(wide, _mm256_slli_epi64(wide, 16));
    return _mm256_or_si256(twice, _mm256_slli_epi64(twice, 32));
  }
  HUSHBIT_INLINE static Type bit(Type values, uint32_t j) {
    return _mm256_srai_epi16(_mm256_slli_epi16(values, static_cast<int>(15 - j)), 15);
  }
};

#include "search/kernels/tile_kernel.inc"

// Looks 32 bits of a code of up to 256 up at once, each by its number.
struct BitTable {
  __m256i low, high;  // bytes 0 to 15 and 16 to 31 of the code, twice each

  HUSHBIT_INLINE BitTable(const uint8_t* code, uint32_t code_bytes) {
    uint8_t bytes[32] = {};
    memcpy(bytes, code, code_bytes < 32 ? code_bytes : 32);
    low = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    high = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16)));
  }

  HUSHBIT_INLINE uint32_t zeros(__m256i numbers) const {
    const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(numbers, 3), _mm256_set1_epi8(31));
    // Shuffles use the low four bits of an index; the fifth, moved to the top, chooses between the two halves.
    const __m256i in_half = _mm256_and_si256(byte, _mm256_set1_epi8(15));
    const __m256i found = _mm256_blendv_epi8(_mm256_shuffle_epi8(low, in_half), _mm256_shuffle_epi8(high, in_half),
                                             _mm256_slli_epi16(byte, 3));
    const __m256i powers = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201));
    const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(numbers, _mm256_set1_epi8(7)));
    const __m256i zero = _mm256_cmpeq_epi8(_mm256_and_si256(found, bit), _mm256_setzero_si256());
    return static_cast<uint32_t>(_mm256_movemask_epi8(zero));
  }
};

void zero_planes(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask) {
  const uint32_t code_bytes = bits / 8;
  const BitTable table(code, code_bytes);
  const BitTable upper(code + (code_bytes > 32 ? 32 : 0), code_bytes > 32 ? code_bytes - 32 : code_bytes);
  for (uint32_t plane = 0; plane < bits; plane += 32) {
    const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(order.low + plane));
    uint32_t zeros = table.zeros(numbers);
    if (order.high != nullptr) {
      uint32_t in_upper;
      memcpy(&in_upper, order.high + plane / 8, 4);
      zeros = (zeros & ~in_upper) | (upper.zeros(numbers) & in_upper);
    }
    memcpy(mask + plane / 8, &zeros, 4);
  }
}

}  // namespace

void distances_popcnt(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint32_t code_bytes,
                      uint16_t* distances) {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t sum = 0;
    for (uint32_t at = 0; at < code_bytes; at += 8) {
      uint64_t x, y;
      memcpy(&x, codes + i * stride + at, 8);
      memcpy(&y, query + at, 8);
      sum += static_cast<uint64_t>(_mm_popcnt_u64(x ^ y));
    }
    distances[i] = static_cast<uint16_t>(sum);
  }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const Kernels kAvx2Kernels = {"avx2", scan_tile, zero_planes, distances_popcnt};

bool avx2_supported() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace hushbit

#endif  // HUSHBIT_X86_KERNELS
