// The search over clusters against the row scan, for every set of kernels.
#include "search/scan/cluster_scan.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "check.h"
#include "search/hamming.h"
#include "search/scan/row_scan.h"
#include "tiled_codes.h"

using namespace hushbit::testing;

namespace {

using hushbit::Kernels;
using hushbit::Rows;
using hushbit::Ties;
using hushbit::TiledCodes;

struct Case {
  Bytes rows;
  uint32_t code_bytes;
  std::vector<uint32_t> cluster_tiles;

  uint32_t words() const { return static_cast<uint32_t>(rows.size() / code_bytes); }
  Rows codes() const { return {rows.data(), words(), code_bytes}; }
};

// `varying` bits are random, the others zero, so that few varying bits make many ties.
Bytes random_codes(uint32_t count, uint32_t code_bytes, uint32_t varying, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes codes(size_t{count} * code_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t bit = 0; bit < varying; ++bit) {
      codes[i * code_bytes + bit / 8] |= static_cast<uint8_t>((random() & 1) << (bit % 8));
    }
  }
  return codes;
}

std::vector<uint32_t> tiles_of_one(uint32_t words) { return std::vector<uint32_t>((words + 511) / 512, 1); }

class Fixture {
 public:
  explicit Fixture(const Case& from) : from_(from), layout_(from.rows, from.code_bytes, from.cluster_tiles, 7) {
    const Sections& sections = layout_.sections();
    const uint32_t bits = from.code_bytes * 8;
    CHECK_EQ(tiled_.tiles.open(sections.codes, 0, sections.clusters, 0, from.words(), bits, nullptr), HUSHBIT_OK);
    CHECK_EQ(tiled_.order.open(sections.order, 0, from.words(), nullptr), HUSHBIT_OK);
    CHECK_EQ(tiled_.tiles.verify(nullptr), HUSHBIT_OK);
  }

  void use(const Kernels& kernels) { tiled_.kernels = &kernels; }

  void check_copy() const {
    Bytes rows(from_.rows.size());
    tiled_.tiles.copy(0, from_.words(), rows.data());
    bool same = true;
    for (uint32_t position = 0; position < from_.words(); ++position) {
      const uint8_t* row = from_.rows.data() + size_t{layout_.ids()[position]} * from_.code_bytes;
      same &= memcmp(rows.data() + size_t{position} * from_.code_bytes, row, from_.code_bytes) == 0;
    }
    CHECK(same);
  }

  void check_nearest(const Bytes& queries) const {
    const size_t count = queries.size() / from_.code_bytes;
    std::vector<Ties> expected(count), together(count);
    hushbit::find_nearest(from_.codes(), queries.data(), count, expected.data());
    hushbit::find_nearest(tiled_, queries.data(), count, together.data());
    for (size_t q = 0; q < count; ++q) {
      const uint8_t* query = queries.data() + q * from_.code_bytes;
      Ties alone;
      hushbit::find_nearest(tiled_, query, 1, &alone);
      CHECK(same_ties(expected[q], together[q]));
      CHECK(same_ties(expected[q], alone));
      for (uint32_t i = 0; i < expected[q].count; i += 1 + expected[q].count / 7) {
        CHECK_EQ(hushbit::tied_word(tiled_, query, alone, i), hushbit::tied_word(from_.codes(), query, expected[q], i));
      }
    }
  }

  void check_others(const uint8_t* query) const {
    for (const size_t k : {size_t{1}, std::min<size_t>(10, from_.words()), size_t{from_.words()}}) {
      std::vector<uint32_t> ids(k), distances(k), expected_ids(k), expected_distances(k);
      hushbit::find_neighbors(from_.codes(), query, k, expected_ids.data(), expected_distances.data());
      hushbit::find_neighbors(tiled_, query, k, ids.data(), distances.data());
      CHECK(ids == expected_ids && distances == expected_distances);
    }
    std::vector<uint32_t> counts(from_.code_bytes * 8 + 1), expected(counts.size());
    const uint32_t bits = from_.code_bytes * 8;
    hushbit::count_distances(from_.codes(), query, bits, expected.data());
    // Near words only: none, few in a tile, many, and all.
    for (const uint32_t farthest : {0u, bits / 8, bits / 4, 3 * bits / 8, bits / 2, bits - 1, bits}) {
      counts.assign(bits + 1, UINT32_MAX);
      hushbit::count_distances(tiled_, query, farthest, counts.data());
      CHECK(std::equal(expected.begin(), expected.begin() + farthest + 1, counts.begin()));
      CHECK(std::all_of(counts.begin() + farthest + 1, counts.end(), [](uint32_t c) { return c == UINT32_MAX; }));
    }
    for (uint32_t d = 0; d < counts.size(); ++d) {
      for (const uint32_t i : {0u, expected[d] / 2, expected[d] - 1}) {
        if (expected[d] == 0) continue;
        CHECK_EQ(hushbit::word_at_distance(tiled_, query, d, i), hushbit::word_at_distance(from_.codes(), query, d, i));
      }
    }
  }

