// Damage of every kind to small bundles: each changed byte and each cut is found, and nothing that a damaged or hostile
// bundle holds makes the core read astray. Build with the sanitizers to see the latter.
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "indexed_bundle.h"

using namespace hushbit;
using namespace hushbit::testing;

namespace {

const std::string kText = "The cat's dog isn't a dogma, caf\xC3\xA9 \xF0\x9F\x98\x80.";

constexpr Index kRowsOnly = kIndexes[0];

Bytes example(uint32_t block_words, Index index = kRowsOnly, bool crowds = false) {
  BundleSpec spec;
  spec.words = {"cat", "catalog", "cats",       "caf\xC3\xA9", "dog", "dogma", "is", "n't", "'s",
                "the", "a",       "well-known", ",",           ".",   "b",     "bb", "bbb"};
  spec.block_words = block_words;
  spec.more_sections = {{77, 0, {1, 2, 3}}};
  return build_bundle(with_index(crowds ? with_example_crowds(spec) : spec, index));
}

// The bytes in memory of exactly their size, so that a sanitizer sees any read beyond them.
Exercised exercise(const Bytes& bytes) {
  const Bytes exact(bytes.begin(), bytes.end());
  return exercise_bundle(exact.data(), exact.size(), kText);
}

void test_undamaged() {
  for (const uint32_t block_words : {1u, 4u, 64u}) {
    for (const Index index : kIndexes) {
      for (const bool crowds : {false, true}) {
        const Exercised result = exercise(example(block_words, index, crowds));
        CHECK(result.opened && result.verified);
      }
    }
  }
}

// Each bit flipped, and each byte set to 0 and to 255: `open` or `verify` refuses.
void test_every_byte() {
  const Bytes good = example(4);
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<uint8_t> values = {0, 255};
    for (int bit = 0; bit < 8; ++bit) values.push_back(static_cast<uint8_t>(good[at] ^ 1 << bit));
    for (const uint8_t value : values) {
      if (value == good[at]) continue;
      Bytes bytes = good;
      bytes[at] = value;
      const bool found = !exercise(bytes).verified;
      CHECK(found);
      if (!found) std::cerr << "  byte " << at << " set to " << +value << '\n';
    }
  }
}

// Cut off anywhere, also if the header tells the new size, or with something behind.
void test_every_length() {
  const Bytes good = example(4);
  for (size_t size = 0; size < good.size(); ++size) {
    Bytes bytes(good.begin(), good.begin() + static_cast<long>(size));
    CHECK(!exercise(bytes).opened);
    if (size < 128) continue;
    put(bytes, 32, uint64_t{size});
    reseal(bytes);
    CHECK(!exercise(bytes).opened);
  }
  Bytes longer = good;
  longer.push_back(0);
  CHECK(!exercise(longer).opened);
}

// The same of clusters, order and hash, and of crowds: they are long, so a bit of each byte.
void test_every_byte_of_an_index() {
  for (const Bytes& good : {example(4, kIndexes[1]), example(4, kIndexes[3]), example(4, kRowsOnly, true)}) {
    for (size_t at = 0; at < good.size(); ++at) {
      Bytes bytes = good;
      bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1 << at % 8);
      const bool found = !exercise(bytes).verified;
      CHECK(found);
      if (!found) std::cerr << "  bit " << at % 8 << " of byte " << at << '\n';
    }
  }
}

// Hostile: each byte of codes and index replaced, hashes and CRCs made to fit. `verify` must see all of it but what
// only gives other codes: `exercise` then finds nothing amiss.
void test_hostile_index() {
  std::mt19937 random(3);
  long opened = 0, refused = 0;
  for (const Index index : kIndexes) {
    const Bytes good = example(4, index);
    const size_t codes = get<uint64_t>(good, 128 + 2 * 64 + 8);
    for (size_t at = codes; at < good.size(); ++at) {
      Bytes bytes = good;
      bytes[at] = static_cast<uint8_t>(at % 2 == 0 ? bytes[at] ^ 1 << random() % 8 : random());
      reseal(bytes);
      (exercise(bytes).opened ? opened : refused) += 1;
    }
  }
  CHECK(opened > 1000);
  CHECK(refused > 200);
}

