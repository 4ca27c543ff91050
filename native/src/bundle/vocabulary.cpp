#include "bundle/vocabulary.h"

#include <string.h>

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/corrupt.h"
#include "base/utf8.h"

namespace hushbit {
namespace {

// The fixed part of the section.
constexpr uint64_t kCountAt = 0, kBlockWordsAt = 4, kMaxWordBytesAt = 8, kReservedAt = 12, kPayloadBitsAt = 16;
constexpr uint64_t kMoreReservedAt = 24, kSuffixLengthsAt = 64, kPrefixLengthsAt = 192, kStepLengthsAt = 320;
constexpr uint64_t kBlockStartsAt = 448;
constexpr uint64_t kTailBytes = 8;  // zero bytes behind the payload
constexpr uint32_t kMaxBlockWords = 64;

uint64_t align8(uint64_t value) { return (value + 7) / 8 * 8; }

}  // namespace

hushbit_status Vocabulary::open(std::span<const uint8_t> section, uint64_t section_offset, uint32_t expected_words,
                                hushbit_error* error) {
  const auto damaged = [&](uint64_t at, const char* what) { return corrupt(error, section_offset + at, what); };
  if (section.size() < kBlockStartsAt) return damaged(0, "words: section too short");
  section_ = section.data();
  section_offset_ = section_offset;
  words_ = expected_words;
  block_words_ = load_le32(section_ + kBlockWordsAt);
  max_word_bytes_ = load_le32(section_ + kMaxWordBytesAt);
  payload_bits_ = load_le64(section_ + kPayloadBitsAt);
  if (load_le32(section_ + kCountAt) != words_) return damaged(kCountAt, "words: count does not match the header");
  if (!std::has_single_bit(block_words_) || block_words_ > kMaxBlockWords) {
    return damaged(kBlockWordsAt, "words: block size not a power of two up to 64");
  }
  if (max_word_bytes_ < 1 || max_word_bytes_ > kMaxWordBytes) {
    return damaged(kMaxWordBytesAt, "words: longest word not of 1 to 255 bytes");
  }
  if (payload_bits_ > UINT32_MAX) return damaged(kPayloadBitsAt, "words: payload of 2^32 bits or more");
  if (load_le32(section_ + kReservedAt) != 0) return damaged(kReservedAt, "words: reserved bytes not zero");
  const uint64_t nonzero = first_nonzero(section_, kMoreReservedAt, kSuffixLengthsAt);
  if (nonzero < kSuffixLengthsAt) return damaged(nonzero, "words: reserved bytes not zero");
  if (!suffix_codes_.build(section_ + kSuffixLengthsAt, false)) {
    return damaged(kSuffixLengthsAt, "words: suffix code lengths are not a Huffman code");
  }
  if (!prefix_codes_.build(section_ + kPrefixLengthsAt, true)) {
    return damaged(kPrefixLengthsAt, "words: prefix code lengths are not a Huffman code");
  }
  if (!step_codes_.build(section_ + kStepLengthsAt, true)) {
    return damaged(kStepLengthsAt, "words: step code lengths are not a Huffman code");
  }
  // The section's length follows from its counts, all of them small enough by now that nothing overflows.
  blocks_ = (words_ - 1) / block_words_ + 1;
  payload_offset_ = align8(kBlockStartsAt + 4 * (uint64_t{blocks_} + 1));
  if (section.size() != payload_offset_ + (payload_bits_ + 7) / 8 + kTailBytes) {
    return damaged(0, "words: length does not match its counts");
  }
  return HUSHBIT_OK;
}

// A reader of the block's bits, or false if they are not inside the payload.
bool Vocabulary::open_block(uint32_t block, BitReader* reader) const {
  const uint8_t* starts = section_ + kBlockStartsAt + size_t{block} * 4;
  const uint32_t begin = load_le32(starts), end = load_le32(starts + 4);
  if (begin > end || end > payload_bits_) return false;
  *reader = BitReader(section_ + payload_offset_, begin, end);
  return true;
}

// Reads a word to `buffer`, over the `before` bytes of the word before it in its block, of which it keeps `*kept`;
// `before` is 0 for the first word of a block. Returns its length, or 0 if the section is damaged. A word that it
// returns is above the one before, since the step between them is positive.
size_t Vocabulary::read_word(BitReader* reader, size_t before, uint8_t* buffer, size_t* kept) const {
  BitReader bits = *reader;  // a copy stays in registers, since no write to the buffer can change it
  uint8_t prefix = 0, symbol;
  if (before > 0 && (!bits.read(prefix_codes_, &prefix) || prefix > before)) return 0;
  size_t length = *kept = prefix;
  if (length < before) {
    if (!bits.read(step_codes_, &symbol) || symbol == 0 || symbol > 255 - buffer[length]) return 0;
    buffer[length] = static_cast<uint8_t>(buffer[length] + symbol);
    ++length;
  }
  while (bits.read(suffix_codes_, &symbol)) {
    if (symbol == 0) {
      *reader = bits;
      return length > prefix ? length : 0;
    }
    if (length == max_word_bytes_) return 0;
    buffer[length++] = symbol;
  }
  return 0;
}

size_t Vocabulary::word(uint32_t id, uint8_t* buffer) const {
  BitReader reader;
  if (!open_block(id / block_words_, &reader)) return 0;
  size_t length = 0, kept;
  for (uint32_t i = 0; i <= id % block_words_; ++i) {
    length = read_word(&reader, length, buffer, &kept);
    if (length == 0) return 0;
  }
  // Callers put words into text that must be UTF-8, also if nobody verified the bundle.
  return first_invalid_utf8(buffer, length) == length ? length : 0;
}

// Whether the first word of a block is above the text, read only until they differ. False if the section is damaged.
bool Vocabulary::compare_first_word(uint32_t block, std::span<const uint8_t> text, bool* above) const {
  BitReader reader;
  if (!open_block(block, &reader)) return false;
  uint8_t symbol;
  for (size_t i = 0; i <= max_word_bytes_ && reader.read(suffix_codes_, &symbol); ++i) {
    // The end of either is below every byte.
    const int of_word = symbol == 0 ? -1 : symbol;
    const int of_text = i == text.size() ? -1 : text[i];
    if (of_word != of_text || symbol == 0) {
      *above = of_word > of_text;
      return true;
    }
  }
  return false;
}

// The last block whose first word is not above the text, or block 0. False if the section is damaged.
bool Vocabulary::find_block(std::span<const uint8_t> text, uint32_t* block) const {
  uint32_t low = 0, high = blocks_;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    bool above;
    if (!compare_first_word(middle, text, &above)) return false;
    (above ? high : low) = middle;
  }
  *block = low;
  return true;
}

