#include <string.h>

#include <algorithm>

#include "search/hamming.h"
#include "search/kernels/kernels.h"
#include "search/mih/mih.h"
#include "search/ties.h"

namespace hushbit {
namespace {

constexpr uint32_t kMaxRadius = 4;
constexpr uint32_t kMostWanted = 3;    // blocks looked at, at a time, in the hope of a near word
constexpr uint32_t kLookEvery = 4;     // tables, in between
constexpr uint32_t kBlockLookups = 4;  // what reading a block costs, in lookups

// How many values differ from one of `width` bits in exactly `radius` bits.
uint32_t shell_size(uint32_t width, uint32_t radius) {
  uint32_t size = 1;
  for (uint32_t i = 0; i < radius; ++i) size = size * (width - i) / (i + 1);
  return size;
}

// The patterns of `width` bits of which `radius` are set, in ascending order.
class Patterns {
 public:
  Patterns(uint32_t width, uint32_t radius) : pattern_((1u << radius) - 1), end_(1u << width) {}

  bool at_end() const { return pattern_ >= end_; }
  uint32_t pattern() const { return pattern_; }

  // The next larger number with as many bits set (Warren, Hacker's Delight, 2-1: snoob).
  void advance() {
    if (pattern_ == 0) {
      pattern_ = end_;
      return;
    }
    const uint32_t lowest = pattern_ & (0 - pattern_);
    const uint32_t ripple = pattern_ + lowest;
    pattern_ = ripple | (pattern_ ^ ripple) / lowest >> 2;
  }

 private:
  uint32_t pattern_;
  uint32_t end_;
};

}  // namespace

// One query's way through the tables. At any time, the first `probed_` tables have been looked up to radius `radius_`
// and the others to radius `radius_` - 1.
//
// A word that was not met in a table differs there in more bits than the radius; one that was met differs in as many
// bits as the lookup flipped. Added up over the tables, that bounds its distance from below without reading its code.
// Words of a block are not told apart: more hits only lower the bound.
class MihSearch {
 public:
  MihSearch(const Mih& mih, const CodeBlocks& codes, const uint8_t* query, uint32_t patience, MihScratch& scratch,
            Ties& ties)
      : mih_(mih),
        codes_(codes),
        query_(query),
        patience_(patience),
        candidates_(scratch.candidates),
        work_(scratch.work),
        ties_(ties) {
    memcpy(padded_query_, query, codes.code_bytes);
    memset(padded_query_ + codes.code_bytes, 0, 8);
  }

  bool run() {
    for (; radius_ <= kMaxRadius; ++radius_) {
      // Enough lookups for one go, before the next decision.
      const uint32_t step = radius_ == 0 ? mih_.substring_count_ : radius_ == 1 ? 2 : 1;
      for (probed_ = 0; probed_ < mih_.substring_count_;) {
        if (ties_.distance < unmet_bound() && !worth_probing()) return read_wanted();
        const uint32_t end = std::min(probed_ + step, mih_.substring_count_);
        if (lookups_left() > patience_ || !probe(probed_, end)) return false;
        probed_ = end;
        if (radius_ > 1 && probed_ % kLookEvery == 0) read_most_wanted(2);
      }
      read_most_wanted(1);
    }
    return false;
  }

 private:
  // No word that was not met at all is nearer than this.
  uint32_t unmet_bound() const { return mih_.substring_count_ * radius_ + probed_; }

  // For each number of hits, what it and the flips of a block add up to: no word of the block is nearer.
  struct Bounds {
    int least[Candidates::kMaxHits + 1];
  };

  Bounds bounds() const {
    Bounds bounds;
    for (int hits = 0; hits < static_cast<int>(Candidates::kMaxHits); ++hits) {
      const int tables = static_cast<int>(mih_.substring_count_), missed = tables - hits;
      const int missed_at_radius = missed - (tables - static_cast<int>(probed_));
      bounds.least[hits] = missed * static_cast<int>(radius_) + std::max(0, missed_at_radius);
    }
    bounds.least[Candidates::kMaxHits] = -static_cast<int>(kMaxBits);  // they were counted no further
    return bounds;
  }

