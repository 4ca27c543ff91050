// The exact coin.
// Thresholds are compared with high-precision arithmetic for many epsilons in tests/interface/test_threshold.py.
#include "mechanism/coin.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "check.h"
#include "mechanism/brr.h"

namespace {

using hushbit::flip_threshold;
using hushbit::kFairCoin;

void test_thresholds() {
  CHECK_EQ(flip_threshold(0), kFairCoin);
  CHECK_EQ(flip_threshold(0x1p-1074), kFairCoin);
  CHECK_EQ(flip_threshold(0x1p-64), kFairCoin);
  // ceil(2^64 / (1 + e^epsilon)), from mpmath at 400 bits.
  CHECK_EQ(flip_threshold(0.5), 6964396094736529935u);
  CHECK_EQ(flip_threshold(1), 4961093570831980854u);
  CHECK_EQ(flip_threshold(20), 38021573292u);
  CHECK_EQ(flip_threshold(44.25), 2u);
  CHECK_EQ(flip_threshold(44.5), 1u);
  CHECK_EQ(flip_threshold(45), 1u);
  CHECK_EQ(flip_threshold(1e308), 1u);
}

void test_threshold_falls_with_epsilon() {
  uint64_t last = kFairCoin;
  for (double epsilon = 0; epsilon < 50; epsilon += 0.0625) {
    const uint64_t threshold = flip_threshold(epsilon);
    CHECK(threshold <= last);
    last = threshold;
  }
}

void test_bounds_are_upper_bounds_and_close() {
  // Where long double is no wider than double (32-bit ARM) there is nothing to compare with here.
  if constexpr (std::numeric_limits<long double>::digits == std::numeric_limits<double>::digits) return;
  for (const double epsilon : {1e-9, 0.01, 0.25, 0.5, 1.0, 2.0, 10.0, 40.0}) {
    const uint64_t threshold = flip_threshold(epsilon);
    const double bound = hushbit::epsilon_of_threshold(threshold);
    const long double t = static_cast<long double>(threshold);
    const long double exact = log1pl((0x1p64L - 2 * t) / t);
    CHECK(bound >= static_cast<double>(exact));
    CHECK(bound <= static_cast<double>(exact * (1 + 1e-14L)));
    CHECK(hushbit::epsilon_to_fair_coin(threshold) >= static_cast<double>(log1pl((0x1p63L - t) / t)));
  }
  CHECK(hushbit::epsilon_of_threshold(1) > 44.36 && hushbit::epsilon_of_threshold(1) < 44.37);
  CHECK_EQ(hushbit::epsilon_of_threshold(kFairCoin), 0.0);
}

void test_a_bit_flips_below_the_threshold_only() {
  const uint64_t threshold = 1000;
  std::vector<uint64_t> coins(64, threshold);
  coins[0] = threshold - 1;
  coins[13] = 0;
  coins[63] = 999;
  uint8_t code[8] = {0xFF, 0, 0, 0, 0, 0, 0, 0xF0}, noisy[8];
  hushbit::randomize_bits(code, 64, threshold, reinterpret_cast<const uint8_t*>(coins.data()), noisy);
  const uint8_t expected[8] = {0xFE, 0x20, 0, 0, 0, 0, 0, 0x70};
  CHECK(std::memcmp(noisy, expected, 8) == 0);
}

// With a toy "2^64" the count of inputs for each index could be enumerated; at full size, check the boundaries: index i
// is given for u in [ceil(i * 2^64 / count), ...), and exactly 2^64 mod count values are rejected.
void test_uniform_index() {
  bool accepted = false;
  CHECK_EQ(hushbit::uniform_index(0, 1, &accepted), 0u);
  CHECK(accepted);
  CHECK_EQ(hushbit::uniform_index(UINT64_MAX, 1, &accepted), 0u);
  CHECK_EQ(hushbit::uniform_index(UINT64_MAX, 7, &accepted), 6u);
  CHECK(accepted);
  CHECK_EQ(hushbit::uniform_index(uint64_t{1} << 63, 2, &accepted), 1u);
  CHECK_EQ(hushbit::uniform_index((uint64_t{1} << 63) - 1, 2, &accepted), 0u);
  // 2^64 mod 3 = 1: only u = 0, whose product has low half 0, is rejected.
  hushbit::uniform_index(0, 3, &accepted);
  CHECK(!accepted);
  hushbit::uniform_index(1, 3, &accepted);
  CHECK(accepted);
  // 2^64 mod (2^32 - 1) = 1, the largest count.
  CHECK_EQ(hushbit::uniform_index(UINT64_MAX, UINT32_MAX, &accepted), UINT32_MAX - 1u);
}

}  // namespace

int main() {
  test_thresholds();
  test_threshold_falls_with_epsilon();
  test_bounds_are_upper_bounds_and_close();
  test_a_bit_flips_below_the_threshold_only();
  test_uniform_index();
  return check_result();
}