// Hostile: each byte of what crowds are made of replaced several times, hashes and CRCs made to fit. `exercise` finds
// that shares keep within their weights wherever a privatizer comes into being.
void test_hostile_crowds() {
  std::mt19937 random(5);
  long opened = 0, refused = 0;
  const Bytes good = example(4, kRowsOnly, true);
  size_t begin = good.size();
  for (size_t entry = 128; entry < 128 + 64 * get<uint32_t>(good, 28); entry += 64) {
    if (get<uint32_t>(good, entry) == kOutputsType) begin = get<uint64_t>(good, entry + 8);
  }
  for (size_t at = begin; at < good.size(); ++at) {
    for (int i = 0; i < 8; ++i) {
      Bytes bytes = good;
      bytes[at] = static_cast<uint8_t>(i % 2 == 0 ? bytes[at] ^ 1 << random() % 8 : random());
      reseal(bytes);
      (exercise(bytes).opened ? opened : refused) += 1;
    }
  }
  CHECK(opened > 500);
  CHECK(refused > 500);
}

// Hostile: whole sections of index and crowds replaced by noise, in part.
void test_noisy_index() {
  std::mt19937 random(4);
  long opened = 0, refused = 0;
  for (int kind = 0; kind < 5; ++kind) {
    const Bytes good = kind < 4 ? example(4, kIndexes[kind]) : example(4, kIndexes[3], true);
    const uint32_t sections = get<uint32_t>(good, 28);
    for (int i = 0; i < 600; ++i) {
      Bytes bytes = good;
      const size_t entry = 128 + 64 * (2 + random() % (sections - 2));
      const size_t begin = get<uint64_t>(good, entry + 8), length = get<uint64_t>(good, entry + 16);
      const unsigned rate = 1u << random() % 10;
      for (size_t at = begin; at < begin + length; ++at) {
        if (random() % rate == 0) bytes[at] = static_cast<uint8_t>(random());
      }
      reseal(bytes);
      (exercise(bytes).opened ? opened : refused) += 1;
    }
  }
  CHECK(opened > 1000);
  CHECK(refused > 100);
}

// Hostile: each byte replaced by several others, hashes and CRCs made to fit. Much of it opens; none of it may crash.
void test_hostile_bytes() {
  std::mt19937 random(1);
  long opened = 0, refused = 0;
  for (const uint32_t block_words : {1u, 4u, 64u}) {
    const Bytes good = example(block_words);
    for (size_t at = 0; at < good.size(); ++at) {
      for (int i = 0; i < 6; ++i) {
        Bytes bytes = good;
        bytes[at] = static_cast<uint8_t>(i < 3 ? bytes[at] ^ 1 << random() % 8 : random());
        reseal(bytes);
        (exercise(bytes).opened ? opened : refused) += 1;
      }
    }
  }
  CHECK(opened > 1000);
  CHECK(refused > 1000);
}

// Hostile: the payload, or everything behind the table, replaced by noise, with codes that decode it.
void test_hostile_noise() {
  std::mt19937 random(2);
  long opened = 0;
  const Bytes good = example(8);
  const size_t words = get<uint64_t>(good, 192 + 8), length = get<uint64_t>(good, 192 + 16);
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = good;
    // From the payload, from the starts of the blocks, or from the fixed part on.
    const size_t from = words + (i % 3 == 0 ? 464 : i % 3 == 1 ? 448 : 8);
    for (size_t at = from; at < words + length; ++at) {
      if (random() % 4 != 0) bytes[at] = static_cast<uint8_t>(random());
    }
    reseal(bytes);
    opened += exercise(bytes).opened;
  }
  CHECK(opened > 1000);
}

}  // namespace

int main() {
  test_undamaged();
  test_every_byte();
  test_every_byte_of_an_index();
  test_every_length();
  test_hostile_bytes();
  test_hostile_index();
  test_hostile_crowds();
  test_noisy_index();
  test_hostile_noise();
  return check_result();
}
