#include "bundle/crowds.h"

#include <string.h>

#include "base/buffer.h"
#include "base/corrupt.h"
#include "base/error.h"

namespace hushbit {
namespace {

constexpr uint64_t kCentersAt = 0, kFlagsAt = 4, kEntriesAt = 8, kReservedAt = 12, kStartsAt = 16;
constexpr uint32_t kSelfFirst = 1;
constexpr uint64_t kTail = 8;  // zero bytes, so that a reader may always load 64 bits

uint64_t align8(uint64_t size) { return (size + 7) / 8 * 8; }

}  // namespace

hushbit_status Weights::open(const SectionView& section, uint32_t count, hushbit_error* error) {
  *this = equal(count);
  if (section.empty()) return HUSHBIT_OK;
  if (section.size() != uint64_t{count} * 4) {
    return corrupt(error, section.offset, "weights: length does not match the output words");
  }
  section_ = section;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t next = before(i + 1);
    if (next <= sum) return corrupt(error, section.offset + uint64_t{i} * 4, "weights: sums not ascending");
    sum = next;
  }
  total_ = sum;
  return HUSHBIT_OK;
}

Weights Weights::equal(uint32_t count) {
  Weights weights;
  weights.count_ = weights.total_ = count;
  return weights;
}

hushbit_status Crowds::open(const SectionView& section, uint32_t outputs, hushbit_error* error) {
  section_ = section;
  outputs_ = outputs;
  if (section.empty()) return HUSHBIT_OK;
  const auto damaged = [&](uint64_t at, const char* what) { return corrupt(error, section.offset + at, what); };
  if (section.size() < kStartsAt) return damaged(0, "crowds: cut off");
  centers_ = load_le32(section.data() + kCentersAt);
  entries_ = load_le32(section.data() + kEntriesAt);
  const uint32_t flags = load_le32(section.data() + kFlagsAt);
  if (centers_ < 1 || centers_ > outputs) return damaged(kCentersAt, "crowds: number of centers out of range");
  if ((flags & ~kSelfFirst) != 0) return damaged(kFlagsAt, "crowds: unknown flags");
  if (load_le32(section.data() + kReservedAt) != 0) return damaged(kReservedAt, "reserved bytes not zero");
  self_first_ = flags == kSelfFirst;
  center_numbers_at_ = align8(kStartsAt + 4 * (uint64_t{centers_} + 1));
  center_numbers_.width = width_below(centers_);
  members_at_ = center_numbers_at_ + PackedNumbers::aligned_bytes(outputs, center_numbers_.width);
  members_.width = width_below(outputs);
  if (section.size() != members_at_ + PackedNumbers::aligned_bytes(entries_, members_.width) + kTail) {
    return damaged(0, "crowds: length does not match its counts");
  }
  center_numbers_.data = section.data() + center_numbers_at_;
  members_.data = section.data() + members_at_;
  return HUSHBIT_OK;
}

uint32_t Crowds::start(uint32_t center) const { return load_le32(section_.data() + kStartsAt + uint64_t{center} * 4); }

bool Crowds::list(uint32_t index, CrowdList* list) const {
  const uint32_t center = center_numbers_[index];
  if (center >= centers_) return false;
  *list = {start(center), start(center + 1)};
  return list->begin <= list->end && list->end <= entries_;
}

hushbit_status Crowds::check(const Weights& weights, uint32_t end_mass, hushbit_error* error) const {
  if (start(0) != 0 || start(centers_) != entries_) {
    return corrupt(error, section_.offset + kStartsAt, "crowds: lists begin or end at a wrong place");
  }
  for (uint32_t i = 0; i < outputs_; ++i) {
    if (center_numbers_[i] < centers_) continue;
    return corrupt(error, section_.offset + center_numbers_at_ + uint64_t{i} * center_numbers_.width / 8,
                   "crowds: a center out of range");
  }
  Buffer<uint8_t> seen;  // one bit an output word
  if (!seen.resize(outputs_ / 8 + 1)) return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
  memset(seen.data(), 0, seen.size());
  hushbit_status status = HUSHBIT_OK;
  for (uint32_t center = 0; status == HUSHBIT_OK && center < centers_; ++center) {
    status = check_list(center, weights, end_mass, seen.data(), error);
  }
  return status;
}

// `seen` is all zero before and after.
hushbit_status Crowds::check_list(uint32_t center, const Weights& weights, uint32_t end_mass, uint8_t* seen,
                                  hushbit_error* error) const {
  const uint32_t begin = start(center), end = start(center + 1);
  const auto damaged = [&](uint32_t place, const char* what) {
    return corrupt(error, section_.offset + members_at_ + uint64_t{place} * members_.width / 8, what);
  };
  if (begin > end || end > entries_) {
    return corrupt(error, section_.offset + kStartsAt + uint64_t{center} * 4, "crowds: starts of lists not ascending");
  }
  uint64_t mass = 0;
  for (uint32_t place = begin; place < end; ++place) {
    const uint32_t index = member(place);
    if (index >= outputs_) return damaged(place, "crowds: a member is not an output word");
    if (seen[index / 8] >> index % 8 & 1) return damaged(place, "crowds: a member twice in one list");
    seen[index / 8] = static_cast<uint8_t>(seen[index / 8] | 1u << index % 8);
    mass += weights[index];
  }
  if (mass < end_mass) return damaged(begin, "crowds: a list has too little weight");
  for (uint32_t place = begin; place < end; ++place) {
    const uint32_t index = member(place);
    if (index < outputs_) seen[index / 8] = 0;
  }
  return HUSHBIT_OK;
}

hushbit_status Crowds::check_padding(hushbit_error* error) const {
  const auto zero = [&](uint64_t at, uint64_t bits, uint64_t end) {
    return zero_from_bit(section_.data(), 8 * at + bits, end);
  };
  if (zero(kStartsAt + 4 * (uint64_t{centers_} + 1), 0, center_numbers_at_) &&
      zero(center_numbers_at_, uint64_t{outputs_} * center_numbers_.width, members_at_) &&
      zero(members_at_, uint64_t{entries_} * members_.width, section_.size())) {
    return HUSHBIT_OK;
  }
  return corrupt(error, section_.offset, "crowds: padding not zero");
}

}  // namespace hushbit
