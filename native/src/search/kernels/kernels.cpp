#include "search/kernels/kernels.h"

#include "search/kernels/kernel_sets.h"

namespace hushbit {

#if HUSHBIT_X86_KERNELS

std::span<const Kernels* const> supported_kernels() {
  static constexpr const Kernels* kSets[] = {&kAvx512Kernels, &kAvx2Kernels, &kScalarKernels};
  const size_t missing = avx512_supported() ? 0 : avx2_supported() ? 1 : 2;
  return std::span(kSets).subspan(missing);
}

#elif HUSHBIT_NEON_KERNELS

std::span<const Kernels* const> supported_kernels() {
  static constexpr const Kernels* kSets[] = {&kNeonKernels, &kScalarKernels};
  return kSets;
}

#elif HUSHBIT_WASM_KERNELS

std::span<const Kernels* const> supported_kernels() {
  static constexpr const Kernels* kSets[] = {&kWasmKernels, &kScalarKernels};
  return kSets;
}

#else

std::span<const Kernels* const> supported_kernels() {
  static constexpr const Kernels* kSets[] = {&kScalarKernels};
  return kSets;
}

#endif

const Kernels& best_kernels() { return *supported_kernels().front(); }

}  // namespace hushbit
