// Ascending numbers: each pair read back, for all shapes; damaged bits stay inside; verify refuses what is not
// canonical.
#include "search/mih/elias_fano.h"

#include <random>
#include <vector>

#include "check.h"
#include "mih_builder.h"

namespace {

using hushbit::EliasFano;
using hushbit::testing::Bytes;

std::vector<uint32_t> random_numbers(uint32_t count, uint32_t last, std::mt19937& random) {
  std::vector<uint32_t> numbers(count);
  for (uint32_t& number : numbers) number = random() % (last + 1);
  std::sort(numbers.begin(), numbers.end());
  numbers.front() = 0;
  numbers.back() = last;
  return numbers;
}

// The code with just the 8 bytes behind it that may be loaded, so that sanitizers see any other.
struct Coded {
  explicit Coded(const std::vector<uint32_t>& numbers) : bytes(hushbit::testing::build_elias_fano(numbers)) {
    size = bytes.size();
    bytes.resize(size + 8);
    view = EliasFano(bytes.data(), static_cast<uint32_t>(numbers.size()), numbers.back());
  }
  Bytes bytes;
  size_t size;
  EliasFano view;
};

bool read_pair(const EliasFano& view, uint32_t index, uint32_t* first, uint32_t* second) {
  hushbit::BitPair pair = view.question(index);
  hushbit::find_bit_pairs(&pair, 1);
  return view.read(index, pair, first, second);
}

void check_all(const std::vector<uint32_t>& numbers) {
  const Coded coded(numbers);
  CHECK_EQ(coded.view.size_bytes(), coded.size);
  CHECK(coded.view.verify());
  bool same = true;
  for (uint32_t i = 0; i + 1 < numbers.size(); ++i) {
    uint32_t first, second;
    same &= read_pair(coded.view, i, &first, &second) && first == numbers[i] && second == numbers[i + 1];
  }
  CHECK(same);
}

void test_round_trips() {
  std::mt19937 random(1);
  for (const uint32_t count : {2u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 5000u}) {
    for (const uint32_t last : {0u, 1u, 2u, 63u, 64u, 1000u, 9999u, 100000u, (1u << 27) - 1}) {
      check_all(random_numbers(count, last, random));
    }
    // Everything in one gap.
    std::vector<uint32_t> steps(count, 70000);
    std::fill(steps.begin(), steps.begin() + count / 2, 0);
    check_all(steps);
  }
}

// Any damage: no bad read, and pairs in order and in range.
void test_damage_stays_inside() {
  std::mt19937 random(2);
  for (const uint32_t last : {30u, 300u, 9000u}) {
    const auto numbers = random_numbers(300, last, random);
    const Coded good(numbers);
    for (int round = 0; round < 3000; ++round) {
      Bytes bytes = good.bytes;
      const size_t flips = 1 + random() % 8;
      for (size_t i = 0; i < flips; ++i) bytes[random() % good.size] ^= static_cast<uint8_t>(1u << random() % 8);
      if (round % 10 == 0) std::fill(bytes.begin(), bytes.begin() + random() % good.size, round % 20 == 0 ? 0 : 0xFF);
      const EliasFano view(bytes.data(), 300, last);
      bool inside = true;
      for (uint32_t i = 0; i + 1 < 300; ++i) {
        uint32_t first, second;
        if (read_pair(view, i, &first, &second)) inside &= first <= second && second <= last;
      }
      CHECK(inside);
    }
  }
}

// A code says one thing only: every changed bit is found, in samples, upper and lower bits and padding.
void test_verify_finds_every_bit() {
  std::mt19937 random(3);
  for (const uint32_t last : {150u, 200u, 5000u}) {
    const Coded good(random_numbers(200, last, random));
    for (size_t bit = 0; bit < good.size * 8; ++bit) {
      Bytes bytes = good.bytes;
      bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      const EliasFano view(bytes.data(), 200, last);
      bool differs = !view.verify();
      // Another number in place of one, still in order, is as good a code.
      uint32_t first, second, before_first, before_second;
      for (uint32_t i = 0; !differs && i + 1 < 200; ++i) {
        differs = read_pair(view, i, &first, &second) && read_pair(good.view, i, &before_first, &before_second) &&
                  (first != before_first || second != before_second);
      }
      CHECK(differs);
    }
  }
}

}  // namespace

int main() {
  test_round_trips();
  test_damage_stays_inside();
  test_verify_finds_every_bit();
  return check_result();
}
