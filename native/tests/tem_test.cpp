// TEM: the weight table's guarantee, and the sampler against the distribution that the table defines.
#include "mechanism/tem.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/chacha20.h"
#include "check.h"
#include "mechanism/input.h"
#include "mechanism/uint128.h"

namespace {

using hushbit::TemWeights;

TemWeights weights_of(double epsilon, double beta, uint32_t words, uint32_t bits) {
  TemWeights weights;
  weights.build(epsilon, beta, words, bits);
  return weights;
}

void test_weights_keep_the_guarantee() {
  for (const double epsilon : {0.0, 1e-6, 0.05, 0.3, 1.0, 4.0, 40.0, 1000.0}) {
    for (const double beta : {1e-300, 1e-18, 1e-9, 0.001, 0.5, 0.999}) {
      for (const uint32_t words : {1u, 2u, 400000u, 1u << 24}) {
        for (const uint32_t bits : {64u, 512u}) {
          const TemWeights weights = weights_of(epsilon, beta, words, bits);
          CHECK(weights.gamma <= bits);
          CHECK(weights.weight[bits] >= 1);
          CHECK(weights.weight[0] < uint64_t{1} << 62);
          bool falls = true;
          for (uint32_t d = 0; d < bits; ++d) {
            const long double ratio = static_cast<long double>(weights.weight[d]) / weights.weight[d + 1];
            falls &= ratio >= 1 && logl(ratio) <= epsilon / 2;
            falls &= d < weights.gamma || ratio == 1;
          }
          CHECK(falls);
          CHECK(weights.epsilon() <= epsilon * (1 + 1e-13));
          // Lowered to what the integers can express, 50 bits of range; else as asked for.
          const double lowered = weights.clamped ? 2 * std::log(0x1p50) / weights.gamma : epsilon;
          CHECK(lowered <= epsilon);
          CHECK(weights.gamma == 0 || weights.epsilon() >= lowered * (1 - 1e-4));
          CHECK(weights.log_range() <= epsilon / 2 * weights.gamma + 1e-9);
          CHECK(weights.near < bits);
          // What is proposed weighs 16 times what words weigh at most: a try succeeds once in 17 times at least.
          const auto proposed = words * static_cast<long double>(weights.weight[weights.near + 1]);
          const auto least = words * static_cast<long double>(weights.weight[bits]);
          CHECK(proposed <= 16.0L * std::max<long double>(weights.weight[0], least));
        }
      }
    }
  }
}

void test_gamma_follows_theorem_4_2() {
  // 2 / 0.5 * ln(0.999 * 399999 / 0.001) = 79.2…
  CHECK_EQ(weights_of(0.5, 0.001, 400000, 256).gamma, 80u);
  CHECK_EQ(weights_of(0.01, 0.001, 400000, 256).gamma, 256u);  // beyond every distance: nothing is truncated
  CHECK_EQ(weights_of(0, 0.001, 400000, 256).gamma, 256u);
  CHECK_EQ(weights_of(0.5, 0.9, 5, 64).gamma, 0u);  // negative in the theorem: the draw is uniform
  CHECK_EQ(weights_of(0.5, 0.001, 1, 64).gamma, 0u);
}

void test_uint128() {
  using hushbit::Uint128;
  Uint128 sum = hushbit::multiply(UINT32_MAX, UINT64_MAX);  // (2^32 - 1)(2^64 - 1)
  CHECK_EQ(sum.high, 0xFFFFFFFEu);
  CHECK_EQ(sum.low, 0xFFFFFFFF00000001u);
  sum += Uint128{0, 0xFFFFFFFF};
  CHECK_EQ(sum.high, 0xFFFFFFFFu);
  CHECK_EQ(sum.low, 0u);
  sum -= Uint128{0, 1};
  CHECK_EQ(sum.high, 0xFFFFFFFEu);
  CHECK_EQ(sum.low, UINT64_MAX);
  CHECK((Uint128{1, 0} < Uint128{1, 1}));
  CHECK(!(Uint128{1, 0} < Uint128{0, UINT64_MAX}));
  CHECK_EQ(hushbit::keep_bits_of({~0ull, ~0ull}, {0, 5}).low, 7u);
  CHECK_EQ(hushbit::keep_bits_of({~0ull, ~0ull}, {1, 0}).high, 1u);
}

bool fill_from_stream(void* state, void* out, size_t size) {
  return static_cast<hushbit::ChaCha20Stream*>(state)->fill(out, size);
}

double chi_square(const std::vector<uint32_t>& seen, const std::vector<double>& expected_share, double draws) {
  double sum = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    const double expected = expected_share[i] * draws;
    sum += (seen[i] - expected) * (seen[i] - expected) / expected;
  }
  return sum;
}

