#include "bundle/outputs.h"

#include "base/corrupt.h"

namespace hushbit {
namespace {

constexpr uint64_t kCountAt = 0, kReservedAt = 4, kIdsAt = 8;
constexpr uint64_t kTail = 8;  // zero bytes, so that a reader may always load 64 bits

// Whether all is zero from the end of `count` numbers, the first at byte `at`, to the end of the section.
bool padding_is_zero(const SectionView& section, uint64_t at, uint64_t count, uint32_t width) {
  return zero_from_bit(section.data(), 8 * at + count * width, section.size());
}

}  // namespace

hushbit_status Outputs::open(const SectionView& outputs, const SectionView& stand_ins, uint32_t words,
                             hushbit_error* error) {
  words_ = count_ = words;
  is_identity_ = outputs.empty();
  if (is_identity_) return HUSHBIT_OK;
  id_section_ = outputs;
  stand_in_section_ = stand_ins;
  if (outputs.size() < kIdsAt) return corrupt(error, outputs.offset, "outputs: cut off");
  count_ = load_le32(outputs.data() + kCountAt);
  if (count_ < 1 || count_ > words) return corrupt(error, outputs.offset, "outputs: count out of range");
  if (load_le32(outputs.data() + kReservedAt) != 0) {
    return corrupt(error, outputs.offset + kReservedAt, "reserved bytes not zero");
  }
  ids_ = {outputs.data() + kIdsAt, width_below(words)};
  stand_ins_ = {stand_ins.data(), width_below(count_)};
  if (outputs.size() != kIdsAt + PackedNumbers::aligned_bytes(count_, ids_.width) + kTail) {
    return corrupt(error, outputs.offset, "outputs: length does not match its count");
  }
  if (stand_ins.size() != PackedNumbers::aligned_bytes(words, stand_ins_.width) + kTail) {
    return corrupt(error, stand_ins.offset, "standins: length does not match the words");
  }
  return HUSHBIT_OK;
}

bool Outputs::to_ids(uint32_t* indices, size_t count) const {
  if (is_identity_) return true;
  for (size_t i = 0; i < count; ++i) {
    indices[i] = id(indices[i]);
    if (indices[i] == HUSHBIT_NO_WORD) return false;
  }
  return true;
}

hushbit_status Outputs::verify_ids(hushbit_error* error) const {
  for (uint32_t index = 0; index < count_; ++index) {
    const uint32_t id = this->id(index);
    if (id == HUSHBIT_NO_WORD || (index > 0 && id <= this->id(index - 1))) {
      return corrupt(error, id_section_.offset + kIdsAt + uint64_t{index} * ids_.width / 8,
                     "outputs: an id out of range or not ascending");
    }
    if (stand_in(id) != index) {
      return corrupt(error, stand_in_section_.offset + uint64_t{id} * stand_ins_.width / 8,
                     "standins: an output word has a different stand-in");
    }
  }
  if (padding_is_zero(id_section_, kIdsAt, count_, ids_.width)) return HUSHBIT_OK;
  return corrupt(error, id_section_.offset + id_section_.size() - kTail, "outputs: padding not zero");
}

hushbit_status Outputs::verify_stand_ins(hushbit_error* error) const {
  for (uint32_t id = 0; id < words_; ++id) {
    if (stand_in(id) != HUSHBIT_NO_WORD) continue;
    return corrupt(error, stand_in_section_.offset + uint64_t{id} * stand_ins_.width / 8,
                   "standins: index out of range");
  }
  if (padding_is_zero(stand_in_section_, 0, words_, stand_ins_.width)) return HUSHBIT_OK;
  return corrupt(error, stand_in_section_.offset + stand_in_section_.size() - kTail, "standins: padding not zero");
}

hushbit_status Outputs::verify(hushbit_error* error) const {
  if (is_identity_) return HUSHBIT_OK;
  const hushbit_status status = verify_ids(error);
  return status == HUSHBIT_OK ? verify_stand_ins(error) : status;
}

hushbit_status PublicWords::open(const SectionView& section, uint32_t words, hushbit_error* error) {
  words_ = words;
  section_ = section;
  if (section.empty()) return HUSHBIT_OK;
  if (section.size() < kIdsAt) return corrupt(error, section.offset, "public: cut off");
  count_ = load_le32(section.data() + kCountAt);
  if (count_ > words || section.size() != kIdsAt + uint64_t{count_} * 4) {
    return corrupt(error, section.offset, "public: length does not match its count");
  }
  if (load_le32(section.data() + kReservedAt) == 0) return HUSHBIT_OK;
  return corrupt(error, section.offset + kReservedAt, "reserved bytes not zero");
}

bool PublicWords::contains(uint32_t wanted) const {
  uint32_t low = 0, high = count_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (id(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count_ && id(low) == wanted;
}

hushbit_status PublicWords::check(const Outputs& outputs, hushbit_error* error) const {
  for (uint32_t i = 0; i < count_; ++i) {
    const uint64_t at = section_.offset + kIdsAt + uint64_t{i} * 4;
    const uint32_t word = id(i);  // read once: a map may change
    if (word >= words_ || (i > 0 && word <= id(i - 1))) {
      return corrupt(error, at, "public: an id out of range or not ascending");
    }
    const uint32_t index = outputs.stand_in(word);
    if (index == HUSHBIT_NO_WORD || outputs.id(index) == word) {
      return corrupt(error, at, "public: an output word, or no stand-in");
    }
  }
  return HUSHBIT_OK;
}

}  // namespace hushbit
