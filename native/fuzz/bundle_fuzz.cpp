// Anything as a bundle: opened, verified and used in every way. Nothing may read astray, and what must hold even for a
// hostile bundle must hold.
#include <algorithm>
#include <string>

#include "../tests/exercise.h"
#include "../tests/indexed_bundle.h"

using namespace hushbit::testing;

namespace {

const std::string kText =
    "The cats aren't dogs, \xE2\x80\x98"
    "caf\xC3\xA9\xE2\x80\x99 123 \xF0\x9F\x98\x80.";

// With the size and every hash and CRC made to fit: no chance mutation would get past them.
void exercise_resealed(Bytes bytes) {
  if (bytes.size() < 128) return;
  put(bytes, 32, uint64_t{bytes.size()});
  reseal(bytes);
  exercise_bundle(bytes.data(), bytes.size(), kText);
}

// As the words of an otherwise good bundle, which takes mutations straight to the decoders.
void exercise_as_words(const Bytes& section) {
  if (section.size() < 448) return;
  BundleSpec spec;
  const uint32_t words = std::clamp(get<uint32_t>(section, 0), 1u, 200u);
  for (uint32_t id = 0; id < words; ++id) spec.words.push_back(std::to_string(id));
  spec.words_section = section;
  const Bytes bytes = build_bundle(spec);
  exercise_bundle(bytes.data(), bytes.size(), kText);
}

// As clusters, order and hash of an otherwise good bundle, as the sections of crowds, one after another, and as that of
// embeddings.
void exercise_as_section(const BundleSpec& good, const Bytes& section) {
  if (section.empty()) return;
  for (size_t i = 0; i < good.more_sections.size(); ++i) {
    BundleSpec spec = good;
    spec.more_sections[i].bytes = section;
    const Bytes bytes = build_bundle(spec);
    exercise_bundle(bytes.data(), bytes.size(), kText);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(data, data + size);
  exercise_bundle(bytes.data(), bytes.size(), kText);
  const bool has_magic = size >= 4 && memcmp(data + 1, "HSB", 3) == 0;
  if (has_magic) {
    exercise_resealed(bytes);
  } else {
    exercise_as_words(bytes);
    static const BundleSpec indexed = indexed_example(), crowded = crowded_example(), embedded = embedded_example();
    exercise_as_section(indexed, bytes);
    exercise_as_section(crowded, bytes);
    exercise_as_section(embedded, bytes);
  }
  return 0;
}
