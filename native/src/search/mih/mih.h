// Multi-index hashing (Norouzi, Punjani and Fleet, "Fast exact search in Hamming space with multi-index hashing",
// 2014): exact nearest codes in little time while few bits are flipped.
//
// Codes are cut into m substrings. For each, a table says in which blocks of words (code_blocks.h) each of its values
// occurs. A word at distance d of the query differs in at most d / m bits in some substring, so the search looks up the
// values within radius 0, 1, 2, … of the query's substrings until no word it has not met can be as near as the best.
#ifndef HUSHBIT_MIH_H_
#define HUSHBIT_MIH_H_

#include <stdint.h>

#include <span>

#include "base/bits.h"
#include "hushbit/hushbit.h"
#include "search/candidates.h"
#include "search/mih/bit_pairs.h"
#include "search/mih/code_blocks.h"
#include "search/mih/elias_fano.h"

namespace hushbit {

// What searches did, added up. Unlike time, the same on every machine.
struct MihWork {
  uint64_t lookups = 0;  // values looked up
  uint64_t entries = 0;  // found there
  uint64_t blocks = 0;   // read

  void add(const MihWork& other) {
    lookups += other.lookups;
    entries += other.entries;
    blocks += other.blocks;
  }
};

struct MihScratch {
  Candidates candidates;
  MihWork work;
};

class Mih {
 public:
  static constexpr uint32_t kMaxSubstrings = 62;
  static constexpr uint32_t kMaxWidth = 26;  // bits of a substring

  // The `mih` section (docs/bundle-format.md) of `words` codes of `bits` bits. `position` is where it stands in the
  // bundle. Checks counts against the length; touches no bulk page.
  hushbit_status open(std::span<const uint8_t> section, uint64_t position, uint32_t words, uint32_t bits,
                      hushbit_error* error);

  // Reads everything: whether the tables name each word where its code belongs, and nothing else.
  hushbit_status verify(const CodeBlocks& codes, hushbit_error* error) const;

  // Finds the nearest words of `query`. False if the index is damaged or, at any point, would need more than about
  // `patience` lookups more: then a scan has to do it. True means exact, if the index passes `verify`. `scratch` is
  // room to work in, 45 KB, to be used again and again.
  bool find_nearest(const CodeBlocks& codes, const uint8_t* query, uint32_t patience, MihScratch* scratch,
                    Ties* ties) const;

  uint32_t substrings() const { return substring_count_; }
  uint32_t block_words() const { return 1u << block_shift_; }

 private:
  friend class MihSearch;

  // Values of a substring stand together in groups, so that those that differ in their last bits are near each other in
  // memory. A group is: for each of its values, a 0 for each entry and a 1; then the entries of all of them, each a
  // block's number in block_bits_, ascending for each value.
  static constexpr uint32_t kGroupValues = 16;

  struct Table {
    uint32_t first_bit, width;  // of the substring
    uint32_t group_values;      // kGroupValues, or fewer if there are no more values
    uint32_t count;             // of entries
    EliasFano starts;           // for each group, the entries before it; at the end, the count
    const uint8_t* groups;
  };

  struct Group {
    uint64_t at;     // its first bit
    uint32_t count;  // of its entries
  };

  struct Entries {
    uint64_t at;  // the first bit of the first one
    uint32_t count;
  };

  uint64_t groups_bits(const Table& table) const {
    return (uint64_t{1} << table.width) + uint64_t{table.count} * (1 + block_bits_);
  }

  // The group, from what table.starts.question(group) has found. False if the table is damaged; else it is inside.
  bool read_group(const Table& table, uint32_t group, const BitPair& found, Group* out) const {
    uint32_t first, end;
    if (!table.starts.read(group, found, &first, &end)) return false;
    out->at = uint64_t{group} * table.group_values + uint64_t{first} * (1 + block_bits_);
    out->count = end - first;
    return true;
  }

  // What to find, to read the entries of the value at `place` of the group.
  static BitPair question(const Table& table, const Group& group, uint32_t place) {
    return {table.groups, group.at, group.at + table.group_values + group.count, place, 0, 0};
  }

  // The entries, from what was found. False if the table is damaged; else they are inside.
  bool read_entries(const Group& group, uint32_t place, const BitPair& found, Entries* out) const {
    const uint64_t before = found.first + 1 - group.at - place;
    out->at = found.end + before * block_bits_;
    out->count = static_cast<uint32_t>(found.next - found.first - 1);
    return found.next < found.end && before + out->count <= group.count;
  }

  bool find_group(const Table& table, uint32_t group, Group* out) const;
  bool find_entries(const Table& table, const Group& group, uint32_t place, Entries* out) const;

  uint32_t entry(const Table& table, const Entries& entries, uint32_t index) const {
    return static_cast<uint32_t>(load_bits(table.groups, entries.at + uint64_t{index} * block_bits_, block_bits_));
  }

  hushbit_status open_tables(hushbit_error* error);
  bool names(const Table& table, uint32_t value, uint32_t block) const;
  bool verify_group(const Table& table, uint32_t index) const;
  // `position` is where the groups stand in the bundle.
  hushbit_status verify_words(const Table& table, const CodeBlocks& codes, uint64_t position,
                              hushbit_error* error) const;

  std::span<const uint8_t> section_;
  uint64_t position_ = 0;
  uint32_t words_ = 0, bits_ = 0;
  uint32_t block_shift_ = 0;  // log2 of the words of a block
  uint32_t blocks_ = 0;
  uint32_t block_bits_ = 0;  // of a block's number
  uint32_t substring_count_ = 0;
  Table tables_[kMaxSubstrings];
};

}  // namespace hushbit

#endif  // HUSHBIT_MIH_H_