  void check_offers(const uint8_t* query) const {
    for (const uint32_t first : {0u, from_.words() / 3, from_.words() / 2, from_.words() - 1}) {
      const uint32_t end = std::min({from_.words(), (first / 512 + 1) * 512, first + 40});
      Ties ties = {.distance = UINT32_MAX, .count = 0, .ids = {}};
      hushbit::offer_positions(tiled_, query, first, end, &ties);
      uint32_t best = UINT32_MAX, count = 0, lowest = UINT32_MAX;
      for (uint32_t position = first; position < end; ++position) {
        const uint32_t id = layout_.ids()[position];
        const uint32_t d = hushbit::hamming_distance(from_.codes().row(id), query, from_.code_bytes);
        if (d < best) count = 0, lowest = UINT32_MAX;
        best = std::min(best, d);
        if (d == best) ++count, lowest = std::min(lowest, id);
      }
      CHECK_EQ(ties.distance, best);
      CHECK_EQ(ties.count, count);
      CHECK_EQ(ties.ids[0], lowest);
    }
  }

  void check_farthest() const {
    const uint32_t words = from_.words();
    const uint32_t expected = hushbit::find_farthest(from_.codes(), 0, words, 0);
    CHECK_EQ(hushbit::find_farthest(tiled_, 0, words, 0), expected);
    const uint32_t half = words / 2;
    CHECK_EQ(hushbit::find_farthest(tiled_, half, words, hushbit::find_farthest(tiled_, 0, half, 0)), expected);
    CHECK_EQ(hushbit::find_farthest(tiled_, 0, words, expected + 1), expected + 1);
    CHECK_EQ(hushbit::find_farthest(tiled_, half, half, 3), 3u);
    CHECK_EQ(hushbit::find_farthest(tiled_, words - 1, words, 0), 0u);
  }

 private:
  static bool same_ties(const Ties& a, const Ties& b) {
    return a.distance == b.distance && a.count == b.count &&
           std::equal(a.ids, a.ids + std::min(a.count, Ties::kKept), b.ids);
  }

  const Case& from_;
  Layout layout_;
  TiledCodes tiled_;
};

// Rows of words with some bits flipped, complements of codes, and codes that have nothing to do with them.
Bytes queries_for(const Case& from, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes queries;
  const auto add = [&](const uint8_t* code, uint32_t flips_of_64, uint8_t inverted) {
    for (uint32_t i = 0; i < from.code_bytes; ++i) {
      uint8_t byte = code[i] ^ inverted;
      for (uint32_t bit = 0; bit < 8; ++bit) byte ^= static_cast<uint8_t>((random() % 64 < flips_of_64) << bit);
      queries.push_back(byte);
    }
  };
  for (const uint32_t flips : {0u, 2u, 10u, 17u, 24u, 32u}) {
    add(from.rows.data() + random() % from.words() * from.code_bytes, flips, 0);
  }
  add(from.rows.data(), 0, 0xFF);
  add(from.rows.data() + random() % from.words() * from.code_bytes, 3, 0xFF);
  return queries;
}

void check_case(const Case& from, uint32_t seed) {
  Fixture fixture(from);
  fixture.check_copy();
  const Bytes queries = queries_for(from, seed);
  for (const Kernels* kernels : hushbit::supported_kernels()) {
    fixture.use(*kernels);
    fixture.check_nearest(queries);
    fixture.check_farthest();
    for (size_t at = 0; at < queries.size(); at += size_t{from.code_bytes} * 3) {
      fixture.check_others(queries.data() + at);
      fixture.check_offers(queries.data() + at);
    }
  }
}

void test_sizes() {
  uint32_t seed = 1;
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t words : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u}) {
      const uint32_t tiles = (words + 511) / 512;
      check_case({random_codes(words, code_bytes, code_bytes * 8, seed), code_bytes, {tiles}}, seed);
      check_case({random_codes(words, code_bytes, 5, seed), code_bytes, tiles_of_one(words)}, seed);
      ++seed;
    }
    check_case({random_codes(5000, code_bytes, code_bytes * 8, seed), code_bytes, {3, 1, 6}}, seed);
    check_case({random_codes(2000, code_bytes, 0, seed), code_bytes, {4}}, seed);  // all equal
    check_case({random_codes(1700, code_bytes, 1, seed), code_bytes, tiles_of_one(1700)}, seed);
    ++seed;
  }
}

