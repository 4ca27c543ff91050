// Reports of values: the design and the draw against the golden vectors; every point, set and place of small designs;
// the same counts of outcomes that the theorem is about.
#include "mechanism/report.h"

#include <cmath>
#include <cstring>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "base/chacha20.h"
#include "check.h"
#include "json.h"

namespace {

using hushbit::choose_report_design;
using hushbit::Points;
using hushbit::RandomSource;
using hushbit::ReportDesign;
using hushbit::ReportMechanism;

// A fixed stream of random bytes; asking for more than there are fails.
struct Stream {
  std::string left;

  static bool fill(void* state, void* out, size_t size) {
    auto* stream = static_cast<Stream*>(state);
    if (stream->left.size() < size) return false;
    std::memcpy(out, stream->left.data(), size);
    stream->left.erase(0, size);
    return true;
  }
  RandomSource source() { return {fill, this}; }
};

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

void test_designs_of_the_vectors(const Json& vectors) {
  for (const Json& item : vectors["designs"].items()) {
    ReportMechanism mechanism;
    const double epsilon = item["epsilon"].number();
    mechanism.init(epsilon, static_cast<uint32_t>(item["values"].integer()));
    const ReportDesign& design = mechanism.design();
    CHECK_EQ(design.prime, item["q"].integer());
    CHECK_EQ(design.dimension, item["t"].integer());
    CHECK_EQ(design.reports, item["reports"].integer());
    CHECK_EQ(design.set_size, item["set_size"].integer());
    CHECK_EQ(design.shared, item["shared"].integer());
    CHECK_EQ(mechanism.threshold(), std::strtoull(item["threshold"].text().c_str(), nullptr, 16));
    CHECK(close(mechanism.epsilon(), item["effective_epsilon"].number()));
    CHECK(mechanism.epsilon() <= epsilon);
  }
}

void test_draws_of_the_vectors(const Json& vectors) {
  for (const Json& item : vectors["draws"].items()) {
    ReportMechanism mechanism;
    mechanism.init(item["epsilon"].number(), static_cast<uint32_t>(item["values"].integer()));
    Stream stream{item["stream"].bytes()};
    uint64_t drawn[ReportMechanism::kDrawnNumbers];
    CHECK(Stream::fill(&stream, drawn, sizeof(drawn)));
    uint32_t report = 0;
    CHECK(mechanism.draw(static_cast<uint32_t>(item["value"].integer()), drawn, stream.source(), &report));
    CHECK_EQ(report, item["report"].integer());
    CHECK_EQ(stream.left.size(), 0u);
  }
}

uint32_t product(const std::vector<uint32_t>& x, const std::vector<uint32_t>& y, uint32_t prime) {
  uint64_t sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += uint64_t{x[i]} * y[i];
  return static_cast<uint32_t>(sum % prime);
}

// Numbers and coordinates are one to one, and the places of each set are all the points whose product is 0.
void test_every_set_of_small_designs() {
  const uint32_t small[][2] = {{2, 3}, {2, 4}, {2, 6}, {3, 3}, {3, 4}, {5, 3}, {5, 4}, {7, 3}, {13, 3}, {23, 3}};
  for (const auto& [prime, dimension] : small) {
    const Points points(prime, dimension);
    uint32_t count = 0, places = 0;
    for (uint32_t i = 0; i < dimension; ++i) {
      places = count;
      count = count * prime + 1;
    }
    std::vector<std::vector<uint32_t>> all;
    std::set<std::vector<uint32_t>> distinct;
    for (uint32_t number = 0; number < count; ++number) {
      std::vector<uint32_t> point(dimension);
      points.coordinates(number, dimension, point.data());
      CHECK_EQ(points.number(point.data()), number);
      all.push_back(point);
      distinct.insert(point);
    }
    CHECK_EQ(distinct.size(), count);
    long wrong = 0;
    for (uint32_t x = 0; x < count; ++x) {
      std::set<uint32_t> set;
      for (uint32_t place = 0; place < places; ++place) set.insert(points.on_hyperplane(x, place));
      wrong += set.size() != places;
      for (uint32_t y = 0; y < count; ++y) wrong += set.count(y) != (product(all[x], all[y], prime) == 0 ? 1 : 0);
    }
    CHECK_EQ(wrong, 0);
  }
}

// The largest designs that fit: numbers near 2^32.
void test_large_designs() {
  const uint32_t large[][2] = {{65521, 3}, {1621, 4}, {2, 32}, {3, 20}};
  for (const auto& [prime, dimension] : large) {
    const Points points(prime, dimension);
    uint64_t count = 0, places = 0;
    for (uint32_t i = 0; i < dimension; ++i) {
      places = count;
      count = count * prime + 1;
    }
    CHECK(count <= uint64_t{1} << 32);
    for (uint32_t i = 0; i < 1000; ++i) {
      const auto x = static_cast<uint32_t>(count - 1 - i * (count / 1000));
      const uint32_t y = points.on_hyperplane(x, static_cast<uint32_t>((places - 1) / (i + 1)));
      std::vector<uint32_t> of_x(dimension), of_y(dimension);
      points.coordinates(x, dimension, of_x.data());
      points.coordinates(y, dimension, of_y.data());
      CHECK_EQ(points.number(of_x.data()), x);
      CHECK_EQ(product(of_x, of_y, prime), 0u);
    }
  }
}

// Randomized response where values are few or epsilon is large, at most as many reports as 32 bits name, and a variance
// that is within a twentieth of the best possible, 4 e^epsilon / (e^epsilon - 1)^2, where there are more values than
// e^epsilon.
void test_variances() {
  for (double epsilon = 0.5; epsilon <= 8; epsilon += 0.0625) {
    for (uint32_t values = 4; values <= 370'000; values += values / 3 + 1) {
      const ReportDesign design = choose_report_design(epsilon, values);
      CHECK(design.reports >= values);
      const double w = std::expm1(epsilon);
      const double variance = (design.set_size + w * design.shared) * (design.prime + w) /
                              std::pow(design.prime, static_cast<double>(design.dimension) - 2) / (4 * (w + 1));
      const double randomized_response = (w + values - 1) / (4 * (w + 1));
      CHECK(variance <= randomized_response * (1 + 1e-6));  // the design is that of a 32-bit e^-epsilon
      if (values > w + 1) CHECK(variance <= 1.05);
    }
  }
  CHECK(choose_report_design(1, 2).is_randomized_response());
  CHECK(choose_report_design(8, 1025).is_randomized_response());
  CHECK(!choose_report_design(1, 1025).is_randomized_response());
}

// A source that fails, and one that is stuck on what is rejected.
void test_failing_sources() {
  ReportMechanism mechanism;
  mechanism.init(2, 1025);
  const RandomSource failing = {[](void*, void*, size_t) { return false; }, nullptr};
  const RandomSource stuck = {[](void*, void* out, size_t size) { return std::memset(out, 0, size) != nullptr; },
                              nullptr};
  const uint64_t accepted[] = {0, UINT64_MAX, UINT64_MAX}, rejected[] = {0, 0, UINT64_MAX};
  uint32_t report = 0;
  CHECK(mechanism.draw(7, accepted, failing, &report));
  CHECK(!mechanism.draw(7, rejected, failing, &report));
  CHECK(!mechanism.draw(7, rejected, stuck, &report));
}

// Seeded draws against their chances: chi-square over all reports of a design of 57 for two values. With so many
// degrees of freedom it exceeds 130 by chance once in 10^7 runs, but the seed is fixed.
void test_frequencies() {
  ReportMechanism mechanism;
  mechanism.init(2, 40);
  const ReportDesign& design = mechanism.design();
  CHECK_EQ(design.reports, 57u);
  const uint8_t seed[32] = {5}, nonce[12] = {};
  hushbit::ChaCha20Stream stream(seed, nonce);
  const RandomSource source = {
      [](void* state, void* out, size_t size) { return static_cast<hushbit::ChaCha20Stream*>(state)->fill(out, size); },
      &stream};
  constexpr int kDraws = 200'000;
  for (const uint32_t value : {0u, 39u}) {
    std::vector<double> counts(design.reports);
    for (int i = 0; i < kDraws; ++i) {
      uint64_t drawn[ReportMechanism::kDrawnNumbers];
      uint32_t report = 0;
      CHECK(source.fill(source.state, drawn, sizeof(drawn)) && mechanism.draw(value, drawn, source, &report));
      counts[report] += 1;
    }
    const Points points(design.prime, design.dimension);
    std::set<uint32_t> set;
    for (uint32_t place = 0; place < design.set_size; ++place) set.insert(points.on_hyperplane(value, place));
    const double coin = static_cast<double>(mechanism.threshold()) * 0x1p-64;
    double statistic = 0;
    for (uint32_t report = 0; report < design.reports; ++report) {
      const double own = set.count(report) != 0 ? coin / design.set_size : 0;
      const double expected = kDraws * (own + (1 - coin) / design.reports);
      statistic += (counts[report] - expected) * (counts[report] - expected) / expected;
    }
    CHECK(statistic < 130);
  }
}

}  // namespace

int main() {
  const Json vectors = Json::read_file(HUSHBIT_VECTORS "/reports.json");
  test_designs_of_the_vectors(vectors);
  test_draws_of_the_vectors(vectors);
  test_every_set_of_small_designs();
  test_large_designs();
  test_variances();
  test_failing_sources();
  test_frequencies();
  return check_result();
}