Vocabulary::Position Vocabulary::locate(std::span<const uint8_t> text) const {
  const Position damaged = {.damaged = true};
  Position position;
  uint32_t block;
  BitReader reader;
  if (!find_block(text, &block) || !open_block(block, &reader)) return damaged;
  const uint32_t first = block * block_words_;
  const uint32_t count = std::min(words_ - first, block_words_);
  uint8_t word[kMaxWordBytes];
  size_t length = 0, kept;
  size_t common = 0;  // of the text and the last word read, which is below the text
  for (uint32_t i = 0; i < count; ++i) {
    length = read_word(&reader, length, word, &kept);
    if (length == 0) return damaged;
    // A word that keeps fewer bytes of the word before than that shares with the text rises above the text there. One
    // that keeps more stands to the text as the word before does. Only one that keeps as many must be compared.
    if (kept < common) break;
    if (kept == common) {
      const size_t shorter = std::min(length, text.size());
      while (common < shorter && word[common] == text[common]) ++common;
      if (common < length && (common == text.size() || word[common] > text[common])) break;
    }
    position.id = first + i;
    position.common = static_cast<uint32_t>(common);
    position.length = static_cast<uint32_t>(length);
    position.exact = common == length && common == text.size();
    if (position.exact) break;
  }
  return position;
}

// What `verify` carries from block to block.
struct Vocabulary::Scan {
  uint8_t word[kMaxWordBytes];  // the last one
  size_t length = 0;
  size_t longest = 0;
  uint64_t next_bit = 0;
};

hushbit_status Vocabulary::verify_block(uint32_t block, Scan* scan, hushbit_error* error) const {
  const auto damaged = [&](uint64_t bit, const char* what) {
    return corrupt(error, section_offset_ + payload_offset_ + bit / 8, what);
  };
  BitReader reader;
  if (!open_block(block, &reader) || reader.position() != scan->next_bit) {
    return corrupt(error, section_offset_ + kBlockStartsAt + uint64_t{block} * 4,
                   "words: gap or overlap between blocks");
  }
  const uint32_t count = std::min(words_ - block * block_words_, block_words_);
  uint8_t word[kMaxWordBytes];
  size_t length = 0, kept;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t start = reader.position();
    length = read_word(&reader, length, word, &kept);
    if (length == 0) return damaged(start, "words: a word that cannot be decoded");
    // Inside a block words cannot but rise.
    if (i == 0 && !std::lexicographical_compare(scan->word, scan->word + scan->length, word, word + length)) {
      return damaged(start, "words: a word is not above the previous one");
    }
    if (first_invalid_utf8(word, length) != length) return damaged(start, "words: a word that is not UTF-8");
    scan->longest = std::max(scan->longest, length);
  }
  memcpy(scan->word, word, length);
  scan->length = length;
  scan->next_bit = reader.position();
  return HUSHBIT_OK;
}

hushbit_status Vocabulary::verify_padding(hushbit_error* error) const {
  const uint64_t starts_end = kBlockStartsAt + 4 * (uint64_t{blocks_} + 1);
  uint64_t nonzero = first_nonzero(section_, starts_end, payload_offset_);
  if (nonzero < payload_offset_) return corrupt(error, section_offset_ + nonzero, "words: padding not zero");
  const uint64_t last = payload_offset_ + payload_bits_ / 8;
  const uint64_t end = payload_offset_ + (payload_bits_ + 7) / 8 + kTailBytes;
  const unsigned used = payload_bits_ % 8;
  if (used != 0 && (section_[last] << used & 0xFF) != 0) {
    return corrupt(error, section_offset_ + last, "words: padding not zero");
  }
  nonzero = first_nonzero(section_, last + (used != 0), end);
  if (nonzero < end) return corrupt(error, section_offset_ + nonzero, "words: padding not zero");
  return HUSHBIT_OK;
}

hushbit_status Vocabulary::verify(hushbit_error* error) const {
  Scan scan;
  for (uint32_t block = 0; block < blocks_; ++block) {
    const hushbit_status status = verify_block(block, &scan, error);
    if (status != HUSHBIT_OK) return status;
  }
  if (scan.next_bit != payload_bits_) {
    return corrupt(error, section_offset_ + kPayloadBitsAt, "words: payload longer than its blocks");
  }
  if (scan.longest != max_word_bytes_) {
    return corrupt(error, section_offset_ + kMaxWordBytesAt, "words: longest word not as long as stated");
  }
  return verify_padding(error);
}

}  // namespace hushbit
