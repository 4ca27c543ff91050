// A bundle whose bytes change after it was opened, as those of a mapped file may: nothing is read or written astray,
// and every call comes to an end. Build with the sanitizers to see the former.
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "indexed_bundle.h"

using namespace hushbit::testing;

namespace {

constexpr uint32_t kWords = 1100;  // three clusters, the last one not full
const std::string kText = "w1001 none w1100 w1345 isn't w2099";

Bytes build(Index index, uint32_t bits, bool crowds) {
  std::mt19937 random(bits);
  BundleSpec spec;
  spec.bits = bits;
  spec.unmeasured = true;
  for (uint32_t i = 0; i < kWords; ++i) {
    const Bytes code = crowded_code(i, bits, random);
    spec.words.push_back(std::string("w").append(std::to_string(1000 + i)));
    spec.codes.push_back(i % 50 == 7 ? Bytes(bits / 8, 0x55) : code);  // some twins
  }
  return build_bundle(with_index(crowds ? with_example_crowds(spec) : spec, index));
}

struct Range {
  size_t begin, end;
  uint32_t type = 0;  // of a section
};
constexpr uint32_t kClusters = 4;  // of which most numbers are places to read from

// The header, the table, and every section.
std::vector<Range> parts_of(const Bytes& bundle) {
  const uint32_t sections = get<uint32_t>(bundle, 28);
  std::vector<Range> parts = {{0, 128}, {128, 128 + 64 * size_t{sections}}};
  for (size_t entry = 128; entry < parts[1].end; entry += 64) {
    const size_t begin = get<uint64_t>(bundle, entry + 8);
    parts.push_back({begin, begin + get<uint64_t>(bundle, entry + 16), get<uint32_t>(bundle, entry)});
  }
  return parts;
}

// Changes something in a part: a byte or a few, a number made extreme, or much of it. Small sections as a whole.
void change(Bytes& bytes, Range part, std::mt19937& random) {
  const size_t size = part.end - part.begin, at = part.begin + random() % size;
  const size_t lengths[] = {1, 2, 4, 64, 1 + random() % size, size};
  const size_t length = std::min(lengths[random() % std::size(lengths)], part.end - at);
  const uint8_t fills[] = {0, 1, 0x7F, 0x80, 0xFE, 0xFF};
  const uint8_t fill = fills[random() % std::size(fills)];
  const bool noise = random() % 2 == 0;
  for (size_t i = at; i < at + length; ++i) bytes[i] = noise ? static_cast<uint8_t>(random()) : fill;
}

// In memory of exactly its size.
void copy_codes(const hushbit_bundle* bundle, uint32_t bits) {
  for (uint32_t id = 0; id < kWords; id += 100) {
    Bytes code(bits / 8);
    const hushbit_status status = hushbit_bundle_code(bundle, id, code.data(), nullptr);
    REQUIRE(status == HUSHBIT_OK || status == HUSHBIT_CORRUPT_BUNDLE);
  }
}

void privatize_by_every_search(const hushbit_bundle* bundle) {
  static constexpr uint8_t kKey[32] = {3};
  hushbit_result* result;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned_result(result);
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  options.mechanism = HUSHBIT_BRR;
  for (options.search = HUSHBIT_SEARCH_AUTO; options.search <= HUSHBIT_SEARCH_MIH; ++options.search) {
    options.device_key = options.search % 2 == 0 ? nullptr : kKey;
    for (const double epsilon : {0.0, 3.0}) {
      options.epsilon = epsilon;
      options.allow_unchanged = 1;
      hushbit_privatizer* privatizer;
      if (hushbit_privatizer_create(bundle, &options, &privatizer, nullptr) != HUSHBIT_OK) continue;
      const Handle<hushbit_privatizer> owned(privatizer);
      const hushbit_status status = hushbit_privatize(privatizer, kText.data(), kText.size(), result, nullptr);
      REQUIRE(status == HUSHBIT_OK || status == HUSHBIT_CORRUPT_BUNDLE);
    }
  }
}

void test_changes(Index index, uint32_t bits, size_t rounds, bool crowds = false) {
  const Bytes good = build(index, bits, crowds);
  Bytes bytes = good;
  const Handle<hushbit_bundle> bundle = open_any(bytes.data(), bytes.size());
  CHECK(bundle != nullptr);
  if (bundle == nullptr) return;
  std::mt19937 random(bits);
  for (const Range part : parts_of(good)) {
    for (size_t round = 0; round < (part.type == kClusters ? 6 * rounds : rounds); ++round) {
      change(bytes, part, random);
      copy_codes(bundle.get(), bits);
      exercise_opened(bundle.get(), kText, false, false);
      privatize_by_every_search(bundle.get());
      const bool same = memcmp(bytes.data() + part.begin, good.data() + part.begin, part.end - part.begin) == 0;
      CHECK((hushbit_bundle_verify(bundle.get(), nullptr) == HUSHBIT_OK) == same);
      std::copy(good.begin() + static_cast<long>(part.begin), good.begin() + static_cast<long>(part.end),
                bytes.begin() + static_cast<long>(part.begin));
    }
  }
  CHECK_EQ(hushbit_bundle_verify(bundle.get(), nullptr), HUSHBIT_OK);
}

// A thread writes all the while, also while the bundle is opened.
void test_changes_meanwhile(Index index, int rounds, bool crowds = false) {
  const Bytes good = build(index, 64, crowds);
  Bytes bytes = good;
  const std::vector<Range> parts = parts_of(good);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    std::mt19937 random(1);
    while (!stop) {
      const Range part = parts[random() % parts.size()];
      const size_t at = part.begin + random() % (part.end - part.begin);
      volatile uint8_t* place = bytes.data() + at;
      *place = static_cast<uint8_t>(random());
      for (int i = 0; i < 50; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
      *place = good[at];
    }
  });
  for (int opened = 0; opened < rounds;) {
    const Handle<hushbit_bundle> bundle = open_any(bytes.data(), bytes.size());
    std::this_thread::yield();  // a change may have been cut short by the scheduler
    if (bundle == nullptr) continue;
    ++opened;
    hushbit_bundle_verify(bundle.get(), nullptr);
    exercise_opened(bundle.get(), kText, false, false);
    privatize_by_every_search(bundle.get());
  }
  stop = true;
  writer.join();
  CHECK(bytes == good);
}

}  // namespace

int main() {
  for (const Index index : kIndexes) {
    test_changes(index, 64, 40);
    test_changes(index, 512, 10);
    test_changes_meanwhile(index, 60);
  }
  test_changes(kIndexes[3], 64, 20, true);
  test_changes_meanwhile(kIndexes[3], 40, true);
  return check_result();
}
