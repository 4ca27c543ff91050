#include "search/order.h"

#include <bit>

#include "base/bits.h"
#include "base/corrupt.h"

namespace hushbit {
namespace {

constexpr uint64_t kStepAt = 0, kShortcutsAt = 4, kReservedAt = 8, kHeaderSize = 16;
constexpr uint64_t kTail = 8;  // zero bytes, so that a reader may always load 64 bits
constexpr uint32_t kMaxStep = 64;
constexpr uint32_t kGroupBits = 512;

uint64_t align8(uint64_t size) { return (size + 7) / 8 * 8; }

}  // namespace

hushbit_status Order::open(std::span<const uint8_t> section, uint64_t section_offset, uint32_t words,
                           hushbit_error* error) {
  section_offset_ = section_offset;
  words_ = words;
  if (section.size() < kHeaderSize) return corrupt(error, section_offset, "order: cut off");
  step_ = load_le32(section.data() + kStepAt);
  shortcut_count_ = load_le32(section.data() + kShortcutsAt);
  if (step_ < 1 || step_ > kMaxStep) return corrupt(error, section_offset + kStepAt, "order: step not 1 to 64");
  if (shortcut_count_ > words) return corrupt(error, section_offset + kShortcutsAt, "order: too many shortcuts");
  const uint64_t nonzero = first_nonzero(section.data(), kReservedAt, kHeaderSize);
  if (nonzero != kHeaderSize) return corrupt(error, section_offset + nonzero, "reserved bytes not zero");
  width_ = words == 1 ? 1 : static_cast<uint32_t>(std::bit_width(words - 1));
  mask_ = (uint64_t{1} << width_) - 1;
  const uint64_t groups = (uint64_t{words} + kGroupBits - 1) / kGroupBits;
  const uint64_t marks_at = kHeaderSize + align8((uint64_t{words} * width_ + 7) / 8);
  const uint64_t ranks_at = marks_at + groups * (kGroupBits / 8);
  const uint64_t shortcuts_at = ranks_at + align8(groups * 4);
  const uint64_t end = shortcuts_at + align8((uint64_t{shortcut_count_} * width_ + 7) / 8) + kTail;
  if (section.size() != end) return corrupt(error, section_offset, "order: length does not match its counts");
  ids_ = section.data() + kHeaderSize;
  marks_ = section.data() + marks_at;
  ranks_ = section.data() + ranks_at;
  shortcuts_ = section.data() + shortcuts_at;
  return HUSHBIT_OK;
}

// HUSHBIT_NO_WORD if no shortcut begins there.
uint32_t Order::shortcut_at(uint32_t position) const {
  const uint8_t* group = marks_ + uint64_t{position / kGroupBits} * (kGroupBits / 8);
  const uint32_t bit = position % kGroupBits;
  if ((group[bit / 8] >> (bit % 8) & 1) == 0) return HUSHBIT_NO_WORD;
  uint32_t rank = load_le32(ranks_ + uint64_t{position / kGroupBits} * 4);
  for (uint32_t i = 0; i < bit / 64; ++i) rank += static_cast<uint32_t>(std::popcount(load_le64(group + 8 * i)));
  const uint64_t before = (uint64_t{1} << (bit % 64)) - 1;
  rank += static_cast<uint32_t>(std::popcount(load_le64(group + 8 * (bit / 64)) & before));
  if (rank >= shortcut_count_) return HUSHBIT_NO_WORD;
  const uint32_t target = packed(shortcuts_, rank);
  return target < words_ ? target : HUSHBIT_NO_WORD;
}

uint32_t Order::position(uint32_t id) const {
  // A cycle without shortcuts has at most `step` positions; else a mark comes within twice that, and leads to the same
  // distance before the position or nearer.
  const uint32_t most = 4 * step_;
  uint32_t at = id;
  bool jumped = false;
  for (uint32_t steps = 0; steps < most; ++steps) {
    const uint32_t next = packed(ids_, at);
    if (next == id) return at;
    if (next >= words_) break;
    const uint32_t target = jumped ? HUSHBIT_NO_WORD : shortcut_at(at);
    jumped |= target != HUSHBIT_NO_WORD;
    at = target != HUSHBIT_NO_WORD ? target : next;
  }
  return HUSHBIT_NO_WORD;
}

bool Order::padding_is_zero() const {
  const uint64_t groups = (uint64_t{words_} + kGroupBits - 1) / kGroupBits;
  const uint64_t shortcuts_end = align8((uint64_t{shortcut_count_} * width_ + 7) / 8) + kTail;
  return zero_from_bit(ids_, uint64_t{words_} * width_, static_cast<uint64_t>(marks_ - ids_)) &&
         zero_from_bit(marks_, words_, static_cast<uint64_t>(ranks_ - marks_)) &&
         zero_from_bit(ranks_, groups * 32, static_cast<uint64_t>(shortcuts_ - ranks_)) &&
         zero_from_bit(shortcuts_, uint64_t{shortcut_count_} * width_, shortcuts_end);
}

// Whether there are as many marks as shortcuts, also before each group, and the shortcuts lead to positions.
bool Order::marks_fit() const {
  uint32_t marks = 0;
  for (uint32_t first = 0; first < words_; first += kGroupBits) {
    if (load_le32(ranks_ + first / kGroupBits * 4) != marks) return false;
    for (uint32_t bit = first; bit < first + kGroupBits; bit += 64) {
      marks += static_cast<uint32_t>(std::popcount(load_le64(marks_ + bit / 8)));
    }
  }
  if (marks != shortcut_count_) return false;
  for (uint32_t i = 0; i < shortcut_count_; ++i) {
    if (packed(shortcuts_, i) >= words_) return false;
  }
  return true;
}

hushbit_status Order::verify(hushbit_error* error) const {
  if (!padding_is_zero()) return corrupt(error, section_offset_, "order: padding not zero");
  if (!marks_fit()) return corrupt(error, section_offset_, "order: marks do not match shortcuts");
  for (uint32_t word = 0; word < words_; ++word) {
    if (position(word) == HUSHBIT_NO_WORD) {
      return corrupt(error, section_offset_, "order: not a permutation, or a shortcut missing");
    }
  }
  return HUSHBIT_OK;
}

}  // namespace hushbit
