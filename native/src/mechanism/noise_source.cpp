#include "mechanism/noise_source.h"

namespace hushbit {
namespace {

bool fill_from_stream(void* state, void* out, size_t size) {
  return static_cast<ChaCha20Stream*>(state)->fill(out, size);
}

}  // namespace

GroupSources::GroupSources(const NoiseSource& noise, size_t begin, uint32_t size)
    : size_(size), is_shared_(noise.keys == nullptr) {
  for (uint32_t i = 0; i < size; ++i) {
    sources_[i] = noise.shared;
    if (is_shared_) continue;
    static constexpr uint8_t kNonce[12] = {};
    streams_[i].start(noise.keys + (begin + i) * kNoiseKeyBytes, kNonce);
    sources_[i] = {fill_from_stream, &streams_[i]};
  }
}

bool GroupSources::fill_each(uint8_t* out, size_t bytes) const {
  if (is_shared_) return size_ == 0 || sources_[0].fill(sources_[0].state, out, size_ * bytes);
  for (uint32_t i = 0; i < size_; ++i) {
    if (!sources_[i].fill(sources_[i].state, out + i * bytes, bytes)) return false;
  }
  return true;
}

}  // namespace hushbit
