// The blocks that a multi-index hash has met for one query, in a table of fixed size: how often each was hit, and by
// how many flipped bits in all.
#ifndef HUSHBIT_CANDIDATES_H_
#define HUSHBIT_CANDIDATES_H_

#include <stdint.h>
#include <string.h>

#include <algorithm>

namespace hushbit {

class Candidates {
 public:
  static constexpr uint32_t kSlots = 1 << 13;
  static constexpr uint32_t kMost = kSlots / 4 * 3;    // blocks in the table, so that looking one up stays short
  static constexpr uint32_t kMaxBlocks = 1 << 18;      // their numbers
  static constexpr uint32_t kMaxHits = (1 << 6) - 1;   // counted no further
  static constexpr uint32_t kMaxFlips = (1 << 7) - 2;  // counted no further

  Candidates() { memset(slots_, 0xFF, sizeof(slots_)); }

  uint32_t size() const { return size_; }

  void clear() {
    for (uint32_t i = 0; i < size_; ++i) slots_[used_[i]] = kEmpty;
    size_ = 0;
  }

  bool has_room_for(uint32_t blocks) const { return blocks <= kMost - size_; }

  // Counts a hit of `block`, below kMaxBlocks, at `flips` flipped bits, a few. There must be room for one.
  void hit(uint32_t block, uint32_t flips) {
    // An odd factor: where there are no more blocks than slots, no two share one.
    uint32_t at = block * 0x9E3779B1 % kSlots;
    while (slots_[at] >> kBlockShift != block && slots_[at] != kEmpty) at = (at + 1) % kSlots;
    // Whether the block is new cannot be guessed, so no branch depends on it.
    const bool is_new = slots_[at] == kEmpty;
    used_[size_] = static_cast<uint16_t>(at);
    size_ += is_new;
    uint32_t slot = is_new ? block << kBlockShift : slots_[at];
    slot += (slot & kMaxHits) < kMaxHits ? 1 : 0;
    slot += (slot >> kFlipsShift & kFlipsMask) + flips <= kMaxFlips ? flips << kFlipsShift : 0;
    slots_[at] = slot;
  }

  // Number, hits and flips of the `i`-th block that was met, i < size().
  uint32_t block(uint32_t i) const { return slot(i) >> kBlockShift; }
  uint32_t hits(uint32_t i) const { return slot(i) & kMaxHits; }
  uint32_t flips(uint32_t i) const { return slot(i) >> kFlipsShift & kFlipsMask; }
  bool done(uint32_t i) const { return (slot(i) & kDone) != 0; }
  void set_done(uint32_t i) { slots_[used_[i]] |= kDone; }

 private:
  // A slot: the block in the upper 18 bits, then a bit for done, 7 bits of flips, 6 bits of hits.
  static constexpr uint32_t kFlipsShift = 6, kFlipsMask = (1 << 7) - 1, kDone = 1 << 13, kBlockShift = 14;
  static constexpr uint32_t kEmpty = UINT32_MAX;  // more flips than are counted

  uint32_t slot(uint32_t i) const { return slots_[used_[i]]; }

  uint32_t slots_[kSlots];
  uint16_t used_[kMost + 1];  // the last one is never read
  uint32_t size_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_CANDIDATES_H_
