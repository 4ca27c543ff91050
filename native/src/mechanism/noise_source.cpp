#include "mechanism/noise_source.h"

namespace hushbit {
namespace {

bool fill_from_stream(void* state, void* out, size_t size) {
  return static_cast<ChaCha20Stream*>(state)->fill(out, size);
}

}  // namespace

GroupSources::GroupSources(const NoiseSource& noise, size_t begin, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    sources_[i] = noise.shared;
    if (noise.keys == nullptr) continue;
    static constexpr uint8_t kNonce[12] = {};
    streams_[i].start(noise.keys + (begin + i) * kNoiseKeyBytes, kNonce);
    sources_[i] = {fill_from_stream, &streams_[i]};
  }
}

}  // namespace hushbit
