// The bundle that texts are fuzzed with: small, with words that meet every rule of the tokenizer.
#ifndef HUSHBIT_FUZZ_FIXED_BUNDLE_H_
#define HUSHBIT_FUZZ_FIXED_BUNDLE_H_

#include "../tests/bundle_builder.h"
#include "../tests/crowds_builder.h"
#include "../tests/exercise.h"

namespace hushbit::testing {

inline const hushbit_bundle* fixed_bundle() {
  static const Bytes bytes = [] {
    BundleSpec spec;
    spec.words = {"a",
                  "b",
                  "ab",
                  "abc",
                  "do",
                  "ca",
                  "wo",
                  "is",
                  "it",
                  "n't",
                  "'s",
                  "'re",
                  "'ll",
                  "'d",
                  "'m",
                  "'",
                  "o'brien",
                  "well-known",
                  "-",
                  "--",
                  ".",
                  "...",
                  ",",
                  "(",
                  ")",
                  "1",
                  "12",
                  "3.14",
                  "u.s.",
                  "caf\xC3\xA9",
                  "\xC3\xA5",
                  "\xEA\xB0\x80",
                  "\xF0\x9F\x98\x80",
                  "\xC2\xA0",
                  ". . .",
                  "don't-ask",
                  "i\xCC\x87",
                  "\xE4\xBD\xA0\xE5\xA5\xBD",
                  "\xE5\xA5\xBD",
                  "t\xE6\x81\xA4",
                  "\xE0\xB8\x81\xE0\xB8\xB4\xE0\xB8\x99",
                  "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE",
                  "\xE2\x80\xAE",
                  "1234",
                  "fine"};
    spec.block_words = 8;
    return build_bundle(with_example_crowds(spec));
  }();
  static const Handle<hushbit_bundle> bundle = open_any(bytes.data(), bytes.size());
  return bundle.get();
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_FUZZ_FIXED_BUNDLE_H_
