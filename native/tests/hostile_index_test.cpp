// Bundles made to hurt: indexes that lie about the codes or about themselves, hashes and CRCs made to fit. Each is
// refused, or answers; what passes `verify` answers truly (exercise.h). Build with the sanitizers to see bad reads.
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "exercise.h"
#include "indexed_bundle.h"

using namespace hushbit;
using namespace hushbit::testing;

namespace {

constexpr uint32_t kWords = 600;  // two clusters
constexpr uint32_t kCodes = 3, kClusters = 4, kOrder = 5, kMih = 6;
const std::string kText = "00000001 00000599 none 00000300";

std::string word_of(uint32_t i) {
  std::string digits = std::to_string(i);
  return std::string(8 - digits.size(), '0') + digits;  // sorted as numbers
}

Bytes good_bundle(Index index, uint32_t seed, uint32_t bits = 64, uint32_t words = kWords, bool equal = false) {
  std::mt19937 random(seed);
  BundleSpec spec;
  spec.bits = bits;
  spec.unmeasured = true;
  for (uint32_t i = 0; i < words; ++i) {
    spec.words.push_back(word_of(i));
    spec.codes.push_back(equal ? Bytes(bits / 8, 5) : crowded_code(i, bits, random));
  }
  return build_bundle(with_index(spec, index));
}

Exercised exercise(Bytes bytes) {
  reseal(bytes);
  const Bytes exact(bytes.begin(), bytes.end());
  return exercise_bundle(exact.data(), exact.size(), kText);
}

struct Place {
  size_t at = 0, length = 0;
};

Place section(const Bytes& bundle, uint32_t type) {
  for (size_t entry = 128; entry < 128 + 64 * get<uint32_t>(bundle, 28); entry += 64) {
    if (get<uint32_t>(bundle, entry) != type) continue;
    return {get<uint64_t>(bundle, entry + 8), get<uint64_t>(bundle, entry + 16)};
  }
  return {};
}

// Numbers of `width` bits at `at`, the first of `count` as `value` says.
void put_numbers(Bytes& bytes, size_t at, uint32_t width, uint32_t count, const std::function<uint32_t(uint32_t)>& of) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < width; ++j) {
      const size_t bit = size_t{i} * width + j;
      uint8_t& byte = bytes[at + bit / 8];
      byte = static_cast<uint8_t>((byte & ~(1u << bit % 8)) | (of(i) >> j & 1u) << bit % 8);
    }
  }
}

