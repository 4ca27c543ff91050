// The sets of kernels that exist, for the files that define and choose them.
#ifndef HUSHBIT_KERNEL_SETS_H_
#define HUSHBIT_KERNEL_SETS_H_

#include <string.h>

#include "search/kernels/kernels.h"

// Instructions beyond the baseline are switched on function by function, so that no compiler flags are needed.
#if defined(__GNUC__) && defined(__x86_64__)
#define HUSHBIT_X86_KERNELS 1
#elif defined(__GNUC__) && defined(__ARM_NEON)
#define HUSHBIT_NEON_KERNELS 1
#elif defined(__wasm_simd128__)
#define HUSHBIT_WASM_KERNELS 1
#endif

#if defined(__GNUC__)
#define HUSHBIT_INLINE [[gnu::always_inline]] inline
#else
#define HUSHBIT_INLINE inline
#endif

namespace hushbit {

extern const Kernels kScalarKernels;
#if HUSHBIT_X86_KERNELS
extern const Kernels kAvx2Kernels, kAvx512Kernels;
bool avx2_supported();
bool avx512_supported();
// Needs the instruction popcnt.
uint32_t distances_popcnt(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query,
                          uint32_t code_bytes, uint16_t* distances);
// `Set::rows<kParts>` is for rows of `kParts` times 64 bits, one after another. It gets the query as often as fits 64
// bytes.
template <typename Set, uint32_t kParts>
uint32_t distances_of_rows(const uint8_t* codes, uint32_t count, const uint8_t* query, uint16_t* distances) {
  uint8_t repeated[64];
  for (uint32_t at = 0; at < sizeof(repeated); at += kParts * 8) memcpy(repeated + at, query, kParts * 8);
  return Set::template rows<kParts>(codes, count, repeated, distances);
}

// Kernels::distances of such a set.
template <typename Set>
uint32_t distances_by_size(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query,
                           uint32_t code_bytes, uint16_t* distances) {
  if (stride != code_bytes) return distances_popcnt(codes, stride, count, query, code_bytes, distances);
  switch (code_bytes) {
    case 8:
      return distances_of_rows<Set, 1>(codes, count, query, distances);
    case 16:
      return distances_of_rows<Set, 2>(codes, count, query, distances);
    case 32:
      return distances_of_rows<Set, 4>(codes, count, query, distances);
    default:
      return distances_of_rows<Set, 8>(codes, count, query, distances);
  }
}
#elif HUSHBIT_NEON_KERNELS
extern const Kernels kNeonKernels;
#elif HUSHBIT_WASM_KERNELS
extern const Kernels kWasmKernels;
#endif

// Portable; a set may borrow them.
void zero_planes_scalar(const PlaneOrder& order, const uint8_t* code, uint32_t bits, uint8_t* mask);
uint32_t distances_scalar(const uint8_t* codes, size_t stride, uint32_t count, const uint8_t* query,
                          uint32_t code_bytes, uint16_t* distances);

}  // namespace hushbit

#endif  // HUSHBIT_KERNEL_SETS_H_
