// The one interface over every layout and index against the row scan: the same answers, whatever way they are found.
#include "search/search.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "check.h"
#include "indexed_bundle.h"
#include "search/hamming.h"
#include "search/scan/row_scan.h"

using namespace hushbit::testing;

namespace {

using hushbit::Codes;
using hushbit::Rows;
using hushbit::SearchPlan;
using hushbit::SearchWork;
using hushbit::Ties;

constexpr uint32_t kSearches[] = {HUSHBIT_SEARCH_AUTO, HUSHBIT_SEARCH_ROWS, HUSHBIT_SEARCH_CLUSTERS,
                                  HUSHBIT_SEARCH_MIH};

Bytes random_code(uint32_t code_bytes, std::mt19937& random) {
  Bytes code(code_bytes);
  for (uint8_t& byte : code) byte = static_cast<uint8_t>(random());
  return code;
}

void flip_bits(Bytes* code, double share, std::mt19937& random) {
  std::bernoulli_distribution flip(share);
  for (uint8_t& byte : *code) {
    for (int bit = 0; bit < 8; ++bit) byte = static_cast<uint8_t>(byte ^ flip(random) << bit);
  }
}

// How the codes of a vocabulary are spread.
enum class Spread { kRandom, kLumpy, kEqual, kAntipodal };

std::vector<Bytes> make_codes(uint32_t count, uint32_t code_bytes, Spread spread, std::mt19937& random) {
  std::vector<Bytes> codes;
  Bytes center = random_code(code_bytes, random);
  for (uint32_t i = 0; i < count; ++i) {
    if (spread == Spread::kLumpy && i % 40 == 0) center = random_code(code_bytes, random);
    Bytes code = spread == Spread::kRandom ? random_code(code_bytes, random) : center;
    if (spread == Spread::kLumpy) flip_bits(&code, .1, random);
    if (spread == Spread::kAntipodal && i % 2 == 1) {
      for (uint8_t& byte : code) byte = static_cast<uint8_t>(~byte);
    }
    codes.push_back(code);
  }
  return codes;
}

std::string word_of(uint32_t i) {
  std::string digits = std::to_string(i);
  return std::string(8 - digits.size(), '0') + digits;  // sorted as numbers
}

// A bundle in memory of exactly its size, and its codes as rows.
struct Opened {
  Opened(const std::vector<Bytes>& codes, Index index) {
    BundleSpec spec;
    spec.bits = static_cast<uint32_t>(codes[0].size() * 8);
    spec.codes = codes;
    for (uint32_t i = 0; i < codes.size(); ++i) spec.words.push_back(word_of(i));
    spec.unmeasured = true;
    data = build_bundle(with_index(spec, index));
    for (const Bytes& code : codes) append(rows, code);
    hushbit_error error = {};
    CHECK_EQ(bundle->open({.bytes = {data.data(), data.size()}}, &error), HUSHBIT_OK);
    CHECK_EQ(bundle->verify(&error), HUSHBIT_OK);
    if (error.status != HUSHBIT_OK) std::cerr << "  " << error.message << '\n';
  }

  const Codes& codes() const { return bundle->codes(); }
  Rows reference() const { return {rows.data(), codes().count, codes().code_bytes}; }

