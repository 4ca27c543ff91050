// What `open` reads of a bundle and what it refuses: one wrong field at a time, hashes and CRCs made to fit again.
#include "bundle/bundle.h"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bundle_builder.h"
#include "check.h"

using namespace hushbit;
using namespace hushbit::testing;

namespace {

BundleSpec example() {
  BundleSpec spec;
  for (int i = 0; i < 40; ++i) spec.words.push_back("word" + std::to_string(i));
  spec.bits = 128;
  spec.block_words = 8;
  spec.epsilon = 2.5;
  spec.unicode_version = 15u << 16 | 1 << 8;
  spec.meta = R"({"tool":"test"})";
  return spec;
}

struct Opened {
  explicit Opened(const Bytes& bytes) : data(bytes.begin(), bytes.end()) {
    status = bundle.open({.bytes = data}, &error);
  }
  Bytes data;  // of exactly the bundle's size, so that a sanitizer sees any read beyond it
  Bundle bundle;
  hushbit_error error = {};
  hushbit_status status;
};

void test_views() {
  BundleSpec spec = example();
  const Bytes bytes = build_bundle(spec);
  sort_words(spec);
  auto opened = std::make_unique<Opened>(bytes);
  const Bundle& bundle = opened->bundle;
  CHECK_EQ(opened->status, HUSHBIT_OK);
  CHECK_EQ(bundle.verify(&opened->error), HUSHBIT_OK);
  const hushbit_bundle_info& info = bundle.info();
  CHECK_EQ(info.format_major, 1u);
  CHECK_EQ(info.format_minor, 0u);
  CHECK_EQ(info.bits, 128u);
  CHECK_EQ(info.words, 40u);
  CHECK_EQ(info.max_word_bytes, 6u);
  CHECK_EQ(info.default_epsilon, 2.5);
  CHECK_EQ(info.default_mechanism, uint32_t{HUSHBIT_BRR});
  CHECK_EQ(info.unicode_version, 0x0F0100u);
  CHECK_EQ(info.file_bytes, bytes.size());
  double average;
  uint32_t max;
  measure_distances(spec.codes, &average, &max);
  CHECK_EQ(info.average_distance, average);
  CHECK_EQ(info.max_distance, max);
  Sha256 hash;
  hash.update(bytes.data(), 128 + 3 * 64);
  uint8_t digest[32];
  hash.finish(digest);
  CHECK(memcmp(digest, info.hash, 32) == 0);
  CHECK(std::string(bundle.meta().begin(), bundle.meta().end()) == spec.meta);
  CHECK_EQ(bundle.codes().count, 40u);
  CHECK_EQ(bundle.codes().code_bytes, 16u);
  for (uint32_t id = 0; id < 40; ++id) {
    uint8_t code[16];
    CHECK(bundle.codes().copy(id, code) && memcmp(code, spec.codes[id].data(), 16) == 0);
  }
}

void test_sections() {
  auto opened = std::make_unique<Opened>(build_bundle(example()));
  const char* names[] = {"meta", "words", "codes"};
  CHECK_EQ(opened->bundle.section_count(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    const hushbit_section_info section = opened->bundle.section(i);
    CHECK(std::string(section.name) == names[i]);
    CHECK_EQ(section.type, i + 1);
    CHECK_EQ(section.offset % 64, 0u);
    Sha256 hash;
    hash.update(opened->data.data() + section.offset, section.length);
    uint8_t digest[32];
    hash.finish(digest);
    CHECK(memcmp(digest, section.sha256, 32) == 0);
  }
}

void test_unknown_sections() {
  BundleSpec spec = example();
  spec.more_sections = {{77, 0, {1, 2, 3}}, {0xFFFFFFFF, 0, {4}}};
  auto skipped = std::make_unique<Opened>(build_bundle(spec));
  CHECK_EQ(skipped->status, HUSHBIT_OK);
  CHECK_EQ(skipped->bundle.verify(nullptr), HUSHBIT_OK);
  CHECK(std::string(skipped->bundle.section(4).name) == "unknown");
  spec.more_sections[1].flags = 1;
  auto refused = std::make_unique<Opened>(build_bundle(spec));
  CHECK_EQ(refused->status, HUSHBIT_UNSUPPORTED_BUNDLE);
  CHECK_EQ(refused->error.position, 128u + 4 * 64);
}

// Sixty-four sections are the most.
void test_section_count() {
  BundleSpec spec = example();
  for (uint32_t type = 104; type <= 164; ++type) spec.more_sections.push_back({type, 0, {1}});
  CHECK_EQ(std::make_unique<Opened>(build_bundle(spec))->status, HUSHBIT_OK);
  spec.more_sections.push_back({165, 0, {1}});
  CHECK_EQ(std::make_unique<Opened>(build_bundle(spec))->status, HUSHBIT_CORRUPT_BUNDLE);
}

struct Damage {
  const char* what;
  hushbit_status status;
  uint64_t position;
  std::function<void(Bytes&)> apply;
};

constexpr uint64_t kTable = 128, kEntry = 64, kWordsEntry = kTable + kEntry, kCodesEntry = kTable + 2 * kEntry;

std::vector<Damage> header_damages(uint64_t size) {
  const auto corrupt = HUSHBIT_CORRUPT_BUNDLE, unsupported = HUSHBIT_UNSUPPORTED_BUNDLE;
  const auto set = [](size_t at, auto value) { return [=](Bytes& b) { put(b, at, value); }; };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  return {
      {"magic", corrupt, 0, set(4, uint8_t{'\n'})},
      {"endian tag", corrupt, 8, set(8, 0x01020305u)},
      {"byte order", unsupported, 8, set(8, 0x04030201u)},
      {"major", unsupported, 12, set(12, uint16_t{2})},
      {"no major", unsupported, 12, set(12, uint16_t{0})},
      {"bits", corrupt, 16, set(16, 192u)},
      {"no bits", corrupt, 16, set(16, 0u)},
      {"no words", corrupt, 20, set(20, 0u)},
      {"many words", corrupt, 20, set(20, (1u << 24) + 1)},
      {"flags", unsupported, 24, set(24, 2u)},
      {"two sections", corrupt, 28, set(28, 2u)},
      {"many sections", corrupt, 28, set(28, 65u)},
      {"all sections", corrupt, 28, set(28, 0xFFFFFFFFu)},
      {"larger", corrupt, size, set(32, uint64_t{size + 1})},
      {"smaller", corrupt, size - 1, set(32, uint64_t{size - 1})},
      {"huge", corrupt, size, set(32, ~uint64_t{0})},
      {"negative epsilon", corrupt, 40, set(40, -0.5)},
      {"infinite epsilon", corrupt, 40, set(40, infinity)},
      {"epsilon not a number", corrupt, 40, set(40, nan)},
      {"average above bits", corrupt, 48, set(48, 128.5)},
      {"negative average", corrupt, 48, set(48, -1.0)},
      {"average not a number", corrupt, 48, set(48, nan)},
      {"maximum above bits", corrupt, 56, set(56, 129u)},
      {"mechanism", unsupported, 60, set(60, 9u)},
      {"flips for a hash that is not there", corrupt, 68, set(68, 1u)},
      {"flips above bits", corrupt, 68, set(68, 128u * 256 + 1)},
      {"first reserved byte", corrupt, 72, set(72, uint8_t{1})},
      {"last reserved byte", corrupt, 119, set(119, uint8_t{1})},
  };
}

std::vector<Damage> table_damages() {
  const auto corrupt = HUSHBIT_CORRUPT_BUNDLE;
  const auto set = [](size_t at, auto value) { return [=](Bytes& b) { put(b, at, value); }; };
  const auto add = [](size_t at, uint64_t value) {
    return [=](Bytes& b) { put(b, at, get<uint64_t>(b, at) + value); };
  };
  return {
      {"no meta", corrupt, kTable, set(kTable, 99u)},  // required and unknown: the type comes first
      {"type twice", corrupt, kWordsEntry, set(kWordsEntry, 1u)},
      {"entry flags", corrupt, kTable + 4, set(kTable + 4, 3u)},
      {"entry reserved", corrupt, kTable + 24, set(kTable + 24, uint64_t{1} << 63)},
      {"offset unaligned", corrupt, kTable + 8, add(kTable + 8, 1)},
      {"offset later", corrupt, kTable + 8, add(kTable + 8, 64)},
      {"offset in the header", corrupt, kTable + 8, set(kTable + 8, uint64_t{0})},
      {"empty section", corrupt, kTable + 16, set(kTable + 16, uint64_t{0})},
      {"section over the next", corrupt, kWordsEntry + 8, add(kTable + 16, 64)},
      {"section beyond the end", corrupt, kCodesEntry + 16, add(kCodesEntry + 16, 1)},
      {"length that wraps around", corrupt, kCodesEntry + 16, set(kCodesEntry + 16, ~uint64_t{0})},
      {"length that wraps to the start", corrupt, kTable + 16, set(kTable + 16, ~uint64_t{0} - 300)},
  };
}

void check_damages(const std::vector<Damage>& damages) {
  for (const Damage& damage : damages) {
    Bytes bytes = build_bundle(example());
    damage.apply(bytes);
    reseal(bytes);
    auto opened = std::make_unique<Opened>(bytes);
    const hushbit_error& error = opened->error;
    const bool unknown_type = std::string(damage.what) == "no meta";
    CHECK_EQ(opened->status, unknown_type ? HUSHBIT_UNSUPPORTED_BUNDLE : damage.status);
    CHECK_EQ(error.status, opened->status);
    CHECK_EQ(error.position, damage.position);
    const std::string message = error.message;
    CHECK(!message.empty() && message.size() < sizeof(error.message) - 1 && message.find('\n') == std::string::npos);
    if (error.status != opened->status || error.position != damage.position) {
      std::cerr << "  " << damage.what << ": " << message << '\n';
    }
  }
}

void test_missing_section() {
  for (size_t entry = 0; entry < 3; ++entry) {
    Bytes bytes = build_bundle(example());
    put(bytes, kTable + entry * kEntry, 99u);
    put(bytes, kTable + entry * kEntry + 4, 0u);
    reseal(bytes);
    CHECK_EQ(std::make_unique<Opened>(bytes)->status, HUSHBIT_CORRUPT_BUNDLE);
  }
}

// The codes must have the length that the counts ask for, and nothing may follow the last section.
void test_section_lengths() {
  for (const uint32_t bits : {64u, 256u}) {
    Bytes bytes = build_bundle(example());
    put(bytes, 16, bits);
    put(bytes, 56, 0u);
    put(bytes, 48, 0.0);
    reseal(bytes);
    auto opened = std::make_unique<Opened>(bytes);
    CHECK_EQ(opened->status, HUSHBIT_CORRUPT_BUNDLE);
    CHECK_EQ(opened->error.position, get<uint64_t>(bytes, kCodesEntry + 8));
    CHECK(std::string(opened->error.message).find("codes") != std::string::npos);
  }
  Bytes longer = build_bundle(example());
  const size_t size = longer.size();
  longer.resize(size + 64);
  put(longer, 32, uint64_t{longer.size()});
  reseal(longer);
  auto opened = std::make_unique<Opened>(longer);
  CHECK_EQ(opened->status, HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(opened->error.position, size);
}

void test_crcs() {
  for (const size_t at : {20u, 120u, 124u, 130u}) {
    Bytes bytes = build_bundle(example());
    bytes[at] ^= 0x10;
    auto opened = std::make_unique<Opened>(bytes);
    CHECK_EQ(opened->status, HUSHBIT_CORRUPT_BUNDLE);
    CHECK(std::string(opened->error.message).find("CRC") != std::string::npos);
  }
}

// Either mechanism may be the default; a later minor version opens; a reader does not need an error to write to.
void test_lenient() {
  Bytes bytes = build_bundle(example());
  put(bytes, 14, uint16_t{9});
  put(bytes, 60, uint32_t{HUSHBIT_TEM});
  reseal(bytes);
  CHECK_EQ(std::make_unique<Opened>(bytes)->status, HUSHBIT_OK);
  auto bundle = std::make_unique<Bundle>();
  CHECK_EQ(bundle->open({}, nullptr), HUSHBIT_CORRUPT_BUNDLE);
}

// `verify` sees what a writer got wrong even if every hash fits.
void test_verify_content() {
  BundleSpec spec = example();
  spec.meta = "{\"tool\":\"\xFF\"}";
  auto opened = std::make_unique<Opened>(build_bundle(spec));
  CHECK_EQ(opened->status, HUSHBIT_OK);
  CHECK_EQ(opened->bundle.verify(&opened->error), HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(opened->error.position, opened->bundle.section(0).offset + 9);

  Bytes bytes = build_bundle(example());
  bytes[128 + 3 * 64 + 15] = 1;  // between meta and words
  auto padded = std::make_unique<Opened>(bytes);
  CHECK_EQ(padded->status, HUSHBIT_OK);
  CHECK_EQ(padded->bundle.verify(&padded->error), HUSHBIT_CORRUPT_BUNDLE);
  CHECK_EQ(padded->error.position, 128u + 3 * 64 + 15);

  bytes = build_bundle(example());
  bytes.back() ^= 1;
  auto flipped = std::make_unique<Opened>(bytes);
  CHECK_EQ(flipped->bundle.verify(&flipped->error), HUSHBIT_CORRUPT_BUNDLE);
  CHECK(std::string(flipped->error.message).find("codes") != std::string::npos);
}

}  // namespace

int main() {
  test_views();
  test_sections();
  test_unknown_sections();
  test_section_count();
  check_damages(header_damages(build_bundle(example()).size()));
  check_damages(table_damages());
  test_missing_section();
  test_section_lengths();
  test_crcs();
  test_lenient();
  test_verify_content();
  return check_result();
}
