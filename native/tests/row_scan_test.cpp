// The scan against a plain double loop: nearest words, ties, neighbors and the farthest pair.
#include "search/scan/row_scan.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "check.h"
#include "search/hamming.h"

namespace {

using hushbit::Rows;

// `varying` bits are random, the others zero, so that few varying bits make many ties.
std::vector<uint8_t> random_codes(uint32_t count, uint32_t code_bytes, uint32_t varying, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> codes(size_t{count} * code_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t bit = 0; bit < varying; ++bit) {
      codes[i * code_bytes + bit / 8] |= static_cast<uint8_t>((random() & 1) << (bit % 8));
    }
  }
  return codes;
}

uint32_t plain_distance(const uint8_t* a, const uint8_t* b, uint32_t code_bytes) {
  uint32_t distance = 0;
  for (uint32_t bit = 0; bit < code_bytes * 8; ++bit) {
    distance += (a[bit / 8] >> bit % 8 & 1) != (b[bit / 8] >> bit % 8 & 1);
  }
  return distance;
}

void check_against_plain(const Rows& codes, const std::vector<uint8_t>& queries) {
  const size_t count = queries.size() / codes.code_bytes;
  std::vector<hushbit::Ties> ties(count);
  hushbit::find_nearest(codes, queries.data(), count, ties.data());
  for (size_t q = 0; q < count; ++q) {
    const uint8_t* query = queries.data() + q * codes.code_bytes;
    std::vector<std::pair<uint32_t, uint32_t>> all;
    for (uint32_t id = 0; id < codes.count; ++id) {
      all.emplace_back(plain_distance(codes.row(id), query, codes.code_bytes), id);
    }
    std::sort(all.begin(), all.end());
    uint32_t tied = 0;
    while (tied < codes.count && all[tied].first == all[0].first) ++tied;
    CHECK_EQ(ties[q].distance, all[0].first);
    CHECK_EQ(ties[q].count, tied);
    for (uint32_t i = 0; i < tied; ++i) CHECK_EQ(hushbit::tied_word(codes, query, ties[q], i), all[i].second);

    for (const size_t k : {size_t{1}, std::min<size_t>(10, codes.count), size_t{codes.count}}) {
      std::vector<uint32_t> ids(k), distances(k);
      hushbit::find_neighbors(codes, query, k, ids.data(), distances.data());
      bool same = true;
      for (size_t i = 0; i < k; ++i) same &= std::pair(distances[i], ids[i]) == all[i];
      CHECK(same);
    }
  }
}

void test_nearest_and_neighbors() {
  uint32_t seed = 1;
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t count : {1u, 2u, 255u, 513u, 2100u}) {
      for (const uint32_t varying : {0u, 3u, code_bytes * 8}) {
        const auto rows = random_codes(count, code_bytes, varying, seed++);
        const auto queries = random_codes(4, code_bytes, code_bytes * 8, seed++);
        check_against_plain({rows.data(), count, code_bytes}, queries);
      }
    }
  }
}

void test_farthest() {
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    const auto rows = random_codes(700, code_bytes, code_bytes * 8, code_bytes);
    const Rows codes{rows.data(), 700, code_bytes};
    uint32_t expected = 0;
    for (uint32_t i = 0; i < codes.count; ++i) {
      for (uint32_t j = i; j < codes.count; ++j) {
        expected = std::max(expected, plain_distance(codes.row(i), codes.row(j), code_bytes));
      }
    }
    CHECK_EQ(hushbit::find_farthest(codes, 0, 700, 0), expected);
    CHECK_EQ(hushbit::find_farthest(codes, 300, 700, hushbit::find_farthest(codes, 0, 300, 0)), expected);
    CHECK_EQ(hushbit::find_farthest(codes, 0, 700, expected + 1), expected + 1);
    CHECK_EQ(hushbit::find_farthest(codes, 5, 5, 3), 3u);
  }
}

}  // namespace

int main() {
  test_nearest_and_neighbors();
  test_farthest();
  return check_result();
}
