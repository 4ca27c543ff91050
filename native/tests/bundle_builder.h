// Builds small bundles in memory for tests: docs/bundle-format.md, written the straightforward way.
//
//   hushbit::testing::BundleSpec spec;
//   spec.words = {"cat", "dog"};
//   const auto bytes = hushbit::testing::build_bundle(spec);  // suits hushbit_bundle_open_memory
//
// Tests of damage change the bytes, then call `reseal` so that hashes and CRCs fit again.
#ifndef HUSHBIT_TESTS_BUNDLE_BUILDER_H_
#define HUSHBIT_TESTS_BUNDLE_BUILDER_H_

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "base/crc32.h"
#include "base/sha256.h"

namespace hushbit::testing {

using Bytes = std::vector<uint8_t>;
using CodeLengths = std::array<uint8_t, 256>;

// Every symbol takes 8 bits: a complete code that needs no statistics.
inline CodeLengths fixed_code_lengths() {
  CodeLengths lengths;
  lengths.fill(8);
  return lengths;
}

struct Section {
  uint32_t type;
  uint32_t flags;
  Bytes bytes;
};

struct BundleSpec {
  std::vector<std::string> words;  // build_bundle sorts them, and the codes with them
  std::vector<Bytes> codes;        // bits / 8 bytes each; if empty, `example_code` makes them
  uint32_t bits = 64;
  uint32_t block_words = 16;
  double epsilon = 1.0;
  uint32_t minor = 0;
  uint32_t mechanism = 1;
  uint32_t crowd = 0;
  std::vector<uint32_t> outputs;  // ids of the output words, in the order of the sorted words; if empty, all are
  uint32_t unicode_version = 0;
  std::string meta = "{}";
  bool unmeasured = false;  // leave P_avg and P_max at 0: for many words
  uint32_t mih_flips = 0;
  Bytes words_section;                 // if not empty, in place of the one made of `words`
  Bytes codes_section;                 // if not empty, in place of rows
  std::vector<Section> more_sections;  // after the three that every bundle has
};

template <typename T>
void put(Bytes& out, size_t offset, T value) {
  if (out.size() < offset + sizeof(T)) out.resize(offset + sizeof(T));
  if constexpr (sizeof(T) == 8) {
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    for (size_t i = 0; i < 8; ++i) out[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  } else {
    for (size_t i = 0; i < sizeof(T); ++i) out[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

template <typename T>
T get(const Bytes& in, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= uint64_t{in[offset + i]} << (8 * i);
  return static_cast<T>(value);
}

inline size_t align_up(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

// A code that depends on the word alone: the front of its SHA-256, taken twice over for the longest codes.
inline Bytes example_code(const std::string& word, uint32_t bits) {
  Bytes code(64);
  Sha256 hash;
  hash.update(word.data(), word.size());
  hash.finish(code.data());
  Sha256 again;
  again.update(code.data(), 32);
  again.finish(code.data() + 32);
  code.resize(bits / 8);
  return code;
}

// Bits, the most significant of each byte first.
class BitWriter {
 public:
  void write(uint32_t value, unsigned width) {
    for (unsigned i = width; i-- > 0; ++size_) {
      if (size_ % 8 == 0) bytes_.push_back(0);
      if (value >> i & 1) bytes_.back() |= static_cast<uint8_t>(0x80u >> (size_ % 8));
    }
  }
  uint64_t size() const { return size_; }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  uint64_t size_ = 0;
};

// Canonical code values of the lengths.
inline std::array<uint32_t, 256> canonical_codes(const CodeLengths& lengths) {
  std::array<uint32_t, 256> codes = {};
  uint32_t next = 0;
  for (unsigned length = 1; length <= 12; ++length) {
    next <<= 1;
    for (size_t symbol = 0; symbol < 256; ++symbol) {
      if (lengths[symbol] == length) codes[symbol] = next++;
    }
  }
  return codes;
}

// A word as the payload holds it: what it keeps of the word before, the step from that word's next byte if it has one,
// and the rest.
struct CodedWord {
  uint8_t kept;
  std::optional<uint8_t> step;
  std::string rest;
};

inline std::vector<CodedWord> front_code(const std::vector<std::string>& words, uint32_t block_words) {
  std::vector<CodedWord> coded;
  for (size_t id = 0; id < words.size(); ++id) {
    const std::string before = id % block_words == 0 ? "" : words[id - 1];
    size_t kept = 0;
    while (kept < words[id].size() && kept < before.size() && words[id][kept] == before[kept]) ++kept;
    CodedWord word = {static_cast<uint8_t>(kept), {}, words[id].substr(kept)};
    if (kept < before.size()) {
      word.step = static_cast<uint8_t>(word.rest[0] - before[kept]);
      word.rest.erase(0, 1);
    }
    coded.push_back(word);
  }
  return coded;
}

struct WordsSpec {
  std::vector<CodedWord> words;
  uint32_t block_words;
  uint32_t longest;
  CodeLengths suffix_lengths = fixed_code_lengths();
  CodeLengths prefix_lengths = fixed_code_lengths();
  CodeLengths step_lengths = fixed_code_lengths();
};

// The `words` section, whether or not the words are sorted and well coded.
inline Bytes build_words_section(const WordsSpec& spec) {
  const auto suffix_codes = canonical_codes(spec.suffix_lengths), prefix_codes = canonical_codes(spec.prefix_lengths);
  const auto step_codes = canonical_codes(spec.step_lengths);
  BitWriter payload;
  Bytes starts;
  for (size_t id = 0; id < spec.words.size(); ++id) {
    const auto& [kept, step, rest] = spec.words[id];
    if (id % spec.block_words == 0) {
      put(starts, starts.size(), static_cast<uint32_t>(payload.size()));
    } else {
      payload.write(prefix_codes[kept], spec.prefix_lengths[kept]);
    }
    if (step) payload.write(step_codes[*step], spec.step_lengths[*step]);
    for (const char byte : rest + '\0') {
      const auto symbol = static_cast<uint8_t>(byte);
      payload.write(suffix_codes[symbol], spec.suffix_lengths[symbol]);
    }
  }
  put(starts, starts.size(), static_cast<uint32_t>(payload.size()));

  Bytes section(448);
  put(section, 0, static_cast<uint32_t>(spec.words.size()));
  put(section, 4, spec.block_words);
  put(section, 8, spec.longest);
  put(section, 16, payload.size());
  for (size_t s = 0; s < 256; ++s) {
    section[64 + s / 2] |= static_cast<uint8_t>(spec.suffix_lengths[s] << (s % 2 * 4));
    section[192 + s / 2] |= static_cast<uint8_t>(spec.prefix_lengths[s] << (s % 2 * 4));
    section[320 + s / 2] |= static_cast<uint8_t>(spec.step_lengths[s] << (s % 2 * 4));
  }
  section.insert(section.end(), starts.begin(), starts.end());
  section.resize(align_up(section.size(), 8));
  section.insert(section.end(), payload.bytes().begin(), payload.bytes().end());
  section.resize(section.size() + 8);
  return section;
}

// The same of sorted words.
inline WordsSpec words_spec(const std::vector<std::string>& words, uint32_t block_words) {
  size_t longest = 0;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  return {front_code(words, block_words), block_words, static_cast<uint32_t>(longest)};
}

// Makes the CRCs fit the bytes again, and the section hashes where the table points inside the file.
inline void reseal(Bytes& bundle) {
  if (bundle.size() < 128) return;
  const uint64_t table_end = 128 + uint64_t{64} * get<uint32_t>(bundle, 28);
  if (table_end <= bundle.size()) {
    for (size_t entry = 128; entry < table_end; entry += 64) {
      const auto offset = get<uint64_t>(bundle, entry + 8), length = get<uint64_t>(bundle, entry + 16);
      if (offset < table_end || offset > bundle.size() || length > bundle.size() - offset) continue;
      Sha256 hash;
      hash.update(bundle.data() + offset, static_cast<size_t>(length));
      hash.finish(bundle.data() + entry + 32);
    }
    put(bundle, 120, crc32(bundle.data() + 128, static_cast<size_t>(table_end - 128)));
  }
  put(bundle, 124, crc32(bundle.data(), 124));
}

// The header's P_avg and P_max, over all ordered pairs.
inline void measure_distances(const std::vector<Bytes>& codes, double* average, uint32_t* max) {
  uint64_t sum = 0;
  *max = 0;
  for (const Bytes& a : codes) {
    for (const Bytes& b : codes) {
      uint32_t distance = 0;
      for (size_t i = 0; i < a.size(); ++i) distance += static_cast<uint32_t>(std::popcount(uint8_t(a[i] ^ b[i])));
      sum += distance;
      *max = std::max(*max, distance);
    }
  }
  *average = static_cast<double>(sum) / static_cast<double>(codes.size() * codes.size());
}

// Words in byte order, and the codes with them.
inline void sort_words(BundleSpec& spec) {
  std::vector<size_t> order(spec.words.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return spec.words[a] < spec.words[b]; });
  std::vector<std::string> words;
  std::vector<Bytes> codes;
  for (const size_t i : order) {
    words.push_back(spec.words[i]);
    codes.push_back(spec.codes.empty() ? example_code(spec.words[i], spec.bits) : spec.codes[i]);
  }
  spec.words = words;
  spec.codes = codes;
}

// The codes of sorted words that the bundle holds, those of its output words.
inline std::vector<Bytes> output_codes(const BundleSpec& spec) {
  if (spec.outputs.empty()) return spec.codes;
  std::vector<Bytes> codes;
  for (const uint32_t id : spec.outputs) codes.push_back(spec.codes[id]);
  return codes;
}

inline Bytes build_bundle(BundleSpec spec) {
  sort_words(spec);
  Bytes codes;
  for (const Bytes& code : output_codes(spec)) codes.insert(codes.end(), code.begin(), code.end());
  std::vector<Section> sections = {
      {1, 1, Bytes(spec.meta.begin(), spec.meta.end())},
      {2, 1,
       spec.words_section.empty() ? build_words_section(words_spec(spec.words, spec.block_words)) : spec.words_section},
      {3, 1, spec.codes_section.empty() ? codes : spec.codes_section}};
  sections.insert(sections.end(), spec.more_sections.begin(), spec.more_sections.end());

  double average = 0;
  uint32_t max = 0;
  if (!spec.unmeasured) measure_distances(output_codes(spec), &average, &max);
  Bytes out = {0x89, 'H', 'S', 'B', '\r', '\n', 0x1A, '\n'};
  put(out, 8, uint32_t{0x01020304});
  put(out, 12, uint16_t{1});
  put(out, 14, static_cast<uint16_t>(spec.minor));
  put(out, 16, spec.bits);
  put(out, 20, static_cast<uint32_t>(spec.words.size()));
  put(out, 28, static_cast<uint32_t>(sections.size()));
  put(out, 40, spec.epsilon);
  put(out, 48, average);
  put(out, 56, max);
  put(out, 60, spec.mechanism);
  put(out, 64, spec.unicode_version);
  put(out, 68, spec.mih_flips);
  put(out, 88, spec.crowd);
  out.resize(128 + 64 * sections.size());
  for (size_t i = 0; i < sections.size(); ++i) {
    out.resize(align_up(out.size(), 64));
    put(out, 128 + 64 * i, sections[i].type);
    put(out, 128 + 64 * i + 4, sections[i].flags);
    put(out, 128 + 64 * i + 8, uint64_t{out.size()});
    put(out, 128 + 64 * i + 16, uint64_t{sections[i].bytes.size()});
    out.insert(out.end(), sections[i].bytes.begin(), sections[i].bytes.end());
  }
  put(out, 32, uint64_t{out.size()});
  reseal(out);
  return out;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_BUNDLE_BUILDER_H_
