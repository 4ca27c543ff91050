// Every set of kernels against a bit-by-bit count.
#include "search/kernels/kernels.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "check.h"

namespace {

using hushbit::Kernels;
using hushbit::kPlaneBytes;
using hushbit::kTileGroups;
using hushbit::kTileWords;

std::vector<uint8_t> random_bytes(size_t size, uint32_t seed, uint32_t ones_of_eight = 4) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) {
    for (uint32_t bit = 0; bit < 8; ++bit) byte |= static_cast<uint8_t>((random() % 8 < ones_of_eight) << bit);
  }
  return bytes;
}

// What a scan is to find: the ones of each word of a tile in some of its planes.
struct Subject {
  Subject(const std::vector<uint8_t>& tile_, std::vector<uint16_t> planes_) : tile(tile_), planes(std::move(planes_)) {
    for (uint32_t word = 0; word < kTileWords; ++word) {
      for (const uint16_t plane : planes) ones[word] += tile[plane + word / 8] >> (word % 8) & 1;
    }
  }

  const std::vector<uint8_t>& tile;
  std::vector<uint16_t> planes;
  uint32_t ones[kTileWords] = {};
};

// The weights of the groups are 0, `step`, 2 `step`, …
void check_scan(const Kernels& kernels, const Subject& subject, int32_t budget, uint32_t step) {
  uint8_t weights[2 * kTileGroups];
  for (uint32_t group = 0; group < kTileGroups; ++group) {
    weights[2 * group] = static_cast<uint8_t>(group * step);
    weights[2 * group + 1] = static_cast<uint8_t>(group * step >> 8);
  }
  hushbit::TileScan scan = {};
  scan.tile = scan.ahead = subject.tile.data();
  scan.planes = subject.planes.data();
  scan.count = static_cast<uint32_t>(subject.planes.size());
  scan.weights = weights;
  scan.budget = budget;
  hushbit::TileHits hits;
  const uint32_t alive = kernels.scan_tile(scan, &hits);
  uint32_t expected_alive = 0;
  bool same = true;
  for (uint32_t word = 0; word < kTileWords; ++word) {
    const uint32_t ones = subject.ones[word];
    const bool expected = static_cast<int32_t>(2 * ones) <= budget + static_cast<int32_t>(word / 64 * step);
    expected_alive += expected;
    if (alive == 0) continue;
    same &= (hits.alive[word / 64] >> (word % 64) & 1) == expected;
    if (expected) same &= hits.ones(word) == ones;
  }
  CHECK_EQ(alive, expected_alive);
  CHECK(same);
}

void test_scan(const Kernels& kernels) {
  std::mt19937 random(3);
  for (const uint32_t bits : {64u, 128u, 256u, 512u}) {
    for (const uint32_t density : {0u, 1u, 4u, 8u}) {
      const auto tile = random_bytes(size_t{bits} * kPlaneBytes, bits + density, density);
      std::vector<uint16_t> all(bits);
      for (uint32_t i = 0; i < bits; ++i) all[i] = static_cast<uint16_t>(i * kPlaneBytes);
      std::shuffle(all.begin(), all.end(), random);
      for (const uint32_t count : {0u, 1u, 7u, 8u, 9u, 16u, bits / 2, bits - 1, bits}) {
        const Subject subject(tile, {all.begin(), all.begin() + count});
        for (const int32_t budget :
             {-513, -40, -2, -1, 0, 1, 2, 14, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1024}) {
          check_scan(kernels, subject, budget, 0);
          check_scan(kernels, subject, budget, 5);
        }
        check_scan(kernels, subject, -200, 73);
        check_scan(kernels, subject, static_cast<int32_t>(count), 1);
      }
    }
  }
}

