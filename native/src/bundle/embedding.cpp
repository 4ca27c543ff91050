#include "bundle/embedding.h"

#include "base/corrupt.h"

namespace hushbit {
namespace {

constexpr uint64_t kDimensionsAt = 0, kDirectionsAt = 4, kSeedAt = 8, kReservedAt = 16;

}  // namespace

hushbit_status Embedding::open(const SectionView& section, uint32_t bits, uint32_t outputs, hushbit_error* error) {
  if (section.empty()) return HUSHBIT_OK;
  if (section.size() < kMatrixAt) return corrupt(error, section.offset, "embedding: cut off");
  bits_ = bits;
  dimensions_ = load_le32(section.data() + kDimensionsAt);
  directions_ = load_le32(section.data() + kDirectionsAt);
  seed_ = load_le64(section.data() + kSeedAt);
  if (!fits(dimensions_, directions_)) {
    return corrupt(error, section.offset, "embedding: dimensions or directions out of range");
  }
  const uint64_t nonzero = first_nonzero(section.data(), kReservedAt, kMatrixAt);
  if (nonzero != kMatrixAt) return corrupt(error, section.offset + nonzero, "reserved bytes not zero");
  weights_at_ = kMatrixAt + uint64_t{dimensions_} * bits * 2;
  if (section.size() != weights_at_ + outputs) {
    return corrupt(error, section.offset, "embedding: length does not match its dimensions and the output words");
  }
  section_ = section;
  return HUSHBIT_OK;
}

}  // namespace hushbit
