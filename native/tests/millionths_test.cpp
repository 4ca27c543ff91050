// Costs in millionths: never less than they are, and exact where they can be.
#include "base/millionths.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/rounding.h"
#include "check.h"

using namespace hushbit;

namespace {

// Never less than the exact product, and less than one more.
void test_rounding_up() {
  CHECK_EQ(millionths_above(0), 0u);
  CHECK_EQ(millionths_above(-0.0), 0u);
  CHECK_EQ(millionths_above(1), 1000000u);
  CHECK_EQ(millionths_above(0.5), 500000u);
  CHECK_EQ(millionths_above(5e-324), 1u);
  CHECK_EQ(millionths_above(1e-6), 1u);
  CHECK_EQ(millionths_above(std::nextafter(1e-6, 1)), 2u);
  CHECK_EQ(millionths_above(0.1), 100001u);  // the double 0.1 is a little more than a tenth
  CHECK_EQ(millionths_above(0.3), 300000u);  // and this a little less
  CHECK_EQ(millionths_above(HUGE_VAL), kInfiniteCost);
  CHECK_EQ(millionths_above(1e300), kInfiniteCost);
  CHECK_EQ(millionths_above(18446744073710.0), kInfiniteCost);
  CHECK(millionths_above(18446744073709.0) < kInfiniteCost);
  for (int i = 1; i < 20000; ++i) {
    const double cost = i * 0.001 * (1 + i % 7 * 0x1p-52);
    const uint64_t units = millionths_above(cost);
    CHECK(static_cast<double>(units) >= std::floor(cost * 1e6));
    CHECK(std::fma(cost, 1e6, -static_cast<double>(units)) <= 0);
    CHECK(std::fma(cost, 1e6, -static_cast<double>(units)) > -1);
  }
}

// What a person writes with six decimals is what is counted, and what is shown.
void test_what_is_stated() {
  for (uint64_t units = 1; units < uint64_t{1} << 53; units = units * 3 / 2 + 1) {
    char decimals[40];
    std::snprintf(decimals, sizeof(decimals), "%llu.%06llu", static_cast<unsigned long long>(units / 1000000),
                  static_cast<unsigned long long>(units % 1000000));
    const double stated = std::strtod(decimals, nullptr);
    CHECK_EQ(stated_millionths(stated), units);
    CHECK_EQ(millionths_of_cap(stated), units);
    CHECK_EQ(of_millionths(units), stated);
    // A promise of what it stands for, not of the double that may be above that.
    const double promised = at_most_as_stated(stated);
    CHECK(promised <= stated && promised >= std::nextafter(stated, 0));
    CHECK(std::fma(promised, 1e6, -static_cast<double>(units)) <= 0);
    CHECK_EQ(at_most_as_stated(promised), promised);
  }
  CHECK_EQ(at_most_as_stated(6), 6);
  CHECK_EQ(at_most_as_stated(6.3), 6.3);                      // a little less than it stands for
  CHECK_EQ(at_most_as_stated(6.2), std::nextafter(6.2, 0));   // a little more
  CHECK_EQ(at_most_as_stated(6.20000000001), 6.20000000001);  // no millionths
  CHECK_EQ(stated_millionths(6.20000000001), 6200001u);
  CHECK_EQ(millionths_of_cap(6.20000000001), 6200000u);
  CHECK_EQ(stated_millionths(HUGE_VAL), kInfiniteCost);
  CHECK_EQ(millionths_of_cap(HUGE_VAL), kInfiniteCost);
  CHECK(millionths_of_cap(1e300) < kInfiniteCost);
  CHECK_EQ(of_millionths(kInfiniteCost), HUGE_VAL);
}

// Beyond what doubles hold exactly, they are not less.
void test_large_costs() {
  for (uint64_t units = uint64_t{1} << 53; units < uint64_t{1} << 62; units += units / 4 + 7) {
    CHECK(static_cast<long double>(of_millionths(units)) * 1e6L >= static_cast<long double>(units));
    CHECK(stated_millionths(of_millionths(units)) >= units);
  }
  CHECK_EQ(saturating_sum(UINT64_MAX - 1, 1), UINT64_MAX);
  CHECK_EQ(saturating_sum(UINT64_MAX, 1), UINT64_MAX);
  CHECK_EQ(saturating_product(UINT64_MAX / 3, 3), UINT64_MAX);
  CHECK_EQ(saturating_product(UINT64_MAX / 2, 3), UINT64_MAX);
  CHECK_EQ(saturating_product(0, 3), 0u);
}

void test_products() {
  CHECK_EQ(product_up(5, 6), 30);
  CHECK_EQ(product_up(0, 6), 0);
  CHECK_EQ(product_up(0.549, 205),
           std::fma(0.549, 205, -0.549 * 205) > 0 ? std::nextafter(0.549 * 205, HUGE_VAL) : 0.549 * 205);
  for (int i = 1; i < 2000; ++i) {
    const double a = i / 37.0, product = product_up(a, i);
    CHECK(std::fma(a, i, -product) <= 0);
    CHECK(std::fma(a, i, -std::nextafter(product, 0)) > 0);
  }
}

}  // namespace

int main() {
  test_rounding_up();
  test_what_is_stated();
  test_large_costs();
  test_products();
  return check_result();
}