void test_zero_planes(const Kernels& kernels) {
  std::mt19937 random(4);
  for (const uint32_t bits : {64u, 128u, 256u, 512u}) {
    const auto code = random_bytes(bits / 8, bits);
    std::vector<uint32_t> order(bits);
    for (uint32_t i = 0; i < bits; ++i) order[i] = i;
    for (uint32_t repeat = 0; repeat < 4; ++repeat) {
      std::shuffle(order.begin(), order.end(), random);
      std::vector<uint8_t> low(bits), high(bits / 8), mask(bits / 8);
      for (uint32_t i = 0; i < bits; ++i) {
        low[i] = static_cast<uint8_t>(order[i]);
        high[i / 8] |= static_cast<uint8_t>((order[i] >> 8) << (i % 8));
      }
      kernels.zero_planes({low.data(), bits > 256 ? high.data() : nullptr}, code.data(), bits, mask.data());
      bool same = true;
      for (uint32_t i = 0; i < bits; ++i) {
        same &= (mask[i / 8] >> (i % 8) & 1) != (code[order[i] / 8] >> (order[i] % 8) & 1);
      }
      CHECK(same);
    }
  }
}

uint32_t plain_distance(const uint8_t* a, const uint8_t* b, uint32_t code_bytes) {
  uint32_t sum = 0;
  for (uint32_t bit = 0; bit < code_bytes * 8; ++bit) sum += (a[bit / 8] ^ b[bit / 8]) >> (bit % 8) & 1;
  return sum;
}

void check_distances(const Kernels& kernels, const std::vector<uint8_t>& codes, size_t stride, uint32_t count,
                     const std::vector<uint8_t>& query) {
  const auto code_bytes = static_cast<uint32_t>(query.size());
  constexpr uint16_t kUntouched = 0xABCD;
  std::vector<uint16_t> distances(count + 1, kUntouched);
  const uint32_t least = kernels.distances(codes.data(), stride, count, query.data(), code_bytes, distances.data());
  uint32_t expected_least = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t expected = plain_distance(codes.data() + i * stride, query.data(), code_bytes);
    CHECK_EQ(distances[i], expected);
    expected_least = std::min(expected_least, expected);
  }
  CHECK_EQ(least, expected_least);
  CHECK_EQ(distances[count], kUntouched);
}

void test_distances(const Kernels& kernels) {
  constexpr uint32_t kMost = 133;
  for (const uint32_t code_bytes : {8u, 16u, 32u, 64u}) {
    for (const uint32_t gap : {0u, 3u}) {
      const size_t stride = code_bytes + gap;
      const auto codes = random_bytes(kMost * stride, code_bytes), query = random_bytes(code_bytes, 9);
      for (const uint32_t count : {1u, 3u, 4u, 7u, 16u, 23u, 24u, 25u, 31u, 32u, 33u, 48u, 64u, 72u, kMost}) {
        check_distances(kernels, codes, stride, count, query);
      }
      // The largest sums, and a least one at each place in turn.
      const std::vector<uint8_t> zeros(code_bytes);
      std::vector<uint8_t> ones(kMost * stride, 0xFF);
      check_distances(kernels, ones, stride, kMost, zeros);
      for (uint32_t i = 0; i < kMost; ++i) {
        ones[i * stride] = 0xFE;
        check_distances(kernels, ones, stride, kMost, zeros);
        ones[i * stride] = 0xFF;
      }
    }
  }
}

void test_sets() {
  const auto sets = hushbit::supported_kernels();
  CHECK(!sets.empty());
  CHECK(std::string(sets.back()->name) == "scalar");
  CHECK_EQ(&hushbit::best_kernels() == sets.front(), true);
  for (size_t i = 0; i < sets.size(); ++i) {
    for (size_t j = 0; j < i; ++j) CHECK(std::string(sets[i]->name) != sets[j]->name);
  }
}

}  // namespace

int main() {
  test_sets();
  for (const Kernels* kernels : hushbit::supported_kernels()) {
    std::cerr << kernels->name << '\n';
    test_scan(*kernels);
    test_zero_planes(*kernels);
    test_distances(*kernels);
  }
  return check_result();
}