// The share of the draws of each word among many, against the weights. With n words a chi-square has n - 1 degrees of
// freedom; the seed is fixed.
void check_sampler(const std::vector<uint64_t>& rows, double epsilon, uint32_t near, double chi_square_limit) {
  const auto count = static_cast<uint32_t>(rows.size());
  const hushbit::Codes codes(hushbit::Rows{reinterpret_cast<const uint8_t*>(rows.data()), count, 8});
  const hushbit::Tem tem{&codes, weights_of(epsilon, 0.01, count, 64)};
  CHECK(tem.weights.gamma > 8 && tem.weights.gamma < 64);
  CHECK_EQ(tem.weights.near, near);

  const uint8_t key[32] = {1}, nonce[12] = {};
  hushbit::ChaCha20Stream stream(key, nonce);
  const hushbit::RandomSource random{fill_from_stream, &stream};
  constexpr int kDraws = 200000;
  for (const uint32_t input : {0u, 5u, hushbit::kUnknownInput}) {
    std::vector<double> share(count);
    double total = 0;
    for (uint32_t id = 0; id < count; ++id) {
      const int distance = input == hushbit::kUnknownInput ? 0 : std::popcount(rows[id] ^ rows[input]);
      total += share[id] = static_cast<double>(tem.weights.weight[distance]);
    }
    for (double& value : share) value /= total;
    std::vector<uint32_t> seen(count);
    for (int i = 0; i < kDraws; ++i) {
      uint32_t output = 0;
      CHECK_EQ(tem.replace(&input, 1, &random, &output), HUSHBIT_OK);
      ++seen[output];
    }
    CHECK(chi_square(seen, share, kDraws) < chi_square_limit);
  }
}

// Two of the ten words are twins. A chi-square above 59 has probability below 3e-9.
void test_sampler_follows_the_table_where_only_the_word_is_counted() {
  check_sampler({0, 1, 2, 7, 7, 0xFF, 0xFFF, 0xFFFFFFFF, ~0ull, 0xF0}, 0.6, 0, 59);
}

// 120 words, five at each of 24 distances from the first. A chi-square above 230 has probability below 3e-9.
void test_sampler_follows_the_table_where_many_are_counted() {
  std::vector<uint64_t> rows;
  for (uint32_t i = 0; i < 120; ++i) rows.push_back((uint64_t{1} << i / 5) - 1);
  check_sampler(rows, 0.6, 6, 230);
}

// Two words that differ in every bit: without an epsilon neither is likelier. A chi-square above 40, with one degree of
// freedom, has probability below 3e-10; the seed is fixed.
void test_words_at_the_largest_distance() {
  const uint64_t rows[2] = {0, ~0ull};
  const hushbit::Codes codes(hushbit::Rows{reinterpret_cast<const uint8_t*>(rows), 2, 8});
  const hushbit::Tem tem{&codes, weights_of(0, 0.001, 2, 64)};
  const uint8_t key[32] = {2}, nonce[12] = {};
  hushbit::ChaCha20Stream stream(key, nonce);
  const hushbit::RandomSource random{fill_from_stream, &stream};
  std::vector<uint32_t> seen(2);
  for (int i = 0; i < 10000; ++i) {
    const uint32_t input = 0;
    uint32_t output = 0;
    CHECK_EQ(tem.replace(&input, 1, &random, &output), HUSHBIT_OK);
    ++seen[output];
  }
  CHECK(chi_square(seen, {0.5, 0.5}, 10000) < 40);
}

bool fill_with_ones(void* /*state*/, void* out, size_t size) {
  std::memset(out, 0xFF, size);
  return true;
}

// All ones are never below a total that is no power of two.
void test_stuck_source_fails() {
  const uint64_t rows[3] = {0, 1, 2};
  const hushbit::Codes codes(hushbit::Rows{reinterpret_cast<const uint8_t*>(rows), 3, 8});
  const hushbit::Tem tem{&codes, weights_of(1, 0.001, 3, 64)};
  const hushbit::RandomSource ones{fill_with_ones, nullptr};
  const uint32_t input = 0;
  uint32_t output = 0;
  CHECK_EQ(tem.replace(&input, 1, &ones, &output), HUSHBIT_RANDOMNESS_FAILED);
}

bool fill_nothing(void* /*state*/, void* /*out*/, size_t /*size*/) { return false; }

void test_failing_source() {
  const uint64_t row = 0;
  const hushbit::Codes codes(hushbit::Rows{reinterpret_cast<const uint8_t*>(&row), 1, 8});
  const hushbit::Tem tem{&codes, weights_of(1, 0.001, 1, 64)};
  for (const uint32_t input : {0u, hushbit::kUnknownInput}) {
    uint32_t output = 7;
    const hushbit::RandomSource nothing{fill_nothing, nullptr};
    CHECK_EQ(tem.replace(&input, 1, &nothing, &output), HUSHBIT_RANDOMNESS_FAILED);
  }
}

}  // namespace

int main() {
  test_weights_keep_the_guarantee();
  test_gamma_follows_theorem_4_2();
  test_uint128();
  test_sampler_follows_the_table_where_only_the_word_is_counted();
  test_sampler_follows_the_table_where_many_are_counted();
  test_words_at_the_largest_distance();
  test_stuck_source_fails();
  test_failing_source();
  return check_result();
}