// Words around few centers, as real codes are, so that clusters and tiles are passed over; and codes whose complements
// are there too.
void test_structure() {
  const uint32_t code_bytes = 32, words = 4000;
  std::mt19937 random(5);
  Bytes rows;
  for (uint32_t i = 0; i < words; ++i) {
    const uint8_t center = static_cast<uint8_t>(i * 8 / words * 37);
    for (uint32_t j = 0; j < code_bytes; ++j) {
      rows.push_back(static_cast<uint8_t>(center ^ (random() & random() & random()) ^ (i % 50 == 0 ? 0xFF : 0)));
    }
  }
  check_case({rows, code_bytes, tiles_of_one(words)}, 6);
  check_case({rows, code_bytes, {2, 2, 4}}, 7);
}

// More words at one distance than can be kept.
void test_many_at_a_distance() {
  const Case from{random_codes(30000, 8, 1, 14), 8, {30, 29}};
  Fixture fixture(from);
  fixture.check_nearest(Bytes(8));
  fixture.check_others(Bytes(8).data());
}

// More queries than a group holds.
void test_large_batch() {
  const Case from{random_codes(3000, 32, 256, 8), 32, {2, 2, 2}};
  Fixture fixture(from);
  fixture.check_nearest(random_codes(150, 32, 256, 9));
}

// Whatever the bytes of the sections are: an error, or some answer, but never a bad read. (Sanitizers watch.)
void test_damage() {
  const uint32_t words = 1100, code_bytes = 16;
  const Case from{random_codes(words, code_bytes, 128, 10), code_bytes, {1, 2}};
  const Layout layout(from.rows, code_bytes, from.cluster_tiles, 11);
  const Bytes queries = queries_for(from, 12);
  std::mt19937 random(13);
  uint32_t refused = 0, noticed = 0;
  for (uint32_t i = 0; i < 2000; ++i) {
    Sections bad = layout.sections();
    for (uint32_t j = 0; j < 1 + i % 3; ++j) {
      Bytes& section = i % 8 == 0 ? bad.codes : i % 8 == 1 ? bad.order : bad.clusters;
      section[random() % section.size()] = static_cast<uint8_t>(random());
    }
    TiledCodes tiled;
    if (tiled.tiles.open(bad.codes, 0, bad.clusters, 0, words, 128, nullptr) != HUSHBIT_OK ||
        tiled.order.open(bad.order, 0, words, nullptr) != HUSHBIT_OK) {
      ++refused;
      continue;
    }
    noticed += tiled.tiles.verify(nullptr) != HUSHBIT_OK || tiled.order.verify(nullptr) != HUSHBIT_OK;
    if (i % 10 != 0) continue;
    Ties ties[8];
    hushbit::find_nearest(tiled, queries.data(), 8, ties);
    hushbit::find_nearest(tiled, queries.data(), 1, ties);
    uint32_t counts[129], ids[20], distances[20];
    hushbit::count_distances(tiled, queries.data(), 128, counts);
    hushbit::find_neighbors(tiled, queries.data(), 20, ids, distances);
    for (const uint32_t id : ids) CHECK(id < words || id == HUSHBIT_NO_WORD);
    const uint32_t id = hushbit::word_at_distance(tiled, queries.data(), 64, 3);
    CHECK(id < words || id == HUSHBIT_NO_WORD);
    hushbit::find_farthest(tiled, 0, words, 0);
  }
  CHECK(refused > 200);
  CHECK(noticed > 200);
  for (size_t size = 0; size < layout.sections().clusters.size(); size += 1 + size / 32) {
    const Bytes cut(layout.sections().clusters.begin(), layout.sections().clusters.begin() + static_cast<long>(size));
    TiledCodes tiled;
    CHECK_EQ(tiled.tiles.open(layout.sections().codes, 0, cut, 0, words, 128, nullptr), HUSHBIT_CORRUPT_BUNDLE);
  }
}

// A bound in front says that no word has the lightest weight. No answer would change, but there is one way only to say
// what weights there are.
void test_lightest_weight_without_words() {
  const uint32_t words = 300, code_bytes = 8, bits = 64;
  const Bytes rows = random_codes(words, code_bytes, bits, 15);
  Sections sections = Layout(rows, code_bytes, {1}, 15).sections();
  TiledCodes tiled;
  CHECK_EQ(tiled.tiles.open(sections.codes, 0, sections.clusters, 0, words, bits, nullptr), HUSHBIT_OK);
  constexpr size_t kBounds = 64 + 16 + code_bytes + bits + 16;
  CHECK(sections.clusters[64 + 8] > 0);
  ++sections.clusters[4];
  --sections.clusters[64 + 8];
  sections.clusters.insert(sections.clusters.begin() + kBounds, 2, 0);
  CHECK_EQ(tiled.tiles.open(sections.codes, 0, sections.clusters, 0, words, bits, nullptr), HUSHBIT_CORRUPT_BUNDLE);
}

}  // namespace

int main() {
  test_sizes();
  test_structure();
  test_many_at_a_distance();
  test_large_batch();
  test_damage();
  test_lightest_weight_without_words();
  return check_result();
}
