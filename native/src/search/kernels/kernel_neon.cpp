// Kernels for ARM processors with NEON: registers of 128 bits.
#include "base/bytes.h"
#include "search/kernels/kernel_sets.h"

#if HUSHBIT_NEON_KERNELS

#include <arm_neon.h>
#include <string.h>

#include <algorithm>
#include <bit>

namespace hushbit {
namespace {

struct Vector {
  static constexpr uint32_t kBits = 128, kTogether = 2;
  using Type = uint8x16_t;

  HUSHBIT_INLINE static Type load(const uint8_t* p) { return vld1q_u8(p); }
  HUSHBIT_INLINE static void store(uint8_t* p, Type value) { vst1q_u8(p, value); }
  HUSHBIT_INLINE static Type both(Type a, Type b) { return vandq_u8(a, b); }
  HUSHBIT_INLINE static Type either(Type a, Type b) { return vorrq_u8(a, b); }
  HUSHBIT_INLINE static Type invert(Type a) { return vmvnq_u8(a); }
  HUSHBIT_INLINE static bool all_ones(Type a) {
    const uint64x2_t lanes = vreinterpretq_u64_u8(a);
    return (vgetq_lane_u64(lanes, 0) & vgetq_lane_u64(lanes, 1)) == UINT64_MAX;
  }
  HUSHBIT_INLINE static void half_add(Type a, Type b, Type* sum, Type* carry) {
    *sum = veorq_u8(a, b);
    *carry = vandq_u8(a, b);
  }
  HUSHBIT_INLINE static void add(Type a, Type b, Type c, Type* sum, Type* carry) {
    const Type ab = veorq_u8(a, b);
    *sum = veorq_u8(ab, c);
    *carry = vbslq_u8(ab, c, a);  // where a and b agree, a is the carry, else c
  }
  HUSHBIT_INLINE static Type spread(const uint16_t* numbers) {
    return vreinterpretq_u8_u16(vcombine_u16(vdup_n_u16(numbers[0]), vdup_n_u16(numbers[1])));
  }
  HUSHBIT_INLINE static Type bit(Type values, uint32_t j) {
    const uint16x8_t mask = vdupq_n_u16(static_cast<uint16_t>(1u << j));
    return vreinterpretq_u8_u16(vtstq_u16(vreinterpretq_u16_u8(values), mask));
  }
};

#include "search/kernels/tile_kernel.inc"

#if defined(__aarch64__)

// Looks 16 bits of 32 bytes of a code up at once, each by its number.
HUSHBIT_INLINE uint8x16_t zeros(const uint8x16x2_t& code, uint8x16_t numbers) {
  static constexpr uint8_t kPowers[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bit = vqtbl1q_u8(vld1q_u8(kPowers), vandq_u8(numbers, vdupq_n_u8(7)));
  return vmvnq_u8(vtstq_u8(vqtbl2q_u8(code, vshrq_n_u8(numbers, 3)), bit));
}

// One bit for each byte, all of whose bits are equal.
HUSHBIT_INLINE uint16_t pack(uint8x16_t bytes) {
  static constexpr uint8_t kPowers[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bits = vandq_u8(bytes, vld1q_u8(kPowers));
  return static_cast<uint16_t>(vaddv_u8(vget_low_u8(bits)) | vaddv_u8(vget_high_u8(bits)) << 8);
}

void zero_planes(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask) {
  uint8_t bytes[kMaxCodeBytes] = {};
  memcpy(bytes, code, bits / 8);
  const uint8x16x2_t lower = {{vld1q_u8(bytes), vld1q_u8(bytes + 16)}};
  const uint8x16x2_t upper = {{vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
  for (uint32_t plane = 0; plane < bits; plane += 16) {
    const uint8x16_t numbers = vld1q_u8(order.low + plane);
    uint16_t found = pack(zeros(lower, numbers));
    if (order.high != nullptr) {
      uint16_t in_upper;
      memcpy(&in_upper, order.high + plane / 8, 2);
      found = static_cast<uint16_t>((found & ~in_upper) | (pack(zeros(upper, numbers)) & in_upper));
    }
    memcpy(mask + plane / 8, &found, 2);
  }
}

#else

constexpr auto zero_planes = zero_planes_scalar;

#endif  // __aarch64__

// The sums of neighboring bytes, first of `a`, then of `b`.
HUSHBIT_INLINE uint8x16_t pairs(uint8x16_t a, uint8x16_t b) {
#if defined(__aarch64__)
  return vpaddq_u8(a, b);
#else
  return vcombine_u8(vpadd_u8(vget_low_u8(a), vget_high_u8(a)), vpadd_u8(vget_low_u8(b), vget_high_u8(b)));
#endif
}

// How many bits of 16 bytes of rows differ from the query, for each byte; of longer rows, of all such 16 bytes.
template <uint32_t kPieces>
HUSHBIT_INLINE uint8x16_t differences(const uint8_t* at, const uint8x16_t query[kPieces]) {
  uint8x16_t sum = vcntq_u8(veorq_u8(vld1q_u8(at), query[0]));
#pragma GCC unroll 4
  for (uint32_t j = 1; j < kPieces; ++j) {
    sum = vaddq_u8(sum, vcntq_u8(veorq_u8(vld1q_u8(at + 16 * j), query[j])));
  }
  return sum;
}

// The distances of four rows that are `step` bytes apart, of 16 bytes times `kPieces`; of 8 bytes where kPieces is 0,
// with `step` for two of them.
template <uint32_t kPieces>
HUSHBIT_INLINE uint16x4_t four_distances(const uint8_t* at, size_t step, const uint8x16_t* query) {
  constexpr uint32_t kEach = kPieces == 0 ? 1 : kPieces;
  uint8x16_t bytes = pairs(differences<kEach>(at, query), differences<kEach>(at + step, query));
  if (kPieces != 0) {
    at += 2 * step;
    bytes = pairs(bytes, pairs(differences<kEach>(at, query), differences<kEach>(at + step, query)));
  }
  return vmovn_u32(vpaddlq_u16(vpaddlq_u8(bytes)));  // 4 bytes of each row were left, of at most 128
}

template <uint32_t kPieces>
uint32_t distances_of(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint16_t* distances) {
  constexpr uint32_t kBytes = kPieces == 0 ? 8 : 16 * kPieces;
  uint8x16_t pieces[4];
#pragma GCC unroll 4
  for (uint32_t j = 0; j < kPieces; ++j) pieces[j] = vld1q_u8(query + 16 * j);
  if (kPieces == 0) pieces[0] = vcombine_u8(vld1_u8(query), vld1_u8(query));
  uint16x4_t least = vdup_n_u16(UINT16_MAX);
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const uint16x4_t found = four_distances<kPieces>(codes + i * stride, kPieces == 0 ? 16 : stride, pieces);
    vst1_u16(distances + i, found);
    least = vmin_u16(least, found);
  }
  least = vpmin_u16(least, least);
  const uint32_t of_fours = vget_lane_u16(vpmin_u16(least, least), 0);
  return std::min(of_fours, distances_scalar(codes + i * stride, stride, count - i, query, kBytes, distances + i));
}

uint32_t distances(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint32_t code_bytes,
                   uint16_t* distances) {
  switch (code_bytes) {
    case 16:
      return distances_of<1>(codes, stride, count, query, distances);
    case 32:
      return distances_of<2>(codes, stride, count, query, distances);
    case 64:
      return distances_of<4>(codes, stride, count, query, distances);
    default:
      return stride == 8 ? distances_of<0>(codes, 8, count, query, distances)
                         : distances_scalar(codes, stride, count, query, 8, distances);
  }
}

}  // namespace

const Kernels kNeonKernels = {"neon", scan_tile, zero_planes, distances};

}  // namespace hushbit

#endif  // HUSHBIT_NEON_KERNELS
