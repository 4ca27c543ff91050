#include "text/unicode.h"

#include <algorithm>
#include <iterator>

namespace hushbit {
namespace {

struct Record {
  int32_t lower_delta;
  uint8_t char_class;
  uint8_t combining_class;
  uint8_t traits;
  uint8_t decomposes;
};

struct Ligature {
  uint16_t code_point;
  char letters[kMaxLigature + 1];
};
constexpr Ligature kLigatures[] = {{0x132, "IJ"},   {0x133, "ij"},   {0xFB00, "ff"}, {0xFB01, "fi"}, {0xFB02, "fl"},
                                   {0xFB03, "ffi"}, {0xFB04, "ffl"}, {0xFB05, "st"}, {0xFB06, "st"}};

// Tables are as small as they can be without being slow: they are a tenth of what a phone downloads.
struct DecompositionRun {
  uint32_t code_point : 20;
  uint32_t place : 12;
};
struct DecompositionTail {
  uint32_t second : 21;
  uint32_t first_high : 5;
};

#include "text/unicode_tables.inc"

// Hangul syllables by rule: the Unicode Standard, section 3.12.
constexpr uint32_t kSyllableBase = 0xAC00;
constexpr uint32_t kLeadingBase = 0x1100, kLeadings = 19;
constexpr uint32_t kVowelBase = 0x1161, kVowels = 21;
constexpr uint32_t kFinalBase = 0x11A7, kFinals = 28;  // the first stands for no final consonant
constexpr uint32_t kSyllables = kLeadings * kVowels * kFinals;

const Record& record(uint32_t code_point) {
  if (code_point >= kCovered) return kRecords[kUnassigned];
  const uint32_t middle = kTop[code_point >> (kLeafShift + kMiddleShift)];
  const uint32_t leaf = kMiddle[middle << kMiddleShift | (code_point >> kLeafShift & ((1u << kMiddleShift) - 1))];
  return kRecords[kLeaves[leaf << kLeafShift | (code_point & ((1u << kLeafShift) - 1))]];
}

size_t decompose_syllable(uint32_t syllable, uint32_t* out) {
  const uint32_t index = syllable - kSyllableBase;
  out[0] = kLeadingBase + index / (kVowels * kFinals);
  out[1] = kVowelBase + index / kFinals % kVowels;
  if (index % kFinals == 0) return 2;
  out[2] = kFinalBase + index % kFinals;
  return 3;
}

// 0 unless the two make up a Hangul syllable.
uint32_t compose_syllable(uint32_t first, uint32_t second) {
  const uint32_t leading = first - kLeadingBase, vowel = second - kVowelBase;
  if (leading < kLeadings && vowel < kVowels) return kSyllableBase + (leading * kVowels + vowel) * kFinals;
  const uint32_t syllable = first - kSyllableBase, final = second - kFinalBase;
  if (syllable < kSyllables && syllable % kFinals == 0 && final > 0 && final < kFinals) return first + final;
  return 0;
}

// One level of a canonical decomposition; `second` is 0 if there is none.
struct Decomposition {
  uint32_t first;
  uint32_t second;
};

Decomposition decomposition_at(uint32_t place) {
  const DecompositionTail& tail = kTails[kRests[place]];
  return {static_cast<uint32_t>(tail.first_high) << 16 | kFirsts[place], tail.second};
}

// The code point decomposes and is no Hangul syllable.
Decomposition find_decomposition(uint32_t code_point) {
  const auto after = [](uint32_t wanted, const DecompositionRun& run) { return wanted < run.code_point; };
  const DecompositionRun& run = *(std::upper_bound(std::begin(kRuns), std::end(kRuns), code_point, after) - 1);
  return decomposition_at(run.place + (code_point - run.code_point));
}

// The code point whose decomposition is at a place.
uint32_t decomposed_at(uint32_t place) {
  const auto after = [](uint32_t wanted, const DecompositionRun& run) { return wanted < run.place; };
  const DecompositionRun& run = *(std::upper_bound(std::begin(kRuns), std::end(kRuns), place, after) - 1);
  return run.code_point + (place - run.place);
}

// Decomposes in place, from the end on so that nothing is overwritten unread. Returns the new size, 0 if too large.
size_t decompose_all(uint32_t* code_points, size_t size, size_t capacity) {
  uint32_t parts[kMaxDecomposition];
  size_t total = 0;
  for (size_t i = 0; i < size; ++i) total += decompose(code_points[i], parts);
  if (total > capacity) return 0;
  size_t end = total;
  for (size_t i = size; i-- > 0;) {
    const size_t count = decompose(code_points[i], parts);
    end -= count;
    std::copy(parts, parts + count, code_points + end);
  }
  return total;
}

// Canonical ordering: a stable sort of every run of code points with a combining class other than 0.
void reorder(uint32_t* code_points, size_t size) {
  for (size_t i = 1; i < size; ++i) {
    const uint32_t moved = code_points[i];
    const uint8_t moved_class = record(moved).combining_class;
    size_t to = i;
    if (moved_class != 0) {
      for (; to > 0 && record(code_points[to - 1]).combining_class > moved_class; --to) {
        code_points[to] = code_points[to - 1];
      }
    }
    code_points[to] = moved;
  }
}

// The canonical composition algorithm (the Unicode Standard, D117), in place. Returns the new size.
size_t compose_all(uint32_t* code_points, size_t size) {
  size_t kept = 0;
  uint32_t* starter = nullptr;
  uint8_t last_class = 0;  // of the code point kept last: 0 only if that is the starter
  for (size_t i = 0; i < size; ++i) {
    const uint32_t next = code_points[i];
    const uint8_t next_class = record(next).combining_class;
    const bool blocked = starter == nullptr || (last_class != 0 && last_class >= next_class);
    if (const uint32_t composite = blocked ? 0 : compose(*starter, next)) {
      *starter = composite;
      continue;
    }
    code_points[kept] = next;
    if (next_class == 0) starter = code_points + kept;
    last_class = next_class;
    ++kept;
  }
  return kept;
}

}  // namespace

uint32_t unicode_version() { return kUnicodeVersion; }

CodePointInfo code_point_info(uint32_t code_point) {
  const Record& found = record(code_point);
  return {static_cast<CharClass>(found.char_class), found.combining_class, found.traits};
}

uint32_t simple_lower(uint32_t code_point) {
  return code_point + static_cast<uint32_t>(record(code_point).lower_delta);
}

size_t ligature_letters(uint32_t code_point, uint32_t* out) {
  for (const Ligature& ligature : kLigatures) {
    if (ligature.code_point != code_point) continue;
    size_t count = 0;
    for (; ligature.letters[count] != 0; ++count) out[count] = static_cast<uint8_t>(ligature.letters[count]);
    return count;
  }
  return 0;
}

size_t decompose(uint32_t code_point, uint32_t* out) {
  if (!record(code_point).decomposes) {
    out[0] = code_point;
    return 1;
  }
  if (code_point - kSyllableBase < kSyllables) return decompose_syllable(code_point, out);
  // Only the first part decomposes further. Collect the seconds from the back, then put them in order.
  uint32_t seconds[kMaxDecomposition];
  size_t count = 0;
  uint32_t first = code_point;
  while (record(first).decomposes) {
    const Decomposition entry = find_decomposition(first);
    first = entry.first;
    if (entry.second != 0) seconds[count++] = entry.second;
  }
  out[0] = first;
  std::reverse_copy(seconds, seconds + count, out + 1);
  return count + 1;
}

uint32_t compose(uint32_t first, uint32_t second) {
  if (const uint32_t syllable = compose_syllable(first, second)) return syllable;
  const auto pair_at = [](uint32_t place) {
    const Decomposition parts = decomposition_at(place);
    return static_cast<uint64_t>(parts.first) << 32 | parts.second;
  };
  const uint64_t pair = static_cast<uint64_t>(first) << 32 | second;
  const uint16_t* found = std::lower_bound(std::begin(kCompositions), std::end(kCompositions), pair,
                                           [&](uint16_t place, uint64_t wanted) { return pair_at(place) < wanted; });
  if (found == std::end(kCompositions) || pair_at(*found) != pair) return 0;
  return decomposed_at(*found);
}

size_t normalize_nfc(uint32_t* code_points, size_t size, size_t capacity) {
  const size_t decomposed = decompose_all(code_points, size, capacity);
  reorder(code_points, decomposed);
  return compose_all(code_points, decomposed);
}

}  // namespace hushbit
