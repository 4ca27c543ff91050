// What crowds are made of: the weights of output words, and the lists of near ones (sections `weights` and `crowds`).
#ifndef HUSHBIT_CROWDS_H_
#define HUSHBIT_CROWDS_H_

#include <stdint.h>

#include "base/bits.h"
#include "base/bytes.h"
#include "bundle/outputs.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// Weights of output words by index, 1 or more, as prefix sums. Without the section each is 1.
class Weights {
 public:
  // Reads everything.
  hushbit_status open(const SectionView& section, uint32_t count, hushbit_error* error);
  static Weights equal(uint32_t count);

  bool are_equal() const { return section_.empty(); }
  uint32_t count() const { return count_; }
  // Their sum.
  uint32_t total() const { return total_; }
  // The sum of the weights before `index` <= count().
  uint32_t before(uint32_t index) const {
    if (section_.empty()) return index;
    return index == 0 ? 0 : load_le32(section_.data() + (uint64_t{index} - 1) * 4);
  }
  uint32_t operator[](uint32_t index) const { return before(index + 1) - before(index); }

 private:
  SectionView section_;
  uint32_t count_ = 0;
  uint32_t total_ = 0;
};

// The members of a crowd: places in a packed list of indices.
struct CrowdList {
  uint32_t begin = 0, end = 0;
};

class Crowds {
 public:
  // Checks counts and lengths and touches no bulk page. An empty section: no lists.
  hushbit_status open(const SectionView& section, uint32_t outputs, hushbit_error* error);

  bool empty() const { return section_.empty(); }
  uint32_t centers() const { return centers_; }
  // Whether a word comes first in its own crowd, whatever its list says.
  bool self_first() const { return self_first_; }
  // The list of an output word `index`. False if the section is damaged there.
  bool list(uint32_t index, CrowdList* list) const;
  // The index at a place in a list; if the section is damaged there, it may be beyond the output words.
  uint32_t member(uint32_t place) const { return members_[place]; }

  // Reads everything but the padding: every output word has a list, and the lists are of output words, without repeats
  // and heavy enough that no crowd ends before `end_mass`. May fail with OUT_OF_MEMORY.
  hushbit_status check(const Weights& weights, uint32_t end_mass, hushbit_error* error) const;
  // The padding.
  hushbit_status check_padding(hushbit_error* error) const;

 private:
  uint32_t start(uint32_t center) const;
  hushbit_status check_list(uint32_t center, const Weights& weights, uint32_t end_mass, uint8_t* seen,
                            hushbit_error* error) const;

  SectionView section_;
  uint32_t outputs_ = 0;
  uint32_t centers_ = 0;
  uint32_t entries_ = 0;
  bool self_first_ = false;
  uint64_t center_numbers_at_ = 0, members_at_ = 0;
  PackedNumbers center_numbers_;
  PackedNumbers members_;
};

}  // namespace hushbit

#endif  // HUSHBIT_CROWDS_H_
