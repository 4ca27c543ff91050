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

void distances(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query, uint32_t code_bytes,
               uint16_t* distances) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t sum = 0;
    for (uint32_t at = 0; at < code_bytes; at += 8) {
      sum += vaddv_u8(vcnt_u8(veor_u8(vld1_u8(codes + i * stride + at), vld1_u8(query + at))));
    }
    distances[i] = static_cast<uint16_t>(sum);
  }
}

#else

constexpr auto zero_planes = zero_planes_scalar;
constexpr auto distances = distances_scalar;

#endif  // __aarch64__

}  // namespace

const Kernels kNeonKernels = {"neon", scan_tile, zero_planes, distances};

}  // namespace hushbit

#endif  // HUSHBIT_NEON_KERNELS
