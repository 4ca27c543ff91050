// Bundles in every layout, for tests.
#ifndef HUSHBIT_TESTS_INDEXED_BUNDLE_H_
#define HUSHBIT_TESTS_INDEXED_BUNDLE_H_

#include <random>
#include <vector>

#include "bundle_builder.h"
#include "crowds_builder.h"
#include "mih_builder.h"
#include "tiled_codes.h"

namespace hushbit::testing {

struct Index {
  bool clusters, mih;
};

inline constexpr Index kIndexes[] = {{false, false}, {false, true}, {true, false}, {true, true}};

// The bundle of `spec` with its codes laid out, and with a hash for any noise.
inline BundleSpec with_index(BundleSpec spec, Index index) {
  sort_words(spec);
  const std::vector<Bytes> codes = output_codes(spec);
  Bytes rows;
  for (const Bytes& code : codes) append(rows, code);
  const uint32_t code_bytes = spec.bits / 8, words = static_cast<uint32_t>(codes.size());
  Bytes laid_out = rows;  // in the order of positions
  if (index.clusters) {
    const Layout layout(rows, code_bytes, std::vector<uint32_t>((words + kTileWords - 1) / kTileWords, 1), 1);
    spec.codes_section = layout.sections().codes;
    spec.more_sections.push_back({4, 1, layout.sections().clusters});
    spec.more_sections.push_back({5, 1, layout.sections().order});
    laid_out.clear();
    for (const uint32_t id : layout.ids()) append(laid_out, codes[id]);
  }
  if (index.mih) {
    const uint32_t block_shift = index.clusters ? 6 : 0;
    spec.more_sections.push_back(
        {6, 0, build_mih({laid_out, code_bytes, usual_substrings(words, spec.bits), block_shift})});
    spec.mih_flips = spec.bits * 256;
  }
  return spec;
}

// Codes in three crowds: the `i`-th is near every third.
inline Bytes crowded_code(uint32_t i, uint32_t bits, std::mt19937& random) {
  Bytes code(bits / 8, static_cast<uint8_t>(i % 3 * 0x37));
  for (uint8_t& byte : code) byte = static_cast<uint8_t>(byte ^ (random() & random() & random()));
  return code;
}

// A small bundle with all that an index can have: its sections one by one are what fuzzers begin with.
inline BundleSpec indexed_example() {
  BundleSpec spec;
  spec.words = {"a", "cat", "cats", "dog", "dogma", "n't", "the"};
  return with_index(spec, {.clusters = true, .mih = true});
}

// The same of what crowds are made of.
inline BundleSpec crowded_example() {
  BundleSpec spec;
  spec.words = {"a", "cat", "cats", "dog", "dogma", "n't", "the", "they", "to"};
  return with_example_crowds(spec);
}

// The same of what embeddings are made of, as the last section.
inline BundleSpec embedded_example() {
  BundleSpec spec;
  spec.words = {"a", "cat", "cats", "dog", "dogma", "n't", "the", "they", "to"};
  spec.minor = 2;
  spec.more_sections.push_back({13, 1, embedding_section(spec.bits, static_cast<uint32_t>(spec.words.size()))});
  return spec;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_INDEXED_BUNDLE_H_
