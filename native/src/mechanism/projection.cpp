#include "mechanism/projection.h"

#include <math.h>
#include <string.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/error.h"
#include "base/sha256.h"
#include "bundle/embedding.h"

namespace hushbit {
namespace {

constexpr uint8_t kMagic[8] = {0x89, 'H', 'S', 'P', '\r', '\n', 0x1A, '\n'};
constexpr uint32_t kVersion = 1;
constexpr size_t kVersionAt = 8, kNumbersAt = 12, kDimensionsAt = 16, kDirectionsAt = 20, kSeedAt = 24, kScaleAt = 32;
constexpr size_t kReservedAt = 36, kMeanAt = 64, kHashBytes = 32;
constexpr int kMostScaleBits = 60;
constexpr int32_t kLargest = 1 << 24;  // the largest entry of q and of the mean

hushbit_status invalid(hushbit_error* error, uint64_t position, const char* what) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, position, "the projection cannot be used: %s, at byte %llu", what,
              static_cast<unsigned long long>(position));
}

}  // namespace

hushbit_status Projection::open(std::span<const uint8_t> file, hushbit_error* error) {
  const uint8_t* bytes = file.data();
  if (file.size() < kMeanAt || memcmp(bytes, kMagic, sizeof(kMagic)) != 0) {
    return invalid(error, 0, "this is no projection of Hushbit");
  }
  if (const uint32_t version = load_le32(bytes + kVersionAt); version != kVersion) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, kVersionAt,
                "the projection is of version %u, this library reads version %u: update it, or make it again", version,
                kVersion);
  }
  numbers_ = load_le32(bytes + kNumbersAt);
  dimensions_ = load_le32(bytes + kDimensionsAt);
  directions_ = load_le32(bytes + kDirectionsAt);
  seed_ = load_le64(bytes + kSeedAt);
  scale_bits_ = static_cast<int32_t>(load_le32(bytes + kScaleAt));
  if (numbers_ < 1 || numbers_ > kMostNumbers) return invalid(error, kNumbersAt, "numbers are not 1 to 4096");
  if (!Embedding::fits(dimensions_, directions_)) {
    return invalid(error, kDimensionsAt, "dimensions or directions out of range");
  }
  if (scale_bits_ < -kMostScaleBits || scale_bits_ > kMostScaleBits) {
    return invalid(error, kScaleAt, "the scale is not -60 to 60");
  }
  const uint64_t nonzero = first_nonzero(bytes, kReservedAt, kMeanAt);
  if (nonzero != kMeanAt) return invalid(error, nonzero, "reserved bytes not zero");
  const size_t matrix_at = kMeanAt + size_t{numbers_} * 4;
  const size_t hash_at = matrix_at + size_t{numbers_} * dimensions_ * 2;
  if (file.size() != hash_at + kHashBytes) return invalid(error, file.size(), "its length is not what its header says");
  Sha256 hash;
  hash.update(bytes, hash_at);
  hash.finish(hash_);
  if (memcmp(hash_, bytes + hash_at, kHashBytes) != 0) return invalid(error, hash_at, "damaged: its SHA-256 differs");
  if (!mean_.resize(numbers_) || !matrix_.resize(size_t{numbers_} * dimensions_)) {
    return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
  }
  memcpy(mean_.data(), bytes + kMeanAt, mean_.size() * sizeof(int32_t));
  memcpy(matrix_.data(), bytes + matrix_at, matrix_.size() * sizeof(int16_t));
  for (uint32_t i = 0; i < numbers_; ++i) {
    if (mean_[i] < -kLargest || mean_[i] > kLargest)
      return invalid(error, kMeanAt + size_t{i} * 4, "mean out of range");
  }
  return HUSHBIT_OK;
}

// The result is exact unless it is clipped: a float times a power of two, plus a half, is a double.
bool Projection::quantize(const float* numbers, int32_t* quantized) const {
  bool finite = true;
  for (uint32_t i = 0; i < numbers_; ++i) {
    finite &= isfinite(numbers[i]) != 0;
    const double scaled = floor(ldexp(static_cast<double>(numbers[i]), scale_bits_) + 0.5);
    quantized[i] = finite ? static_cast<int32_t>(std::clamp<double>(scaled, -kLargest, kLargest)) : 0;
  }
  return finite;
}

void Projection::project(const int32_t* quantized, int64_t* vector) const {
  const int16_t* row = matrix_.data();
  for (uint32_t dimension = 0; dimension < dimensions_; ++dimension, row += numbers_) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < numbers_; ++i) sum += int64_t{row[i]} * (quantized[i] - mean_[i]);
    vector[dimension] = sum;
  }
}

}  // namespace hushbit
