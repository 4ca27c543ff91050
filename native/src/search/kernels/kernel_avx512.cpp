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
#include <array>
#include <bit>

namespace hushbit {

#if defined(__clang__)
#pragma clang attribute push(                                                                        \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,bmi,bmi2,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,bmi,bmi2,popcnt")
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

// How many bits of each 64 differ.
HUSHBIT_INLINE __m512i differences(const uint8_t* at, __m512i query) {
  return _mm512_popcnt_epi64(_mm512_xor_si512(Vector::load(at), query));
}

// The same for the four times 64 bytes that follow one another, 16 bits each.
HUSHBIT_INLINE __m512i four_differences(const uint8_t* at, __m512i query) {
  const __m512i second = _mm512_slli_epi64(differences(at + 64, query), 16);
  const __m512i third = _mm512_slli_epi64(differences(at + 128, query), 32);
  const __m512i fourth = _mm512_slli_epi64(differences(at + 192, query), 48);
  return Vector::either(Vector::either(differences(at, query), second), Vector::either(third, fourth));
}

constexpr uint32_t kRowsTogether = 32;

// Where `vector_distances` finds the rows before it puts them in order.
template <uint32_t kParts>
constexpr std::array<uint16_t, kRowsTogether> kPlaces = [] {
  std::array<uint16_t, kRowsTogether> places = {};
  for (uint32_t row = 0; row < kRowsTogether; ++row) {
    const uint32_t vector = row / (8 / kParts), in_vector = row % (8 / kParts), sum = vector / 4;
    uint32_t lane = in_vector;
    if (kParts == 2) lane = 2 * in_vector + sum;
    if (kParts == 4) lane = sum % 2 + 2 * in_vector + sum / 2 * 4;
    if (kParts == 8) lane = sum;
    places[row] = static_cast<uint16_t>(4 * lane + vector % 4);
  }
  return places;
}();

// The distances of 32 rows of `kParts` times 64 bits. Lanes are added by pairs, whose sums fill one vector of two.
template <uint32_t kParts>
HUSHBIT_INLINE __m512i vector_distances(const uint8_t* rows, __m512i query) {
  __m512i sums[kParts];
#pragma GCC unroll 8
  for (uint32_t j = 0; j < kParts; ++j) sums[j] = four_differences(rows + j * 256, query);
#pragma GCC unroll 8
  for (uint32_t j = 0; j < kParts / 2; ++j) {
    const __m512i a = sums[2 * j], b = sums[2 * j + 1];
    sums[j] = _mm512_add_epi16(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
  }
#pragma GCC unroll 8
  for (uint32_t left = kParts / 4; left != 0; left /= 2) {
#pragma GCC unroll 8
    for (uint32_t j = 0; j < left; ++j) {
      const __m512i a = sums[2 * j], b = sums[2 * j + 1];
      sums[j] = _mm512_add_epi16(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xDD));
    }
  }
  return _mm512_permutexvar_epi16(_mm512_loadu_si512(kPlaces<kParts>.data()), sums[0]);
}

HUSHBIT_INLINE uint32_t least_of(__m512i numbers) {
  const __m256i half = _mm256_min_epu16(_mm512_castsi512_si256(numbers), _mm512_extracti64x4_epi64(numbers, 1));
  const __m128i least = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(least)) & 0xFFFF);
}

struct Distances {
  template <uint32_t kParts>
  static uint32_t rows(const uint8_t* codes, uint32_t count, const uint8_t* query, uint16_t* distances) {
    constexpr uint32_t kBytes = kParts * 8;
    const __m512i wanted = Vector::load(query);
    __m512i least = _mm512_set1_epi16(-1);
    uint32_t i = 0;
    for (; i + kRowsTogether <= count; i += kRowsTogether) {
      const __m512i found = vector_distances<kParts>(codes + size_t{i} * kBytes, wanted);
      Vector::store(reinterpret_cast<uint8_t*>(distances + i), found);
      least = _mm512_min_epu16(least, found);
    }
    if (i == count) return least_of(least);
    const uint8_t* rest = codes + size_t{i} * kBytes;
    return std::min(least_of(least), distances_popcnt(rest, kBytes, count - i, query, kBytes, distances + i));
  }
};

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const Kernels kAvx512Kernels = {"avx512", scan_tile, zero_planes, distances_by_size<Distances>};

bool avx512_supported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace hushbit

#endif  // HUSHBIT_X86_KERNELS