  Bytes data, rows;
  std::unique_ptr<hushbit::Bundle> bundle = std::make_unique<hushbit::Bundle>();
};

bool same_ties(const Ties& a, const Ties& b) {
  return a.distance == b.distance && a.count == b.count &&
         memcmp(a.ids, b.ids, std::min(a.count, Ties::kKept) * sizeof(uint32_t)) == 0;
}

void check_nearest(const Opened& opened, Index index, const Bytes& queries, double flips) {
  const Codes& codes = opened.codes();
  const size_t count = queries.size() / codes.code_bytes;
  std::vector<Ties> expected(count);
  hushbit::find_nearest(opened.reference(), queries.data(), count, expected.data());
  for (const uint32_t search : kSearches) {
    SearchPlan plan;
    const bool possible =
        (search != HUSHBIT_SEARCH_CLUSTERS || index.clusters) && (search != HUSHBIT_SEARCH_MIH || index.mih);
    CHECK_EQ(plan.init(codes, search, flips, nullptr), possible ? HUSHBIT_OK : HUSHBIT_INVALID_ARGUMENT);
    if (!possible) continue;
    std::vector<Ties> found(count);
    SearchWork work;
    CHECK(hushbit::find_nearest(codes, plan, queries.data(), count, found.data(), &work));
    for (size_t q = 0; q < count; ++q) {
      CHECK(same_ties(found[q], expected[q]));
      const uint8_t* query = queries.data() + q * codes.code_bytes;
      for (uint32_t i = 0; i < expected[q].count; i += 1 + expected[q].count / 5) {
        uint32_t id;
        CHECK(hushbit::tied_word(codes, query, found[q], i, &id));
        CHECK_EQ(id, hushbit::tied_word(opened.reference(), query, expected[q], i));
      }
    }
    CHECK_EQ(work.mih.lookups > 0, plan.mih);
    CHECK_EQ(work.scan.planes > 0, plan.clusters && (!plan.mih || work.fallbacks > 0));
    const bool by_row = !plan.clusters && (!plan.mih || work.fallbacks > 0);
    CHECK_EQ(work.rows, by_row ? (plan.mih ? work.fallbacks : count) * codes.count : 0);
  }
}

void check_the_rest(const Opened& opened, const uint8_t* query) {
  const Codes& codes = opened.codes();
  const Rows rows = opened.reference();
  std::vector<uint32_t> counts(codes.bits() + 1), expected_counts(codes.bits() + 1);
  CHECK(hushbit::count_distances(codes, query, codes.bits(), counts.data()));
  hushbit::count_distances(rows, query, codes.bits(), expected_counts.data());
  CHECK(counts == expected_counts);
  for (uint32_t d = 0; d <= codes.bits(); ++d) {
    if (counts[d] == 0) continue;
    uint32_t id;
    CHECK(hushbit::word_at_distance(codes, query, d, counts[d] / 2, &id));
    CHECK_EQ(id, hushbit::word_at_distance(rows, query, d, counts[d] / 2));
  }
  for (const size_t k : {size_t{1}, std::min<size_t>(10, codes.count), size_t{codes.count}}) {
    std::vector<uint32_t> ids(k), distances(k), expected_ids(k), expected_distances(k);
    CHECK(hushbit::find_neighbors(codes, query, k, ids.data(), distances.data()));
    hushbit::find_neighbors(rows, query, k, expected_ids.data(), expected_distances.data());
    CHECK(ids == expected_ids && distances == expected_distances);
  }
}

void check_all(uint32_t count, uint32_t code_bytes, Spread spread, std::mt19937& random) {
  const std::vector<Bytes> codes = make_codes(count, code_bytes, spread, random);
  for (const Index index : kIndexes) {
    const Opened opened(codes, index);
    for (uint32_t id = 0; id < count; id += 1 + count / 40) {
      Bytes code(code_bytes);
      CHECK(opened.codes().copy(id, code.data()) && code == codes[id]);
    }
    Bytes queries;
    double flips = 0;
    for (const double share : {0., .02, .1, .27, .5, 1.}) {
      for (int i = 0; i < 2; ++i) {
        Bytes code = codes[random() % count];
        flip_bits(&code, share, random);
        append(queries, code);
        flips = share * code_bytes * 8;
      }
      check_nearest(opened, index, queries, share == .5 ? NAN : flips);
    }
    check_the_rest(opened, queries.data() + 5 * code_bytes);
    const uint32_t farthest = hushbit::find_farthest(opened.reference(), 0, count, 0);
    const uint32_t first = hushbit::find_farthest(opened.codes(), 0, count / 3, 0);
    CHECK_EQ(hushbit::find_farthest(opened.codes(), count / 3, count, first), farthest);
  }
}

void test_all_layouts() {
  std::mt19937 random(1);
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t count : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 1500u}) {
      check_all(count, code_bytes, Spread::kRandom, random);
    }
    for (const Spread spread : {Spread::kLumpy, Spread::kEqual, Spread::kAntipodal}) {
      check_all(700, code_bytes, spread, random);
    }
  }
}

// Without a word about the way, the noise decides.
void test_plan() {
  std::mt19937 random(2);
  const std::vector<Bytes> codes = make_codes(600, 32, Spread::kRandom, random);
  for (const Index index : kIndexes) {
    Opened opened(codes, index);
    SearchPlan plan;
    Codes planned = opened.codes();
    planned.mih_flips = index.mih ? 20 * Codes::kFlipUnit : 0;
    for (const double flips : {0., 19.9, 20., 20.1, 128.}) {
      CHECK_EQ(plan.init(planned, HUSHBIT_SEARCH_AUTO, flips, nullptr), HUSHBIT_OK);
      CHECK_EQ(plan.mih, index.mih && flips <= 20);
      CHECK_EQ(plan.clusters, index.clusters);
    }
    CHECK_EQ(plan.init(planned, HUSHBIT_SEARCH_AUTO, NAN, nullptr), HUSHBIT_OK);
    CHECK_EQ(plan.mih, index.mih && !index.clusters);
    CHECK_EQ(plan.init(planned, HUSHBIT_SEARCH_MIH + 1, 0, nullptr), HUSHBIT_INVALID_ARGUMENT);
  }
}

}  // namespace

int main() {
  test_all_layouts();
  test_plan();
  return check_result();
}