// An order whose way back never comes to an end, or leads out of the bundle.
void test_orders() {
  const Bytes good = good_bundle({true, true}, 1);
  CHECK(exercise(good).verified);
  const size_t order = section(good, kOrder).at, marks = order + 16 + (kWords * 10 + 63) / 64 * 8;
  const std::function<uint32_t(uint32_t)> orders[] = {
      [](uint32_t i) { return (i + 1) % kWords; },        // one cycle of all, with the shortcuts of another
      [](uint32_t i) { return i == 0 ? 1 : 0; },          // most words are nowhere
      [](uint32_t i) { return i == 7 ? 1023u : i; },      // beyond the words
      [](uint32_t) { return 1023u; },                     // nothing else
      [](uint32_t i) { return i < 2 ? 1 - i : i & ~1u; }  // each even word twice
  };
  for (const auto& ids : orders) {
    for (const bool marked : {true, false}) {
      Bytes bytes = good;
      put_numbers(bytes, order + 16, 10, kWords, ids);
      if (!marked) std::fill_n(bytes.begin() + static_cast<long>(marks), 2 * 64, 0);
      CHECK(!exercise(bytes).verified);
    }
  }
  // Shortcuts in a circle: all to one place, or each to itself.
  const size_t targets = marks + 2 * 64 + 8;
  const uint32_t shortcuts = get<uint32_t>(good, order + 4);
  CHECK(shortcuts > 10);
  for (const uint32_t target : {0u, 599u, 600u, 1023u}) {
    Bytes bytes = good;
    put_numbers(bytes, targets, 10, shortcuts, [&](uint32_t) { return target; });
    CHECK(!exercise(bytes).verified);
  }
  // A mark everywhere, with ranks that point beyond the shortcuts.
  for (const uint32_t rank : {0u, shortcuts - 1, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    Bytes bytes = good;
    std::fill_n(bytes.begin() + static_cast<long>(marks), 2 * 64, 0xFF);
    put(bytes, marks + 2 * 64, rank);
    put(bytes, marks + 2 * 64 + 4, rank);
    CHECK(!exercise(bytes).verified);
  }
}

// Every number of 16 and of 32 bits in what `open` reads, made as small, as large and as wrong as can be.
void test_counts() {
  const Bytes good = good_bundle({true, true}, 2);
  long opened = 0, refused = 0;
  for (const uint32_t type : {kClusters, kOrder, kMih}) {
    const Place place = section(good, type);
    for (size_t at = 0; at < std::min<size_t>(place.length, 64 + 3 * 96); at += 2) {
      for (const uint32_t value : {0u, 1u, 64u, 511u, 0x7FFFu, 0xFFFFu, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, ~0u}) {
        for (const bool wide : {false, true}) {
          Bytes bytes = good;
          put(bytes, place.at + at, static_cast<uint16_t>(value));
          if (wide) put(bytes, place.at + at + 2, static_cast<uint16_t>(value >> 16));
          (exercise(bytes).opened ? opened : refused) += 1;
        }
      }
    }
  }
  CHECK(opened > 300);
  CHECK(refused > 1000);
}

// Planes that give words other weights than `clusters` says: lighter, heavier, none, all.
void test_weights_that_lie() {
  const Bytes good = good_bundle({true, false}, 3);
  const Place codes = section(good, kCodes);
  std::mt19937 random(3);
  for (const int how : {0, 1, 2, 3}) {
    Bytes bytes = good;
    for (size_t at = codes.at; at < codes.at + codes.length; ++at) {
      const auto noise = static_cast<uint8_t>(random());
      bytes[at] = how == 0 ? 0 : how == 1 ? 0xFF : how == 2 ? noise : static_cast<uint8_t>(~bytes[at]);
    }
    CHECK(!exercise(bytes).verified);
  }
}

// Parts of a hash replaced: entries and offsets of Elias-Fano codes that point anywhere.
void test_hashes() {
  std::mt19937 random(5);
  long opened = 0;
  for (const Index index : {kIndexes[1], kIndexes[3]}) {
    const Bytes good = good_bundle(index, 5);
    const Place mih = section(good, kMih);
    for (int round = 0; round < 300; ++round) {
      Bytes bytes = good;
      const size_t at = mih.at + 64 + random() % (mih.length - 64);
      const size_t length = std::min<size_t>(1 + random() % (round % 2 == 0 ? 8 : 3000), mih.at + mih.length - at);
      const auto fill = static_cast<uint8_t>(random() % 3 == 0 ? 0 : random() % 2 == 0 ? 0xFF : random());
      for (size_t i = at; i < at + length; ++i) bytes[i] = round % 3 == 0 ? static_cast<uint8_t>(random()) : fill;
      opened += exercise(bytes).opened;
    }
  }
  CHECK(opened > 300);
}

// Sections of two good bundles of one shape, mixed in every way. What verifies must answer truly.
void test_swapped_sections() {
  for (const Index index : {kIndexes[1], kIndexes[3]}) {
    const Bytes one = good_bundle(index, 6), other = good_bundle(index, 7);
    int verified = 0;
    for (uint32_t mix = 0; mix < 16; ++mix) {
      Bytes bytes = one;
      bool fits = true;
      for (uint32_t type = kCodes; type <= kMih; ++type) {
        const Place here = section(one, type), there = section(other, type);
        if ((mix >> (type - kCodes) & 1) == 0 || here.length == 0) continue;
        fits &= here.length == there.length;
        if (here.length != there.length) continue;
        std::copy_n(other.begin() + static_cast<long>(there.at), here.length,
                    bytes.begin() + static_cast<long>(here.at));
      }
      if (fits) verified += exercise(bytes).verified;
    }
    CHECK(verified >= 1);
  }
}

// No hostile bundle of this size takes long: tens of milliseconds without the sanitizers. The limit, of processor time,
// leaves room for them; work that grows with the square of the words would take minutes.
void test_time() {
  std::mt19937 random(8);
  for (const Index index : kIndexes) {
    const Bytes good = good_bundle(index, 8, 64, 4000, true);  // all codes equal: every entry in one place
    const clock_t begin = clock();
    CHECK(exercise(good).verified);
    for (int round = 0; round < 4; ++round) {
      Bytes bytes = good;
      for (const uint32_t type : {kOrder, kMih}) {
        const Place place = section(bytes, type);
        for (size_t at = place.at + 64; at < place.at + place.length; ++at) {
          if (round < 3) bytes[at] = static_cast<uint8_t>(round == 0 ? 0 : round == 1 ? 0xFF : random());
        }
      }
      if (round == 3) put(bytes, 68, uint32_t{0});
      exercise(bytes);
    }
    CHECK(clock() - begin < 10 * CLOCKS_PER_SEC);
  }
}

}  // namespace

int main() {
  test_orders();
  test_counts();
  test_weights_that_lie();
  test_hashes();
  test_swapped_sections();
  test_time();
  return check_result();
}
