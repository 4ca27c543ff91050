// The multi-index hash against the row scan: all sizes of codes, vocabularies and blocks, all noise, adversarial codes;
// and what damaged indexes do.
#include "search/mih/mih.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "mih_builder.h"
#include "search/hamming.h"
#include "search/scan/row_scan.h"

namespace {

using hushbit::CodeBlocks;
using hushbit::Mih;
using hushbit::MihScratch;
using hushbit::Rows;
using hushbit::Ties;
using hushbit::testing::Bytes;

constexpr double kNoise[] = {0, .01, .02, .05, .1, .15, .2, .27, .38, .5};
constexpr uint32_t kPatient = UINT32_MAX;

Bytes random_bytes(size_t size, std::mt19937& random) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

Bytes with_noise(Bytes code, double noise, std::mt19937& random) {
  std::bernoulli_distribution flip(noise);
  for (uint8_t& byte : code) {
    for (int bit = 0; bit < 8; ++bit) byte = static_cast<uint8_t>(byte ^ flip(random) << bit);
  }
  return code;
}

// Rows around a few centers: buckets of very different sizes, as real ones are.
Bytes lumpy_rows(uint32_t count, uint32_t code_bytes, std::mt19937& random) {
  Bytes rows;
  for (uint32_t i = 0; i < count; i += 50) {
    const Bytes center = random_bytes(code_bytes, random);
    for (uint32_t j = i; j < std::min(count, i + 50); ++j) {
      const Bytes row = with_noise(center, .02 * (j % 10), random);
      rows.insert(rows.end(), row.begin(), row.end());
    }
  }
  return rows;
}

// Rows and their index, in a buffer of its exact size, so that sanitizers see any read beyond.
struct Indexed {
  Indexed(const Bytes& rows_in, uint32_t code_bytes, uint32_t block_shift)
      : rows(rows_in), codes{rows.data(), static_cast<uint32_t>(rows.size() / code_bytes), code_bytes} {
    const uint32_t substrings = hushbit::testing::usual_substrings(codes.count, code_bytes * 8);
    section = hushbit::testing::build_mih({rows, code_bytes, substrings, block_shift});
    hushbit_error error;
    const auto status = mih->open(section, 0, codes.count, code_bytes * 8, &error);
    CHECK_EQ(status, HUSHBIT_OK);
    CHECK_EQ(mih->substrings(), substrings);
  }

  Bytes rows;
  Rows codes;
  Bytes section;
  std::unique_ptr<Mih> mih = std::make_unique<Mih>();
  std::unique_ptr<MihScratch> scratch = std::make_unique<MihScratch>();
  long found = 0, asked = 0;

  void check_verify() {
    hushbit_error error = {};
    CHECK_EQ(mih->verify(hushbit::blocks_of(codes), &error), HUSHBIT_OK);
  }

  void check(const Bytes& query, uint32_t patience = kPatient) {
    ++asked;
    Ties expected, ties;
    if (!mih->find_nearest(hushbit::blocks_of(codes), query.data(), patience, scratch.get(), &ties)) return;
    ++found;
    hushbit::find_nearest(codes, query.data(), 1, &expected);
    CHECK_EQ(ties.distance, expected.distance);
    CHECK_EQ(ties.count, expected.count);
    CHECK(std::equal(expected.ids, expected.ids + std::min(expected.count, Ties::kKept), ties.ids));
  }
};

Bytes row_of(const Indexed& indexed, uint32_t id) {
  const uint8_t* row = indexed.codes.row(id);
  return Bytes(row, row + indexed.codes.code_bytes);
}

void test_sizes_and_noise() {
  std::mt19937 random(1);
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t count : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 5000u}) {
      for (const uint32_t block_shift : {0u, 3u, 6u}) {
        const Bytes rows =
            block_shift == 3 ? lumpy_rows(count, code_bytes, random) : random_bytes(size_t{count} * code_bytes, random);
        Indexed indexed(rows, code_bytes, block_shift);
        indexed.check_verify();
        for (const double noise : kNoise) {
          for (int i = 0; i < 6; ++i) {
            const Bytes query = with_noise(row_of(indexed, random() % count), noise, random);
            indexed.check(query);
            indexed.check(query, 1000);
          }
        }
        CHECK(indexed.found > indexed.asked / 4);
      }
    }
  }
}