  int bound(const Bounds& bounds, uint32_t i) const {
    return bounds.least[candidates_.hits(i)] + static_cast<int>(candidates_.flips(i));
  }

  // The distance to beat or to tie with.
  int limit() const { return static_cast<int>(std::min(ties_.distance, kMaxBits)); }

  bool wanted(const Bounds& bounds, uint32_t i) const { return bound(bounds, i) <= limit() && !candidates_.done(i); }

  uint32_t count_wanted() const {
    const Bounds now = bounds();
    uint32_t count = 0;
    for (uint32_t i = 0; i < candidates_.size(); ++i) count += wanted(now, i);
    return count;
  }

  uint32_t first_word(uint32_t i) const { return candidates_.block(i) << mih_.block_shift_; }
  uint32_t end_word(uint32_t i) const { return std::min(first_word(i) + mih_.block_words(), codes_.count); }

  void read_block(uint32_t i) {
    codes_.offer(codes_.codes, query_, first_word(i), end_word(i), &ties_);
    candidates_.set_done(i);
    ++work_.blocks;
  }

  // All that is left is to read what is wanted, but one more table may show that most of it need not be: as long as
  // that pays, which the last time tells.
  bool worth_probing() {
    const uint32_t before = wanted_before_, pays = lookups_of(probed_) / kBlockLookups;
    wanted_before_ = count_wanted();
    return wanted_before_ > pays && wanted_before_ + pays < before;
  }

  bool read_wanted() {
    const Bounds now = bounds();
    constexpr uint32_t kTogether = 64;
    for (uint32_t first = 0; first < candidates_.size(); first += kTogether) {
      const uint32_t end = std::min(candidates_.size(), first + kTogether);
      for (uint32_t i = first; i < end; ++i) {
        if (wanted(now, i)) codes_.prefetch(codes_.codes, first_word(i), end_word(i));
      }
      for (uint32_t i = first; i < end; ++i) {
        if (wanted(now, i)) read_block(i);
      }
    }
    return true;
  }

  // Reads the blocks with the lowest bounds, if they were hit often enough.
  void read_most_wanted(uint32_t min_hits) {
    const Bounds now = bounds();
    uint32_t best[kMostWanted];
    int best_bounds[kMostWanted];
    std::fill_n(best_bounds, kMostWanted, limit());
    for (uint32_t i = 0; i < candidates_.size(); ++i) {
      if (bound(now, i) >= best_bounds[kMostWanted - 1] || candidates_.done(i) || candidates_.hits(i) < min_hits)
        continue;
      uint32_t place = kMostWanted - 1;
      for (; place > 0 && bound(now, i) < best_bounds[place - 1]; --place) {
        best_bounds[place] = best_bounds[place - 1];
        best[place] = best[place - 1];
      }
      best_bounds[place] = bound(now, i);
      best[place] = i;
    }
    const int before = limit();
    // The first is seldom the last to matter, and nothing else is read meanwhile.
    if (best_bounds[0] < before) codes_.prefetch(codes_.codes, first_word(best[0]), end_word(best[0]));
    for (uint32_t n = 0; n < kMostWanted && best_bounds[n] < std::min(before, limit()); ++n) read_block(best[n]);
  }

  uint32_t lookups_of(uint32_t table) const {
    const uint32_t width = mih_.tables_[table].width;
    return radius_ > width ? 0 : shell_size(width, radius_);
  }

