// A bundle of which nothing may stay in memory after it was used, and what its users type. For wipe_test.cpp.
#ifndef HUSHBIT_TESTS_WIPE_SUBJECT_H_
#define HUSHBIT_TESTS_WIPE_SUBJECT_H_

#include <random>
#include <string>
#include <vector>

#include "api/handles.h"
#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "indexed_bundle.h"
#include "leftovers.h"

namespace hushbit::testing {

inline constexpr uint32_t kWords = 700;
inline constexpr uint8_t kKey[32] = {0x5A, 1, 0x5A, 2, 0x5A, 3};

// No two have eight letters in common.
inline std::string word_of(uint32_t i) {
  std::mt19937 random(i);
  std::string word;
  for (int j = 0; j < 16; ++j) word += static_cast<char>('a' + random() % 26);
  return word;
}

inline const std::string kUnknown = "Unfathomably-Odd", kUnknownForm = "unfathomably-odd";
inline const std::string kGreek =
    "\u03C8\u03B5\u03C5\u03B4\u03CE\u03BD\u03C5\u03BC\u03BF";  // typed as code points, too
// A run of a script without spaces.
inline const std::string kThai = "\u0E01\u0E34\u0E19\u0E02\u0E49\u0E32\u0E27\u0E1B\u0E25\u0E32";
inline const std::string kText =
    word_of(17) + " " + kUnknown + ", " + word_of(345) + " " + kGreek + kThai + " " + word_of(698);

inline Bytes bundle_bytes(Index index, uint32_t bits, bool crowds, bool embedding) {
  std::mt19937 random(bits);
  BundleSpec spec;
  spec.bits = bits;
  spec.unmeasured = true;
  for (uint32_t i = 0; i < kWords; ++i) {
    spec.words.push_back(word_of(i));
    Bytes code(bits / 8);
    for (uint8_t& byte : code) byte = static_cast<uint8_t>(random());
    spec.codes.push_back(code);
  }
  BundleSpec indexed = with_index(crowds ? with_example_crowds(spec) : spec, index);
  if (embedding) {
    indexed.minor = 2;
    indexed.more_sections.push_back({13, 1, embedding_section(bits, kWords)});
  }
  return build_bundle(indexed);
}

inline Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// A bundle, and what its users type.
class Subject {
 public:
  Subject(Index index, uint32_t bits, bool crowds = false, bool embedding = false)
      : bytes_(bundle_bytes(index, bits, crowds, embedding)), bundle_(open_any(bytes_.data(), bytes_.size())) {
    for (const uint32_t id : {17u, 345u, 698u}) {
      Bytes code(bits / 8);
      CHECK_EQ(hushbit_bundle_code(bundle(), id, code.data(), nullptr), HUSHBIT_OK);
      codes_.push_back(code);
      secrets_.push_back({"code", code});
      secrets_.push_back({"word", bytes_of(word_of(id))});
    }
    for (const std::string& typed : {kUnknown, kUnknownForm, kGreek, kThai})
      secrets_.push_back({"unknown", bytes_of(typed)});
    Bytes code_points;
    for (const char32_t c : U"\u03C8\u03B5\u03C5\u03B4") put(&code_points, c, 4);
    secrets_.push_back({"code points", code_points});
    secrets_.push_back({"device key", Bytes(kKey, kKey + 8)});
  }

  const hushbit_bundle* bundle() const { return bundle_.get(); }
  Bytes& bytes() { return bytes_; }
  const Bytes& code(size_t i) const { return codes_[i]; }
  const std::vector<Secret>& secrets() const { return secrets_; }
  void use(const hushbit::Kernels* kernels) {
    const_cast<hushbit::Codes&>(bundle()->bundle.codes()).tiled.kernels = kernels;  // no bundle is created const
  }

 private:
  Bytes bytes_;
  Handle<hushbit_bundle> bundle_;
  std::vector<Bytes> codes_;
  std::vector<Secret> secrets_;
};

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_WIPE_SUBJECT_H_
