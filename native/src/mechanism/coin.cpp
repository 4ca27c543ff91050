#include "mechanism/coin.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"

namespace hushbit {
namespace {

// A non-negative fixed-point number. limb[0] is the integer part; limb[1] to limb[6] are 192 bits of fraction, the most
// significant first. Limbs have 32 bits, since armv7 has no 128-bit product.
constexpr int kLimbs = 7;
struct Fixed {
  uint32_t limb[kLimbs] = {};
};

void add(Fixed& a, const Fixed& b) {
  uint64_t carry = 0;
  for (int i = kLimbs - 1; i >= 0; --i) {
    carry += uint64_t{a.limb[i]} + b.limb[i];
    a.limb[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
}

// Computes a -= b; b must not be larger than a.
void subtract(Fixed& a, const Fixed& b) {
  uint64_t borrow = 0;
  for (int i = kLimbs - 1; i >= 0; --i) {
    const uint64_t difference = uint64_t{a.limb[i]} - b.limb[i] - borrow;
    a.limb[i] = static_cast<uint32_t>(difference);
    borrow = difference >> 63;
  }
}

bool less(const Fixed& a, const Fixed& b) {
  for (int i = 0; i < kLimbs; ++i) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i];
  }
  return false;
}

void double_it(Fixed& a) { add(a, Fixed(a)); }

// Returns a * b, rounded down to 192 bits of fraction.
Fixed multiply(const Fixed& a, const Fixed& b) {
  uint32_t product[2 * kLimbs] = {};
  for (int i = kLimbs - 1; i >= 0; --i) {
    uint64_t carry = 0;
    for (int j = kLimbs - 1; j >= 0; --j) {
      carry += uint64_t{a.limb[i]} * b.limb[j] + product[i + j + 1];
      product[i + j + 1] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product[i] = static_cast<uint32_t>(carry);
  }
  Fixed result;
  memcpy(result.limb, product + 1, sizeof(result.limb));
  return result;
}

void divide_by(Fixed& a, uint32_t divisor) {
  uint64_t remainder = 0;
  for (uint32_t& limb : a.limb) {
    remainder = remainder << 32 | limb;
    limb = static_cast<uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
}

// Returns epsilon / 2^shift exactly, for 2^-63 <= epsilon < 64 and a shift of at most 64. Its lowest bit is above
// 2^-192.
Fixed from_double(double epsilon, int shift) {
  Fixed result;
  double rest = ldexp(epsilon, -shift);
  for (uint32_t& limb : result.limb) {
    limb = static_cast<uint32_t>(rest);
    rest = ldexp(rest - limb, 32);
  }
  return result;
}

// Returns e^-epsilon with an error below 2^-170. The Taylor series of e^-r with r = epsilon / 2^12 < 2^-6 is cut after
// 24 terms (the rest is below 2^-220) and rounded down 48 times, so it is off by less than 2^-186. Each of the 12
// squarings at most doubles the error and adds one rounding.
Fixed exp_minus(double epsilon) {
  constexpr int kSquarings = 12;
  constexpr uint32_t kTerms = 24;
  const Fixed r = from_double(epsilon, kSquarings);
  Fixed positive, negative, term;
  term.limb[0] = 1;
  for (uint32_t k = 1; k <= kTerms; ++k) {
    add(k % 2 == 1 ? positive : negative, term);
    term = multiply(term, r);
    divide_by(term, k);
  }
  subtract(positive, negative);
  for (int i = 0; i < kSquarings; ++i) positive = multiply(positive, positive);
  return positive;
}

// Returns floor(2^64 * a / divisor) by long division, which leaves the remainder in `a`. a must be less than the
// divisor, so that the quotient has 64 bits, and the divisor below 2^31, so that nothing overflows.
uint64_t divide(Fixed& a, const Fixed& divisor) {
  uint64_t quotient = 0;
  for (int bit = 0; bit < 64; ++bit) {
    double_it(a);
    quotient <<= 1;
    if (!less(a, divisor)) {
      subtract(a, divisor);
      quotient |= 1;
    }
  }
  return quotient;
}

// Returns value / 2^32.
Fixed below_one(uint32_t value) {
  Fixed result;
  result.limb[1] = value;
  return result;
}

}  // namespace

uint64_t flip_threshold(double epsilon) {
  // Below 2^-63 the exact value lies in (2^63 - 1/2, 2^63]; from 45 on it is below 1.
  if (epsilon < 0x1p-63) return kFairCoin;
  if (epsilon >= 45) return 1;

  const Fixed x = exp_minus(epsilon);
  Fixed divisor = x;
  divisor.limb[0] += 1;
  Fixed remainder = x;
  const uint64_t quotient = divide(remainder, divisor);
  // The quotient times 2^64 is off by less than 2^-100, so the true value lies below quotient + 1 unless the remainder
  // is that close to the divisor. Then one more is on the safe side.
  Fixed slack;
  slack.limb[4] = 1u << 28;  // 2^-100
  add(remainder, slack);
  const uint64_t threshold = quotient + (less(remainder, divisor) ? 1 : 2);
  return threshold < kFairCoin ? threshold : kFairCoin;
}

double epsilon_of_threshold(uint64_t threshold) {
  return log1p_ratio_rounded_up(2 * (kFairCoin - threshold), threshold);
}

double epsilon_to_fair_coin(uint64_t threshold) { return log1p_ratio_rounded_up(kFairCoin - threshold, threshold); }

// With x = e^-epsilon the fraction is (1 - x) m / (x M + (1 - x) m). Both masses are divided by 2^32, so that all
// numbers are below 1. The error of x, below 2^-170, and three roundings leave each of the two off by less than 2^-169;
// the divisor lies between m and M, at 2^-32 or more, so the fraction is off by less than 2^-136.
uint64_t crowd_threshold(double epsilon, uint32_t crowd_mass, uint32_t all_mass) {
  if (epsilon < 0x1p-63) return 0;
  const Fixed x = exp_minus(epsilon < kMaxCrowdEpsilon ? epsilon : kMaxCrowdEpsilon);
  Fixed rest;
  rest.limb[0] = 1;
  subtract(rest, x);
  Fixed remainder = multiply(rest, below_one(crowd_mass));
  Fixed divisor = multiply(x, below_one(all_mass));
  add(divisor, remainder);
  const uint64_t quotient = divide(remainder, divisor);
  // The quotient times 2^64 is off by less than 2^-72: the true value is not below the quotient, unless the remainder
  // is that close to zero. Then one less is on the safe side.
  Fixed slack;
  slack.limb[3] = 1u << 24;  // 2^-72
  return quotient > 0 && less(remainder, slack) ? quotient - 1 : quotient;
}

// There are five roundings: two conversions, two products and a division.
double epsilon_of_crowd(uint64_t threshold, uint32_t crowd_mass, uint32_t all_mass) {
  if (threshold == 0) return 0;
  const uint64_t rest = 0 - threshold;  // 2^64 - L
  return log1p_rounded_up(static_cast<double>(threshold) * all_mass / (static_cast<double>(rest) * crowd_mass));
}

uint32_t exp_minus_below_one(double epsilon) { return exp_minus(epsilon).limb[1]; }

uint64_t uniform_index(uint64_t u, uint32_t count, bool* accepted) {
  // The 96-bit product u * count in two halves.
  const uint64_t low = (u & UINT32_MAX) * count;
  const uint64_t high = (u >> 32) * count + (low >> 32);
  const uint64_t product_low = high << 32 | (low & UINT32_MAX);
  // It is rejected below 2^64 mod count, which hardly ever is so near that it must be computed.
  *accepted = product_low >= count || product_low >= (UINT64_MAX % count + 1) % count;
  return high >> 32;
}

bool draw_below(uint32_t count, uint64_t u, RandomSource random, uint32_t* index) {
  for (int redraws = 0;; ++redraws) {
    bool accepted = false;
    *index = static_cast<uint32_t>(uniform_index(u, count, &accepted));
    if (accepted) return true;
    if (redraws == kMaxRedraws || !random.fill(random.state, &u, sizeof(u))) return false;
  }
}

}  // namespace hushbit
