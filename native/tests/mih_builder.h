// Builds `mih` sections for tests: docs/bundle-format.md, written the straightforward way.
#ifndef HUSHBIT_TESTS_MIH_BUILDER_H_
#define HUSHBIT_TESTS_MIH_BUILDER_H_

#include <stdint.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "bundle_builder.h"

namespace hushbit::testing {

// Bits, the least significant of each byte first, and of each value too.
class LowBitsFirst {
 public:
  void write(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, ++size_) {
      if (size_ % 8 == 0) bytes_.push_back(0);
      if (value >> i & 1) bytes_.back() |= static_cast<uint8_t>(1u << (size_ % 8));
    }
  }
  Bytes aligned() const {
    Bytes bytes = bytes_;
    bytes.resize(align_up(bytes.size(), 8));
    return bytes;
  }

 private:
  Bytes bytes_;
  uint64_t size_ = 0;
};

inline void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

// Ascending numbers in Elias-Fano code.
inline Bytes build_elias_fano(const std::vector<uint32_t>& numbers) {
  const auto count = static_cast<uint32_t>(numbers.size());
  unsigned low_bits = 0;
  while (numbers.back() / count >> low_bits > 1) ++low_bits;
  LowBitsFirst samples, upper, lower;
  uint64_t place = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t wanted = uint64_t{numbers[i] >> low_bits} + i;
    for (; place < wanted; ++place) upper.write(0, 1);
    if (i % 128 == 0) samples.write(place, 32);
    upper.write(1, 1);
    ++place;
    lower.write(numbers[i] & ((1u << low_bits) - 1), low_bits);
  }
  Bytes out = samples.aligned();
  append(out, upper.aligned());
  append(out, lower.aligned());
  return out;
}

struct MihSpec {
  const Bytes& rows;
  uint32_t code_bytes;
  uint32_t substrings;
  uint32_t block_shift;
};

inline uint32_t plain_substring(const uint8_t* code, uint32_t first, uint32_t end) {
  uint32_t value = 0;
  for (uint32_t bit = first; bit < end; ++bit) value |= (code[bit / 8] >> (bit % 8) & 1u) << (bit - first);
  return value;
}

// As many substrings as make about one value a word.
inline uint32_t usual_substrings(uint32_t words, uint32_t bits) {
  const auto width = std::max(8u, static_cast<uint32_t>(std::bit_width(words)) - 1);
  return std::min((bits + width - 1) / width, 62u);
}

inline Bytes build_mih(const MihSpec& spec) {
  const auto words = static_cast<uint32_t>(spec.rows.size() / spec.code_bytes);
  const uint32_t bits = spec.code_bytes * 8;
  const auto block_bits = static_cast<unsigned>(std::bit_width((words - 1) >> spec.block_shift));
  Bytes counts, tables;
  for (uint32_t i = 0; i < spec.substrings; ++i) {
    const uint32_t first = i * bits / spec.substrings, end = (i + 1) * bits / spec.substrings;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t word = 0; word < words; ++word) {
      pairs.emplace_back(plain_substring(&spec.rows[size_t{word} * spec.code_bytes], first, end),
                         word >> spec.block_shift);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const uint32_t values = 1u << (end - first), group_values = std::min(values, 16u);
    std::vector<uint32_t> starts = {0};
    LowBitsFirst groups;
    auto at = pairs.begin();
    for (uint32_t group = 0; group < values; group += group_values) {
      const auto group_begin = at;
      for (uint32_t value = group; value < group + group_values; ++value) {
        for (; at != pairs.end() && at->first == value; ++at) groups.write(0, 1);
        groups.write(1, 1);
      }
      for (auto entry = group_begin; entry != at; ++entry) groups.write(entry->second, block_bits);
      starts.push_back(static_cast<uint32_t>(at - pairs.begin()));
    }
    put(counts, counts.size(), static_cast<uint32_t>(pairs.size()));
    append(tables, build_elias_fano(starts));
    append(tables, groups.aligned());
  }
  Bytes section(64);
  put(section, 0, words);
  put(section, 4, bits);
  put(section, 8, spec.substrings);
  put(section, 12, spec.block_shift);
  append(section, counts);
  section.resize(align_up(section.size(), 8));
  append(section, tables);
  section.resize(section.size() + 8);
  return section;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_MIH_BUILDER_H_
