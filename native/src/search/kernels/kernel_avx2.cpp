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

// Rows are compared by 24: the popcount instruction and the vector units work side by side, and neither is idle.
constexpr uint32_t kVectorRows = 16, kTogetherRows = kVectorRows + 8;

// The ones of each byte, by looking up those of both halves.
HUSHBIT_INLINE __m256i ones_of_bytes(__m256i x) {
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i half = _mm256_set1_epi8(15);
  return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, half)),
                         _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), half)));
}

// What 32 bytes of rows, or 64 of a row that has as many, differ from the query in: a sum for each 64-bit lane.
template <uint32_t kParts>
HUSHBIT_INLINE __m256i differences(const uint8_t* at, const __m256i query[2]) {
  __m256i bytes = ones_of_bytes(_mm256_xor_si256(Vector::load(at), query[0]));
  if (kParts == 8) {
    bytes = _mm256_add_epi8(bytes, ones_of_bytes(_mm256_xor_si256(Vector::load(at + 32), query[1])));
  }
  return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

// The same for the four that follow one another, 16 bits each.
template <uint32_t kParts>
HUSHBIT_INLINE __m256i four_differences(const uint8_t* at, const __m256i query[2]) {
  constexpr uint32_t kStep = kParts == 8 ? 64 : 32;
  const __m256i second = _mm256_slli_epi64(differences<kParts>(at + kStep, query), 16);
  const __m256i third = _mm256_slli_epi64(differences<kParts>(at + 2 * kStep, query), 32);
  const __m256i fourth = _mm256_slli_epi64(differences<kParts>(at + 3 * kStep, query), 48);
  return _mm256_or_si256(_mm256_or_si256(differences<kParts>(at, query), second), _mm256_or_si256(third, fourth));
}

// The sums of neighboring 64-bit lanes.
HUSHBIT_INLINE __m256i pairs(__m256i a, __m256i b) {
  return _mm256_add_epi16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

// Interleaves the numbers of both halves in each 128 bits.
HUSHBIT_INLINE __m256i interleave(__m256i x) {
  const __m128i places = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
  return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(places));
}

// The distances of 16 rows of `kParts` times 64 bits, in their order.
template <uint32_t kParts>
HUSHBIT_INLINE __m256i vector_distances(const uint8_t* rows, const __m256i query[2]) {
  constexpr uint32_t kSums = kParts == 8 ? 4 : kParts, kStep = kVectorRows * kParts * 8 / kSums;
  __m256i sums[4];
#pragma GCC unroll 4
  for (uint32_t j = 0; j < kSums; ++j) sums[j] = four_differences<kParts>(rows + j * kStep, query);
  if (kParts == 1) {
    return _mm256_permutevar8x32_epi32(interleave(sums[0]), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }
  const __m256i low = pairs(sums[0], sums[1]);
  if (kParts == 2) return interleave(_mm256_permute4x64_epi64(low, 0xD8));
  const __m256i high = pairs(sums[2], sums[3]);
  return _mm256_add_epi16(_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31));
}

HUSHBIT_INLINE uint32_t least_of(__m256i numbers) {
  const __m128i least = _mm_min_epu16(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
  return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(least)) & 0xFFFF);
}

struct Distances {
  template <uint32_t kParts>
  static uint32_t rows(const uint8_t* codes, uint32_t count, const uint8_t* query, uint16_t* distances) {
    constexpr uint32_t kBytes = kParts * 8;
    const __m256i wanted[2] = {Vector::load(query), Vector::load(query + 32)};
    __m256i least = _mm256_set1_epi16(-1);
    uint32_t least_scalar = UINT32_MAX, i = 0;
    for (; i + kTogetherRows <= count; i += kTogetherRows) {
      const __m256i found = vector_distances<kParts>(codes + size_t{i} * kBytes, wanted);
      Vector::store(reinterpret_cast<uint8_t*>(distances + i), found);
      least = _mm256_min_epu16(least, found);
      for (uint32_t j = i + kVectorRows; j < i + kTogetherRows; ++j) {
        const uint32_t distance = hamming_distance(codes + size_t{j} * kBytes, query, kBytes);
        distances[j] = static_cast<uint16_t>(distance);
        least_scalar = std::min(least_scalar, distance);
      }
    }
    if (i < count) {
      const uint8_t* rest = codes + size_t{i} * kBytes;
      least_scalar = std::min(least_scalar, distances_popcnt(rest, kBytes, count - i, query, kBytes, distances + i));
    }
    return std::min(least_scalar, least_of(least));
  }
};

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const Kernels kAvx2Kernels = {"avx2", scan_tile, zero_planes, distances_by_size<Distances>};

bool avx2_supported() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace hushbit

#endif  // HUSHBIT_X86_KERNELS
