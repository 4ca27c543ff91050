// Which words may come out (sections `outputs` and `standins`), and which are released as they are (`public`).
#ifndef HUSHBIT_OUTPUTS_H_
#define HUSHBIT_OUTPUTS_H_

#include <stdint.h>

#include <span>

#include "base/bits.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// A section of an open bundle, and where it stands there, for messages.
struct SectionView {
  std::span<const uint8_t> bytes;
  uint64_t offset = 0;

  bool empty() const { return bytes.empty(); }
  const uint8_t* data() const { return bytes.data(); }
  uint64_t size() const { return bytes.size(); }
};

// Output words are numbered by *index*, in the order of their ids. Every word has a stand-in among them; that of an
// output word is itself. Without the sections every word is an output word, and index and id are the same.
class Outputs {
 public:
  // Checks counts and lengths and touches no bulk page. Both sections, or neither.
  hushbit_status open(const SectionView& outputs, const SectionView& stand_ins, uint32_t words, hushbit_error* error);

  uint32_t count() const { return count_; }

  // The id of the output word `index` < count(), or HUSHBIT_NO_WORD if the section is damaged there.
  uint32_t id(uint32_t index) const {
    if (is_identity_) return index;
    const uint32_t id = ids_[index];
    return id < words_ ? id : HUSHBIT_NO_WORD;
  }
  // The index of the stand-in of the word `id`, or HUSHBIT_NO_WORD if the section is damaged there.
  uint32_t stand_in(uint32_t id) const {
    if (is_identity_) return id;
    const uint32_t index = stand_ins_[id];
    return index < count_ ? index : HUSHBIT_NO_WORD;
  }
  // Replaces indices by ids. False if the section is damaged there.
  bool to_ids(uint32_t* indices, size_t count) const;

  // Reads everything: ids that ascend, stand-ins in range, output words that stand for themselves, padding.
  hushbit_status verify(hushbit_error* error) const;

 private:
  hushbit_status verify_ids(hushbit_error* error) const;
  hushbit_status verify_stand_ins(hushbit_error* error) const;

  bool is_identity_ = true;
  uint32_t words_ = 0;
  uint32_t count_ = 0;
  PackedNumbers ids_;
  PackedNumbers stand_ins_;
  SectionView id_section_;
  SectionView stand_in_section_;
};

// Words that are released as they are and never drawn as noise.
class PublicWords {
 public:
  // Checks count and length. An empty section: none.
  hushbit_status open(const SectionView& section, uint32_t words, hushbit_error* error);

  uint32_t count() const { return count_; }
  bool contains(uint32_t id) const;

  // Ids in range that ascend, no output word among them.
  hushbit_status check(const Outputs& outputs, hushbit_error* error) const;

 private:
  uint32_t id(uint32_t index) const { return load_le32(section_.data() + kIdsAt + uint64_t{index} * 4); }

  static constexpr uint64_t kIdsAt = 8;

  uint32_t words_ = 0;
  uint32_t count_ = 0;
  SectionView section_;
};

}  // namespace hushbit

#endif  // HUSHBIT_OUTPUTS_H_
