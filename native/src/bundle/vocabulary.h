// The `words` section: word ↔ id straight from the map (docs/bundle-format.md).
#ifndef HUSHBIT_VOCABULARY_H_
#define HUSHBIT_VOCABULARY_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "bundle/bit_reader.h"
#include "hushbit/hushbit.h"

namespace hushbit {

inline constexpr size_t kMaxWordBytes = 255;

class Vocabulary {
 public:
  // Checks the fixed part and the lengths and builds the decoding tables; touches no payload. `section_offset` is where
  // the section stands in the bundle, for messages.
  hushbit_status open(std::span<const uint8_t> section, uint64_t section_offset, uint32_t expected_words,
                      hushbit_error* error);

  uint32_t size() const { return words_; }
  uint32_t max_word_bytes() const { return max_word_bytes_; }

  // Copies the word of `id` < size() to `buffer` (room for kMaxWordBytes) and returns its length, at most
  // max_word_bytes(); always valid UTF-8. 0 if the section is damaged there.
  size_t word(uint32_t id, uint8_t* buffer) const;

  // Where `text` stands among the words. `exact`: text is word `id`. Else `id` is the last word before it in byte order
  // (HUSHBIT_NO_WORD if there is none). `common` is the length of the prefix that text shares with word `id`; no word
  // that is a prefix of `text` is longer than that. `length` is that of word `id`: if it equals `common`, the word is
  // the longest prefix of `text` among the words. `damaged`: the section is corrupt where it was read.
  struct Position {
    uint32_t id = HUSHBIT_NO_WORD;
    uint32_t common = 0;
    uint32_t length = 0;
    bool exact = false;
    bool damaged = false;
  };
  Position locate(std::span<const uint8_t> text) const;

  // Reads everything: words valid UTF-8, sorted, unique, lengths as stated, padding zero.
  hushbit_status verify(hushbit_error* error) const;

 private:
  struct Scan;

  bool open_block(uint32_t block, BitReader* reader) const;
  size_t read_word(BitReader* reader, size_t before, uint8_t* buffer, size_t* kept) const;
  bool compare_first_word(uint32_t block, std::span<const uint8_t> text, bool* above) const;
  bool find_block(std::span<const uint8_t> text, uint32_t* block) const;
  hushbit_status verify_block(uint32_t block, Scan* scan, hushbit_error* error) const;
  hushbit_status verify_padding(hushbit_error* error) const;

  CodeTable suffix_codes_;
  CodeTable prefix_codes_;
  CodeTable step_codes_;
  const uint8_t* section_ = nullptr;
  uint64_t section_offset_ = 0;
  uint64_t payload_offset_ = 0;  // in the section
  uint64_t payload_bits_ = 0;
  uint32_t words_ = 0;
  uint32_t block_words_ = 0;
  uint32_t blocks_ = 0;
  uint32_t max_word_bytes_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_VOCABULARY_H_
