// Every design that is chosen for an epsilon of .1 to 10 and up to 2^24 values: its sets have the size that the theorem
// needs, hold what they should, and the epsilon of its integers is at most the one asked for (docs/proofs.md, Reports).
#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "check.h"
#include "mechanism/report.h"

namespace {

using hushbit::choose_report_design;
using hushbit::kMaxCoordinates;
using hushbit::kMostValues;
using hushbit::Points;
using hushbit::ReportDesign;
using hushbit::ReportMechanism;

constexpr uint32_t kAllUpTo = 1000;  // reports; of larger designs a sample

struct Sets {
  const ReportDesign& design;
  Points points;
  uint64_t wrong = 0;

  explicit Sets(const ReportDesign& of) : design(of), points(of.prime, of.dimension) {}

  bool is_member(uint32_t x, uint32_t y) const {
    uint32_t a[kMaxCoordinates], b[kMaxCoordinates];
    points.coordinates(x, design.dimension, a);
    points.coordinates(y, design.dimension, b);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < design.dimension; ++i) sum += uint64_t{a[i]} * b[i];
    return sum % design.prime == 0;
  }

  std::vector<uint32_t> members(uint32_t x) const {
    std::vector<uint32_t> found;
    for (uint32_t place = 0; place < design.set_size; ++place) found.push_back(points.on_hyperplane(x, place));
    std::sort(found.begin(), found.end());
    return found;
  }

  // Every report of every value.
  void check_all() {
    for (uint32_t x = 0; x < design.reports; ++x) {
      const std::vector<uint32_t> found = members(x);
      wrong += std::adjacent_find(found.begin(), found.end()) != found.end() ? 1 : 0;
      for (uint32_t y = 0; y < design.reports; ++y) {
        wrong += std::binary_search(found.begin(), found.end(), y) != is_member(x, y) ? 1 : 0;
      }
    }
  }

  // The sets of two values as wholes if they are not too large, and single places of others.
  void check_some() {
    const uint32_t last = design.reports - 1;
    if (design.set_size <= 2'000) {
      const std::vector<uint32_t> first = members(0), other = members(last / 3);
      std::vector<uint32_t> both;
      std::set_intersection(first.begin(), first.end(), other.begin(), other.end(), std::back_inserter(both));
      wrong += std::adjacent_find(first.begin(), first.end()) != first.end() ? 1 : 0;
      wrong += both.size() != design.shared ? 1 : 0;
    }
    for (uint32_t i = 0; i < 200; ++i) {
      const uint32_t x = last - static_cast<uint32_t>(uint64_t{last} * i / 200);
      const auto place = static_cast<uint32_t>(uint64_t{design.set_size - 1} * ((i * 37) % 200) / 199);
      const uint32_t y = points.on_hyperplane(x, place);
      wrong += y > last || !is_member(x, y) ? 1 : 0;
      uint32_t coordinates[kMaxCoordinates];
      points.coordinates(x, design.dimension, coordinates);
      wrong += points.number(coordinates) != x ? 1 : 0;
    }
  }
};

// The promise of the integers, in extended precision where there is some: 1 + L Z / ((2^64 - L) s) is at most
// e^epsilon.
void check_promise(double epsilon, uint32_t values) {
  ReportMechanism mechanism;
  mechanism.init(epsilon, values);
  const ReportDesign& design = mechanism.design();
  const auto l = static_cast<long double>(mechanism.threshold());
  const uint64_t rest = 0 - mechanism.threshold();  // 2^64 - L exactly, which a subtraction of doubles is not
  const long double others = rest == 0 ? 0x1p64L : static_cast<long double>(rest);
  const long double odds = l * design.reports / (others * design.set_size);
  CHECK(mechanism.epsilon() <= epsilon);
  CHECK(log1pl(odds) <= static_cast<long double>(mechanism.epsilon()) * (1 + 1e-15L));
  CHECK(log1pl(odds) >= static_cast<long double>(epsilon) * (1 - 1e-12L));
  CHECK_EQ(mechanism.values(), values);
  CHECK(design.reports >= values);
}

bool is_prime(uint32_t n) {
  for (uint32_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

uint64_t count_points(uint32_t prime, uint32_t dimension) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < dimension && count <= UINT32_MAX; ++i) count = count * prime + 1;
  return count;
}

// All that can be chosen up to an epsilon of 10: the variance rises from e^epsilon + 1 on (docs/proofs.md), and for the
// most values, 2^24, three coordinates need a prime of 4,099 at most.
std::vector<ReportDesign> designs() {
  constexpr uint32_t kBehindLargest = 22'031;  // the second prime above e^10 + 1
  std::vector<ReportDesign> found;
  for (uint32_t prime = 2; prime <= kBehindLargest; ++prime) {
    if (!is_prime(prime)) continue;
    for (uint32_t t = 3; count_points(prime, t) <= UINT32_MAX; ++t) {
      found.push_back({.prime = prime,
                       .dimension = t,
                       .reports = static_cast<uint32_t>(count_points(prime, t)),
                       .set_size = static_cast<uint32_t>(count_points(prime, t - 1)),
                       .shared = static_cast<uint32_t>(count_points(prime, t - 2))});
    }
  }
  return found;
}

}  // namespace

int main() {
  std::set<std::pair<uint32_t, uint32_t>> possible;
  uint64_t all = 0;
  for (const ReportDesign& design : designs()) {
    Sets sets(design);
    const bool is_small = design.reports <= kAllUpTo;
    all += is_small ? 1 : 0;
    is_small ? sets.check_all() : sets.check_some();
    CHECK_EQ(sets.wrong, 0u);
    if (sets.wrong > 0) std::cerr << "  in q = " << design.prime << ", t = " << design.dimension << '\n';
    possible.insert({design.prime, design.dimension});
  }
  std::cerr << possible.size() << " designs, " << all << " of them with all their sets\n";
  CHECK(possible.size() > 2500 && all > 20);
  for (int step = 2; step <= 200; ++step) {
    for (double size = 2; size <= kMostValues; size *= 1.2) {
      const ReportDesign design = choose_report_design(step * 0.05, static_cast<uint32_t>(size));
      CHECK(design.is_randomized_response() || possible.count({design.prime, design.dimension}) == 1);
      if (step % 10 == 0) check_promise(step * 0.05, static_cast<uint32_t>(size));
    }
  }
  return check_result();
}
