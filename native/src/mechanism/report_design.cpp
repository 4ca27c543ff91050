#include "mechanism/report_design.h"

#include <algorithm>

#include "mechanism/coin.h"
#include "mechanism/uint128.h"

namespace hushbit {
namespace {

constexpr uint64_t kOne = uint64_t{1} << 32;  // 1 in the fixed point of this file, 32 bits of fraction
constexpr uint64_t kTooMany = kOne;           // reports have 32 bits

// Returns (q^t - 1) / (q - 1), or kTooMany.
uint64_t points(uint32_t q, uint32_t t) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < t; ++i) count = std::min(count * q + 1, kTooMany);
  return count;
}

bool is_prime(uint32_t n) {
  if (n < 4) return n >= 2;
  if (n % 2 == 0) return false;
  for (uint32_t d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return true;
}

// Finds the first prime from `n` on, in steps of 1 or -1 and no farther than `end`. Returns 0 if there is none.
uint32_t find_prime(uint32_t n, int step, uint32_t end) {
  for (; step > 0 ? n <= end : n >= end; n += static_cast<uint32_t>(step)) {
    if (is_prime(n)) return n;
  }
  return 0;
}

// Finds the least q in [2, 2^16] with at least `count` points; their number rises with q. Returns 2^16 + 1 if none has.
uint32_t least_with(uint64_t count, uint32_t t) {
  uint32_t low = 2, high = (1u << 16) + 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (points(middle, t) >= count) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Returns a * b, which must be below 2^128.
Uint128 product(uint64_t a, uint64_t b) {
  const Uint128 high = multiply(static_cast<uint32_t>(a >> 32), b);
  Uint128 sum = {high.high << 32 | high.low >> 32, high.low << 32};
  sum += multiply(static_cast<uint32_t>(a), b);
  return sum;
}

// Returns a * b, which must again be below 2^128.
Uint128 product(const Uint128& a, uint32_t b) {
  Uint128 sum = multiply(b, a.low);
  sum += {multiply(b, a.high).low, 0};
  return sum;
}

// The variance of a count as a fraction, (s X + s2 (2^32 - X)) (q X + 2^32 - X) / q^(t - 2), where X is 2^32
// e^-epsilon. s q is below 2^32, so the numerator is below 2^96, and the denominator is below 2^32.
struct Variance {
  Uint128 numerator;
  uint32_t denominator = 1;

  friend bool operator<(const Variance& a, const Variance& b) {
    return product(a.numerator, b.denominator) < product(b.numerator, a.denominator);
  }
};

Variance variance_of(const ReportDesign& design, uint32_t x) {
  const uint64_t rest = kOne - x;
  Variance variance = {
      product(uint64_t{design.set_size} * x + uint64_t{design.shared} * rest, uint64_t{design.prime} * x + rest)};
  for (uint32_t i = 2; i < design.dimension; ++i) variance.denominator *= design.prime;
  return variance;
}

ReportDesign geometry(uint32_t prime, uint32_t dimension) {
  return {.prime = prime,
          .dimension = dimension,
          .reports = static_cast<uint32_t>(points(prime, dimension)),
          .set_size = static_cast<uint32_t>(points(prime, dimension - 1)),
          .shared = static_cast<uint32_t>(points(prime, dimension - 2))};
}

// Returns the best prime for so many coordinates, which are at least 3, or 0 if there is none. The variance is convex
// in q (docs/proofs.md), so a search from a prime near the best one over its neighbors finds the best one.
uint32_t best_prime(uint32_t t, uint32_t x, uint32_t values) {
  const uint32_t least = least_with(values, t), end = least_with(kTooMany, t);
  if (least >= end) return 0;
  const uint32_t most = end - 1;
  const auto near = static_cast<uint32_t>(std::clamp<uint64_t>(kOne / x, least, most));
  uint32_t q = find_prime(near, 1, most);
  if (q == 0) q = find_prime(near, -1, least);
  if (q == 0) return 0;
  const auto variance = [&](uint32_t prime) { return variance_of(geometry(prime, t), x); };
  for (uint32_t next = find_prime(q + 1, 1, most); next != 0 && variance(next) < variance(q);) {
    q = next;
    next = find_prime(q + 1, 1, most);
  }
  for (uint32_t next = find_prime(q - 1, -1, least); next != 0 && !(variance(q) < variance(next));) {
    q = next;
    next = find_prime(q - 1, -1, least);
  }
  return q;
}

}  // namespace

ReportDesign choose_report_design(double epsilon, uint32_t values) {
  const uint32_t x = exp_minus_below_one(epsilon);
  ReportDesign best = {.prime = values - 1, .dimension = 2, .reports = values, .set_size = 1, .shared = 0};
  Variance least = variance_of(best, x);
  for (uint32_t t = 3; t <= kMaxCoordinates; ++t) {
    const uint32_t prime = best_prime(t, x, values);
    if (prime == 0) continue;
    const ReportDesign design = geometry(prime, t);
    const Variance variance = variance_of(design, x);
    if (!(variance < least)) continue;
    best = design;
    least = variance;
  }
  return best;
}

}  // namespace hushbit
