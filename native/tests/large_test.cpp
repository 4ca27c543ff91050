// Four million words: every search finds what a plain loop finds. Built for the machine itself and without sanitizers
// only, where it takes seconds.
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "check.h"
#include "mih_builder.h"
#include "search/codes.h"
#include "search/search.h"
#include "tiled_codes.h"

using namespace hushbit::testing;

namespace {

using hushbit::Codes;
using hushbit::SearchPlan;
using hushbit::Ties;

constexpr uint32_t kWords = 4'000'000, kCodeBytes = 8, kClusterTiles = 8;

// Around a few thousand centers, as real codes are, and in that order, so that clusters are alike.
Bytes make_rows() {
  std::mt19937_64 random(1);
  Bytes rows(size_t{kWords} * kCodeBytes);
  uint64_t center = 0;
  for (uint32_t word = 0; word < kWords; ++word) {
    if (word % 1000 == 0) center = random();
    const uint64_t code = center ^ (random() & random() & random());
    memcpy(&rows[size_t{word} * kCodeBytes], &code, kCodeBytes);
  }
  return rows;
}

struct Expected {
  uint32_t distance = 65, count = 0, first = 0;
};

Expected plain_search(const Bytes& rows, uint64_t query) {
  Expected best;
  for (uint32_t word = 0; word < kWords; ++word) {
    uint64_t code;
    memcpy(&code, &rows[size_t{word} * kCodeBytes], kCodeBytes);
    const auto distance = static_cast<uint32_t>(std::popcount(code ^ query));
    if (distance < best.distance) best = {distance, 0, word};
    if (distance == best.distance) ++best.count;
  }
  return best;
}

void test_four_million_words() {
  const Bytes rows = make_rows();
  const uint32_t tiles = (kWords + hushbit::kTileWords - 1) / hushbit::kTileWords;
  std::vector<uint32_t> cluster_tiles(tiles / kClusterTiles, kClusterTiles);
  if (tiles % kClusterTiles != 0) cluster_tiles.push_back(tiles % kClusterTiles);
  const Layout layout(rows, kCodeBytes, cluster_tiles, 2);
  Bytes laid_out;
  for (const uint32_t id : layout.ids()) {
    laid_out.insert(laid_out.end(), rows.begin() + long{id} * kCodeBytes, rows.begin() + (long{id} + 1) * kCodeBytes);
  }
  const Bytes mih = build_mih({laid_out, kCodeBytes, usual_substrings(kWords, 64), 6});

  const auto codes = std::make_unique<Codes>();
  codes->count = kWords;
  codes->code_bytes = kCodeBytes;
  codes->clustered = codes->has_mih = true;
  const Sections& sections = layout.sections();
  CHECK_EQ(codes->tiled.tiles.open(sections.codes, 0, sections.clusters, 0, kWords, 64, nullptr), HUSHBIT_OK);
  CHECK_EQ(codes->tiled.order.open(sections.order, 0, kWords, nullptr), HUSHBIT_OK);
  CHECK_EQ(codes->mih.open(mih, 0, kWords, 64, nullptr), HUSHBIT_OK);

  std::mt19937_64 random(3);
  for (const uint32_t noisy : {0u, 3u, 20u}) {
    uint64_t query;
    memcpy(&query, &rows[random() % kWords * kCodeBytes], kCodeBytes);
    for (uint32_t i = 0; i < noisy; ++i) query ^= uint64_t{1} << random() % 64;
    uint8_t bytes[kCodeBytes];
    memcpy(bytes, &query, kCodeBytes);
    const Expected expected = plain_search(rows, query);
    for (const uint32_t search : {HUSHBIT_SEARCH_ROWS, HUSHBIT_SEARCH_CLUSTERS, HUSHBIT_SEARCH_MIH}) {
      SearchPlan plan;
      CHECK_EQ(plan.init(*codes, search, 0, nullptr), HUSHBIT_OK);
      Ties ties;
      CHECK(hushbit::find_nearest(*codes, plan, bytes, 1, &ties));
      CHECK_EQ(ties.distance, expected.distance);
      CHECK_EQ(ties.count, expected.count);
      CHECK_EQ(ties.ids[0], expected.first);
    }
  }
}

}  // namespace

int main() {
  test_four_million_words();
  return check_result();
}