void test_many_words() {
  std::mt19937 random(2);
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t block_shift : {3u, 6u}) {
      Indexed indexed(lumpy_rows(100000, code_bytes, random), code_bytes, block_shift);
      if (code_bytes == 32) indexed.check_verify();
      for (const double noise : kNoise) {
        for (int i = 0; i < 20; ++i) {
          indexed.check(with_noise(row_of(indexed, random() % 100000), noise, random), 20000);
        }
      }
      CHECK(indexed.found > indexed.asked / 4);
    }
  }
}

// More ties than are kept, in all of the vocabulary or a part, at any distance.
void test_ties() {
  std::mt19937 random(3);
  for (const uint32_t code_bytes : {8u, 32u}) {
    const Bytes one = random_bytes(code_bytes, random), other = random_bytes(code_bytes, random);
    for (const uint32_t others : {0u, 1u, 40u, 700u}) {  // of the other code, in between
      Bytes rows;
      for (uint32_t i = 0; i < 1400; ++i) {
        const Bytes& row = others > 0 && i % (1400 / others) == 1 ? other : one;
        rows.insert(rows.end(), row.begin(), row.end());
      }
      for (const uint32_t block_shift : {0u, 3u, 6u}) {
        Indexed indexed(rows, code_bytes, block_shift);
        indexed.check_verify();
        indexed.check(one);
        indexed.check(other);
        for (const double noise : kNoise) indexed.check(with_noise(other, noise, random));
        CHECK(indexed.found > 2);
      }
    }
  }
}