  // About what it takes to be sure of the best word so far, or at least to finish this radius, which may show a better.
  uint32_t lookups_left() const {
    const uint32_t before = mih_.substring_count_ * radius_;  // the bound when this radius began
    const uint32_t last = mih_.substring_count_ - 1;
    const uint32_t end = ties_.distance < before ? 0 : std::min(last, ties_.distance - before) + 1;
    return end > probed_ ? (end - probed_) * lookups_of(probed_) : 0;
  }

  // Looks up every value at exactly radius_ from the query's substring in the tables [first, end).
  bool probe(uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
      const Mih::Table& table = mih_.tables_[i];
      if (radius_ > table.width) continue;
      const auto value = static_cast<uint32_t>(load_bits(padded_query_, table.first_bit, table.width));
      for (Patterns patterns(table.width, radius_); !patterns.at_end(); patterns.advance()) {
        lookups_.tables[lookups_.count] = &table;
        lookups_.values[lookups_.count] = value ^ patterns.pattern();
        if (++lookups_.count == Lookups::kMost && !look_up()) return false;
      }
    }
    return look_up();
  }

  bool look_up() {
    const bool ok = find_groups() && count_hits();
    work_.lookups += lookups_.count;
    lookups_.count = 0;
    return ok;
  }

  bool find_groups() {
    BitPair pairs[Lookups::kMost];
    for (uint32_t i = 0; i < lookups_.count; ++i) {
      pairs[i] = lookups_.tables[i]->starts.question(lookups_.values[i] / Mih::kGroupValues);
    }
    find_(pairs, lookups_.count);
    for (uint32_t i = 0; i < lookups_.count; ++i) {
      const Mih::Table& table = *lookups_.tables[i];
      Mih::Group& group = lookups_.groups[i];
      if (!mih_.read_group(table, lookups_.values[i] / Mih::kGroupValues, pairs[i], &group)) return false;
      prefetch(table.groups + group.at / 8);
      prefetch(table.groups + group.at / 8 + 64);
    }
    return true;
  }

  bool count_hits() {
    BitPair pairs[Lookups::kMost];
    for (uint32_t i = 0; i < lookups_.count; ++i) {
      pairs[i] = Mih::question(*lookups_.tables[i], lookups_.groups[i], lookups_.values[i] % Mih::kGroupValues);
    }
    find_(pairs, lookups_.count);
    for (uint32_t i = 0; i < lookups_.count; ++i) {
      Mih::Entries entries;
      if (!mih_.read_entries(lookups_.groups[i], lookups_.values[i] % Mih::kGroupValues, pairs[i], &entries) ||
          !candidates_.has_room_for(entries.count)) {
        return false;
      }
      work_.entries += entries.count;
      for (uint32_t k = 0; k < entries.count; ++k) {
        const uint32_t block = mih_.entry(*lookups_.tables[i], entries, k);
        if (block >= mih_.blocks_) return false;
        candidates_.hit(block, radius_);
      }
    }
    return true;
  }

  // Lookups that are done together, so that they wait for memory together.
  struct Lookups {
    static constexpr uint32_t kMost = 32;
    uint32_t count = 0;
    const Mih::Table* tables[kMost];
    uint32_t values[kMost];
    Mih::Group groups[kMost];
  };

  const Mih& mih_;
  const CodeBlocks& codes_;
  const uint8_t* query_;
  uint32_t patience_;
  Candidates& candidates_;
  MihWork& work_;
  Ties& ties_;
  const FindBitPairs find_ = fastest_find_bit_pairs();
  Lookups lookups_;
  uint32_t radius_ = 0, probed_ = 0;
  uint32_t wanted_before_ = UINT32_MAX;
  uint8_t padded_query_[kMaxCodeBytes + 8];
};

bool Mih::find_nearest(const CodeBlocks& codes, const uint8_t* query, uint32_t patience, MihScratch* scratch,
                       Ties* ties) const {
  clear_ties(ties);
  const bool found = MihSearch(*this, codes, query, patience, *scratch, *ties).run();
  scratch->candidates.clear();
  return found;
}

}  // namespace hushbit
