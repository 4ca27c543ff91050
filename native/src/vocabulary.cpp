#include "vocabulary.h"

#include <string.h>

#include <algorithm>
#include <bit>

#include "bytes.h"
#include "corrupt.h"
#include "utf8.h"

namespace hushbit {
namespace {

// The fixed part of the section.
constexpr uint64_t kCountAt = 0, kBlockWordsAt = 4, kMaxWordBytesAt = 8, kReservedAt = 12, kPayloadBitsAt = 16;
constexpr uint64_t kMoreReservedAt = 24, kSuffixLengthsAt = 64, kPrefixLengthsAt = 192, kBlockStartsAt = 320;
constexpr uint64_t kTailBytes = 8;  // zero bytes behind the payload
constexpr uint32_t kMaxBlockWords = 64;

uint64_t align8(uint64_t value) { return (value + 7) / 8 * 8; }

}  // namespace

// How the word that is being read stands to the text that is looked for.
struct Vocabulary::Comparison {
  uint32_t common = 0;  // length of the prefix that they share
  uint32_t length = 0;  // of the word, as far as it was read
  int order = 0;        // of the word against the text: below, equal, above
  bool ended = false;   // the word was read to its end
};

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
  if (load_le32(section_ + kCountAt) != words_) return damaged(kCountAt, "words: another count than in the header");
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
    return damaged(kSuffixLengthsAt, "words: suffix code lengths are no Huffman code");
  }
  if (!prefix_codes_.build(section_ + kPrefixLengthsAt, true)) {
    return damaged(kPrefixLengthsAt, "words: prefix code lengths are no Huffman code");
  }
  // The section's length follows from its counts, all of them small enough by now that nothing overflows.
  blocks_ = (words_ - 1) / block_words_ + 1;
  payload_offset_ = align8(kBlockStartsAt + 4 * (uint64_t{blocks_} + 1));
  if (section.size() != payload_offset_ + (payload_bits_ + 7) / 8 + kTailBytes) {
    return damaged(0, "words: section length does not fit its counts");
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

// Reads a word to `buffer`, over the `before` bytes of the word before it, of which it keeps `*kept`. Returns its
// length, or 0 if the section is damaged.
size_t Vocabulary::read_word(BitReader* reader, bool first_of_block, size_t before, uint8_t* buffer,
                             size_t* kept) const {
  uint8_t symbol = 0;
  if (!first_of_block && (!reader->read(prefix_codes_, &symbol) || symbol > before)) return 0;
  size_t length = *kept = symbol;
  while (reader->read(suffix_codes_, &symbol)) {
    if (symbol == 0) return length;
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
    length = read_word(&reader, i == 0, length, buffer, &kept);
    if (length == 0) return 0;
  }
  // Callers put words into text that must be UTF-8, also if nobody verified the bundle.
  return first_invalid_utf8(buffer, length) == length ? length : 0;
}

// Reads a word until it differs from the text, of which it is known to have the first `common` bytes. False if the
// section is damaged.
bool Vocabulary::compare(std::span<const uint8_t> text, BitReader* reader, Comparison* comparison) const {
  uint32_t common = comparison->common;
  uint8_t symbol;
  while (reader->read(suffix_codes_, &symbol)) {
    // The end of either is below every byte.
    const int of_word = symbol == 0 ? -1 : symbol;
    const int of_text = common == text.size() ? -1 : text[common];
    if (of_word != of_text || symbol == 0) {
      const bool ended = symbol == 0;
      *comparison = {.common = common, .length = common + !ended, .order = of_word - of_text, .ended = ended};
      return true;
    }
    if (++common > max_word_bytes_) return false;
  }
  return false;
}

// Reads the rest of a word for its length only. False if the section is damaged.
bool Vocabulary::skip_word(BitReader* reader, Comparison* comparison) const {
  uint8_t symbol;
  while (!comparison->ended) {
    if (comparison->length > max_word_bytes_ || !reader->read(suffix_codes_, &symbol)) return false;
    comparison->ended = symbol == 0;
    comparison->length += symbol != 0;
  }
  return true;
}

// The last block whose first word is not above the text, or block 0. False if the section is damaged.
bool Vocabulary::find_block(std::span<const uint8_t> text, uint32_t* block) const {
  uint32_t low = 0, high = blocks_;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    BitReader reader;
    Comparison comparison;
    if (!open_block(middle, &reader) || !compare(text, &reader, &comparison)) return false;
    (comparison.order <= 0 ? low : high) = middle;
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
  Comparison current;  // of the last word read, which is below the text
  for (uint32_t i = 0; i < count; ++i) {
    uint8_t kept = 0;
    if (i > 0 && (!reader.read(prefix_codes_, &kept) || kept > current.length)) return damaged;
    // A word that keeps fewer bytes of the word before than that shares with the text rises above the text there. One
    // that keeps more stands to the text as the word before does. Only one that keeps as many must be compared.
    if (kept < current.common) break;
    if (kept > current.common) {
      current.length = kept;
      current.ended = false;
    } else {
      if (!compare(text, &reader, &current)) return damaged;
      if (current.order > 0) break;
    }
    position = {.id = first + i, .common = current.common, .exact = current.order == 0, .damaged = false};
    if (position.exact) break;
    if (!skip_word(&reader, &current)) return damaged;
  }
  return position;
}

// What `verify` carries from word to word.
struct Vocabulary::Scan {
  uint8_t before[kMaxWordBytes];
  size_t before_length = 0;
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
                   "words: block not where the one before it ends");
  }
  const uint32_t count = std::min(words_ - block * block_words_, block_words_);
  uint8_t word[kMaxWordBytes];
  memcpy(word, scan->before, scan->before_length);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t start = reader.position();
    size_t kept;
    const size_t length = read_word(&reader, i == 0, scan->before_length, word, &kept);
    if (length == 0) return damaged(start, "words: a word that cannot be decoded");
    const size_t shorter = std::min(length, scan->before_length);
    const auto common = static_cast<size_t>(std::mismatch(word, word + shorter, scan->before).first - word);
    if (i > 0 && kept != common) return damaged(start, "words: a prefix that is not the longest common one");
    const bool above = common == shorter ? length > scan->before_length : word[common] > scan->before[common];
    if (!above) return damaged(start, "words: a word that is not above the one before it");
    if (first_invalid_utf8(word, length) != length) return damaged(start, "words: a word that is not UTF-8");
    memcpy(scan->before, word, length);
    scan->before_length = length;
    scan->longest = std::max(scan->longest, length);
  }
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