// All words at the same distance of the query, all with different codes; and codes complementary to the query.
void test_one_shell() {
  std::mt19937 random(4);
  for (const uint32_t block_shift : {0u, 6u}) {
    const Bytes center = random_bytes(32, random);
    Bytes rows;
    for (uint32_t bit = 0; bit < 256; ++bit) {
      Bytes row = center;
      row[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    Indexed indexed(rows, 32, block_shift);
    indexed.check(center);
    CHECK_EQ(indexed.found, 1);
    Bytes complement = center;
    for (uint8_t& byte : complement) byte = static_cast<uint8_t>(~byte);
    indexed.check(complement);
    indexed.check(with_noise(complement, .05, random));
    Indexed few(row_of(indexed, 7), 32, block_shift);
    few.check(complement);
  }
}

void flip(Bytes* code, uint32_t bit) { (*code)[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8); }

// A word that is met early, and words as near as no lookup before the bound meets: one lookup less would lose them.
void test_ties_at_the_bound() {
  constexpr uint32_t kWords = 300;
  std::mt19937 random(8);
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    const uint32_t bits = 8 * code_bytes, tables = hushbit::testing::usual_substrings(kWords, bits);
    for (uint32_t distance = 1; distance < 3 * tables; ++distance) {
      const uint32_t radius = distance / tables, in_more = distance % tables;
      const Bytes query = random_bytes(code_bytes, random);
      Bytes met = query, unmet = query;
      for (uint32_t bit = 0; bit < distance; ++bit) flip(&met, bit);
      for (uint32_t table = 0; table < tables; ++table) {
        const uint32_t flips = radius + (table < in_more ? 1 : 0);
        for (uint32_t bit = 0; bit < flips; ++bit) flip(&unmet, table * bits / tables + bit);
      }
      // All others are so far that no lookup meets them: nothing else keeps the search going.
      Bytes rows;
      for (uint32_t i = 0; i < kWords; ++i) {
        for (const uint8_t byte : query) rows.push_back(static_cast<uint8_t>(~byte ^ 1u << random() % 8));
      }
      std::copy(met.begin(), met.end(), rows.begin() + 10 * code_bytes);
      for (const uint32_t place : {90u, 200u}) std::copy(unmet.begin(), unmet.end(), rows.begin() + place * code_bytes);
      Indexed indexed(rows, code_bytes, 0);
      indexed.check(query);
      CHECK_EQ(indexed.found, 1);
    }
  }
}

void test_impatience() {
  std::mt19937 random(5);
  Indexed indexed(random_bytes(5000 * 32, random), 32, 3);
  const Bytes query = random_bytes(32, random);
  Ties ties;
  CHECK(!indexed.mih->find_nearest(hushbit::blocks_of(indexed.codes), query.data(), 100, indexed.scratch.get(), &ties));
  CHECK(indexed.scratch->work.lookups < 200);
  indexed.check(row_of(indexed, 4321), 100);  // what the last one left behind is gone
  CHECK_EQ(indexed.found, 1);
}

// Whatever the index says: no bad read, an end, and words at the distance reported.
void check_hostile(const Indexed& good, const Bytes& section, std::mt19937& random) {
  const auto mih = std::make_unique<Mih>();
  const auto scratch = std::make_unique<MihScratch>();
  hushbit_error error = {};
  if (mih->open(section, 0, good.codes.count, good.codes.code_bytes * 8, &error) != HUSHBIT_OK) {
    CHECK(error.position <= std::max<uint64_t>(section.size(), 64));
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const Bytes query = with_noise(row_of(good, random() % good.codes.count), .05 * i, random);
    Ties ties;
    if (!mih->find_nearest(hushbit::blocks_of(good.codes), query.data(), 50000, scratch.get(), &ties)) continue;
    CHECK(ties.count >= 1 && ties.count <= good.codes.count);
    for (uint32_t t = 0; t < std::min(ties.count, Ties::kKept); ++t) {
      CHECK(ties.ids[t] < good.codes.count && (t == 0 || ties.ids[t] > ties.ids[t - 1]));
      CHECK_EQ(hushbit::hamming_distance(good.codes.row(ties.ids[t]), query.data(), good.codes.code_bytes),
               ties.distance);
    }
  }
}

void test_hostile() {
  std::mt19937 random(6);
  for (const uint32_t block_shift : {0u, 3u, 6u}) {
    const Indexed good(lumpy_rows(700, 16, random), 16, block_shift);
    for (int round = 0; round < 400; ++round) {
      Bytes section = good.section;
      const size_t begin = round % 4 == 0 ? 0 : 64, size = section.size() - begin;
      for (size_t i = 1 + random() % 8; i > 0; --i) section[begin + random() % size] = static_cast<uint8_t>(random());
      if (round % 5 == 0) {  // a stretch of the same byte: entries repeated, offsets at one place
        const size_t at = begin + random() % size, length = std::min(section.size() - at, size_t{random() % 2000});
        std::fill_n(section.begin() + static_cast<long>(at), length, round % 10 == 0 ? 0xFF : random() & 0xFF);
      }
      check_hostile(good, section, random);
    }
    for (size_t size = 0; size < good.section.size(); size += 1 + size / 16) {
      check_hostile(good, Bytes(good.section.begin(), good.section.begin() + static_cast<long>(size)), random);
    }
  }
}

// An index that hides words gives wrong answers that nobody notices, so there must be one index only for given codes,
// substrings and blocks.
void test_verify_finds_every_bit() {
  std::mt19937 random(7);
  for (const uint32_t block_shift : {0u, 2u}) {
    const Indexed good(lumpy_rows(40, 8, random), 8, block_shift);
    for (size_t bit = 0; bit < good.section.size() * 8; ++bit) {
      Bytes section = good.section;
      section[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      const auto mih = std::make_unique<Mih>();
      hushbit_error error = {};
      hushbit_status status = mih->open(section, 0, 40, 64, &error);
      if (status == HUSHBIT_OK) status = mih->verify(hushbit::blocks_of(good.codes), &error);
      CHECK_EQ(status, HUSHBIT_CORRUPT_BUNDLE);
      CHECK(std::string(error.message).find("mih: ") != std::string::npos);
      CHECK(error.position <= section.size());
    }
  }
}

}  // namespace

int main() {
  test_sizes_and_noise();
  test_many_words();
  test_ties();
  test_one_shell();
  test_ties_at_the_bound();
  test_impatience();
  test_hostile();
  test_verify_finds_every_bit();
  return check_result();
}
