// Positions to ids and back, and what a damaged `order` section does.
#include "search/order.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "check.h"
#include "tiled_codes.h"

using namespace hushbit::testing;

namespace {

using hushbit::Order;

hushbit_status open(const Bytes& section, uint32_t words, Order* order) {
  return order->open({section.data(), section.size()}, 0, words, nullptr);
}

void check_permutation(const std::vector<uint32_t>& ids, uint32_t step) {
  const Bytes section = order_section(ids, step);
  const uint32_t words = static_cast<uint32_t>(ids.size());
  Order order;
  CHECK_EQ(open(section, words, &order), HUSHBIT_OK);
  bool same = true;
  for (uint32_t position = 0; position < words; ++position) {
    same &= order.id(position) == ids[position] && order.position(ids[position]) == position;
  }
  CHECK(same);
  CHECK_EQ(order.verify(nullptr), HUSHBIT_OK);
}

std::vector<uint32_t> identity(uint32_t words) {
  std::vector<uint32_t> ids(words);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

void test_permutations() {
  std::mt19937 random(1);
  for (const uint32_t words : {1u, 2u, 3u, 255u, 256u, 257u, 511u, 512u, 513u, 5000u}) {
    for (const uint32_t step : {1u, 2u, 8u, 64u}) {
      auto ids = identity(words);
      check_permutation(ids, step);
      std::rotate(ids.begin(), ids.begin() + 1, ids.end());  // one cycle of all
      check_permutation(ids, step);
      std::reverse(ids.begin(), ids.end());
      check_permutation(ids, step);
      std::shuffle(ids.begin(), ids.end(), random);
      check_permutation(ids, step);
    }
  }
}

// Whatever the bytes are: an error, or an answer in range, and soon.
void test_damage() {
  std::mt19937 random(2);
  const uint32_t words = 700;
  auto ids = identity(words);
  std::shuffle(ids.begin(), ids.end(), random);
  const Bytes good = order_section(ids, 4);
  uint32_t refused = 0, noticed = 0;
  for (uint32_t i = 0; i < 3000; ++i) {
    Bytes bad = good;
    for (uint32_t j = 0; j < 1 + i % 4; ++j) bad[random() % bad.size()] = static_cast<uint8_t>(random());
    Order order;
    if (open(bad, words, &order) != HUSHBIT_OK) {
      ++refused;
      continue;
    }
    noticed += order.verify(nullptr) != HUSHBIT_OK;
    bool in_range = true;
    for (uint32_t word = 0; word < words; ++word) {
      const uint32_t id = order.id(word), position = order.position(word);
      in_range &= id < words || id == HUSHBIT_NO_WORD;
      in_range &= position < words ? order.id(position) == word : position == HUSHBIT_NO_WORD;
    }
    CHECK(in_range);
  }
  CHECK(refused > 10);
  CHECK(noticed > 1000);
  for (size_t size = 0; size < good.size(); size += 1 + size / 16) {
    Order order;
    CHECK_EQ(open(Bytes(good.begin(), good.begin() + static_cast<long>(size)), words, &order), HUSHBIT_CORRUPT_BUNDLE);
  }
}

// Bits that no search depends on, here where a permutation without long cycles has no shortcut.
void test_what_is_left_over() {
  const uint32_t words = 9;
  const Bytes good = order_section(identity(words), 4);
  Order order;
  CHECK_EQ(open(good, words, &order), HUSHBIT_OK);
  CHECK_EQ(order.verify(nullptr), HUSHBIT_OK);
  constexpr size_t kIds = 16, kMarks = kIds + 8, kRanks = kMarks + 64, kTail = kRanks + 8;
  CHECK_EQ(good.size(), kTail + 8);
  for (const size_t at : {kIds + 5, kMarks, kMarks + 1, kMarks + 63, kRanks, kRanks + 4, kTail, kTail + 7}) {
    Bytes bad = good;
    bad[at] ^= 4;
    CHECK_EQ(open(bad, words, &order), HUSHBIT_OK);
    CHECK_EQ(order.verify(nullptr), HUSHBIT_CORRUPT_BUNDLE);
  }
}

}  // namespace

int main() {
  test_permutations();
  test_what_is_left_over();
  test_damage();
  return check_result();
}
