#include "search/mih/mih.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/corrupt.h"
#include "search/hamming.h"
#include "search/sorting.h"

namespace hushbit {
namespace {

// The section.
constexpr uint64_t kWordsAt = 0, kBitsAt = 4, kSubstringsAt = 8, kBlockShiftAt = 12, kReservedAt = 16;
constexpr uint64_t kCountsAt = 64;
constexpr uint64_t kTail = 8;  // zero bytes at the end, so that 64 bits may always be loaded

constexpr const char* kPadding = "mih: padding not zero";

constexpr uint32_t kMaxBlockShift = 6;
static_assert(kMaxBlockWords == 1 << kMaxBlockShift);

uint64_t align8(uint64_t size) { return (size + 7) / 8 * 8; }

}  // namespace

hushbit_status Mih::open(std::span<const uint8_t> section, uint64_t position, uint32_t words, uint32_t bits,
                         hushbit_error* error) {
  section_ = section;
  position_ = position;
  const uint8_t* data = section.data();
  if (section.size() < kCountsAt) return corrupt(error, position, "mih: cut off in the fixed part");
  words_ = load_le32(data + kWordsAt);
  bits_ = load_le32(data + kBitsAt);
  substring_count_ = load_le32(data + kSubstringsAt);
  block_shift_ = load_le32(data + kBlockShiftAt);
  if (words_ != words) return corrupt(error, position + kWordsAt, "mih: word count does not match the header");
  if (bits_ != bits) return corrupt(error, position + kBitsAt, "mih: bits do not match the header");
  if (substring_count_ > kMaxSubstrings || substring_count_ * kMaxWidth < bits) {
    return corrupt(error, position + kSubstringsAt, "mih: impossible number of substrings");
  }
  if (block_shift_ > kMaxBlockShift || (words - 1) >> block_shift_ >= Candidates::kMaxBlocks) {
    return corrupt(error, position + kBlockShiftAt, "mih: impossible size of blocks");
  }
  const uint64_t nonzero = first_nonzero(data, kReservedAt, kCountsAt);
  if (nonzero != kCountsAt) return corrupt(error, position + nonzero, "mih: reserved bytes not zero");
  blocks_ = ((words - 1) >> block_shift_) + 1;
  block_bits_ = static_cast<uint32_t>(std::bit_width(blocks_ - 1));

  return open_tables(error);
}

// Where each table stands follows from the counts of entries.
hushbit_status Mih::open_tables(hushbit_error* error) {
  const uint8_t* data = section_.data();
  uint64_t end = kCountsAt + align8(uint64_t{substring_count_} * 4);
  if (section_.size() < end) return corrupt(error, position_ + section_.size(), "mih: cut off in the counts");
  for (uint32_t i = 0; i < substring_count_; ++i) {
    Table& table = tables_[i];
    const uint64_t count_at = kCountsAt + uint64_t{i} * 4;
    table.first_bit = i * bits_ / substring_count_;
    table.width = (i + 1) * bits_ / substring_count_ - table.first_bit;
    table.count = load_le32(data + count_at);
    if (table.count < blocks_ || table.count > words_) {
      return corrupt(error, position_ + count_at, "mih: impossible number of entries");
    }
    table.group_values = std::min(kGroupValues, 1u << table.width);
    const uint32_t numbers = (1u << table.width) / table.group_values + 1;
    const uint64_t starts_bytes = EliasFano(nullptr, numbers, table.count).size_bytes();
    const uint64_t bytes = starts_bytes + align8((groups_bits(table) + 7) / 8);
    if (section_.size() - end < bytes) return corrupt(error, position_ + section_.size(), "mih: cut off in a table");
    table.starts = EliasFano(data + end, numbers, table.count);
    table.groups = data + end + starts_bytes;
    end += bytes;
  }
  if (section_.size() - end != kTail) return corrupt(error, position_ + end, "mih: length does not match its counts");
  return HUSHBIT_OK;
}

bool Mih::find_group(const Table& table, uint32_t group, Group* out) const {
  BitPair pair = table.starts.question(group);
  find_bit_pairs(&pair, 1);
  return read_group(table, group, pair, out);
}

bool Mih::find_entries(const Table& table, const Group& group, uint32_t place, Entries* out) const {
  BitPair pair = question(table, group, place);
  find_bit_pairs(&pair, 1);
  return read_entries(group, place, pair, out);
}

// Whether the entries of `value`, which ascend, hold `block`.
bool Mih::names(const Table& table, uint32_t value, uint32_t block) const {
  Group group;
  Entries entries;
  if (!find_group(table, value / kGroupValues, &group) || !find_entries(table, group, value % kGroupValues, &entries)) {
    return false;
  }
  uint32_t begin = 0, end = entries.count;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2, found = entry(table, entries, middle);
    if (found == block) return true;
    if (found < block) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return false;
}

bool Mih::verify_group(const Table& table, uint32_t index) const {
  Group group;
  Entries entries;
  if (!find_group(table, index, &group)) return false;
  uint64_t count = 0;
  for (uint32_t place = 0; place < table.group_values; ++place) {
    if (!find_entries(table, group, place, &entries)) return false;
    for (uint32_t i = 0; i < entries.count; ++i) {
      const uint32_t block = entry(table, entries, i);
      if (block >= blocks_ || (i > 0 && block <= entry(table, entries, i - 1))) return false;
    }
    count += entries.count;
  }
  return count == group.count;
}

// The pairs of a value and a block in which it occurs must all be entries, of which there must be no more than such
// pairs. Since entries ascend, none is there twice.
hushbit_status Mih::verify_words(const Table& table, const CodeBlocks& codes, uint64_t position,
                                 hushbit_error* error) const {
  uint64_t pairs = 0;
  for (uint32_t block = 0; block < blocks_; ++block) {
    uint8_t rows[kMaxBlockWords * kMaxCodeBytes + 8];
    uint32_t values[kMaxBlockWords];
    const uint32_t first = block << block_shift_, count = std::min(block_words(), words_ - first);
    codes.copy(codes.codes, first, first + count, rows);
    for (uint32_t i = 0; i < count; ++i) {
      values[i] = static_cast<uint32_t>(load_bits(rows + i * codes.code_bytes, table.first_bit, table.width));
    }
    sort_ascending(values, values + count);
    const uint32_t distinct = static_cast<uint32_t>(std::unique(values, values + count) - values);
    for (uint32_t i = 0; i < distinct; ++i) {
      if (!names(table, values[i], block)) return corrupt(error, position, "mih: a word is missing");
    }
    pairs += distinct;
  }
  if (pairs != table.count) return corrupt(error, position, "mih: more entries than words have");
  return HUSHBIT_OK;
}

hushbit_status Mih::verify(const CodeBlocks& codes, hushbit_error* error) const {
  const uint8_t* data = section_.data();
  uint64_t end_bit = (kCountsAt + uint64_t{substring_count_} * 4) * 8;  // of what was verified
  for (uint32_t i = 0; i < substring_count_; ++i) {
    const Table& table = tables_[i];
    const uint64_t groups_at = static_cast<uint64_t>(table.groups - data);
    const uint64_t starts_at = groups_at - table.starts.size_bytes();
    if (!zero_from_bit(data, end_bit, starts_at)) return corrupt(error, position_ + starts_at - 1, kPadding);
    if (!table.starts.verify()) return corrupt(error, position_ + starts_at, "mih: wrong offsets");
    for (uint32_t group = 0; group < (1u << table.width) / table.group_values; ++group) {
      if (!verify_group(table, group)) return corrupt(error, position_ + groups_at, "mih: wrong entries");
    }
    const hushbit_status status = verify_words(table, codes, position_ + groups_at, error);
    if (status != HUSHBIT_OK) return status;
    end_bit = groups_at * 8 + groups_bits(table);
  }
  return zero_from_bit(data, end_bit, section_.size()) ? HUSHBIT_OK
                                                       : corrupt(error, position_ + section_.size() - 1, kPadding);
}

}  // namespace hushbit
