// Crowds: the integers that carry the proof, the draws against exact probabilities, and bundles that lie.
#include "mechanism/crowd.h"

#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "hushbit/testing.h"
#include "indexed_bundle.h"
#include "mechanism/coin.h"
#include "released.h"

using namespace hushbit::testing;

namespace {

constexpr uint32_t kWords = 90;

BundleSpec plain_spec() {
  BundleSpec spec;
  for (uint32_t i = 0; i < kWords; ++i) spec.words.push_back("word" + std::to_string(100 + i));
  sort_words(spec);
  return spec;
}

hushbit_privatizer_options options_of(const hushbit_bundle* bundle, uint32_t crowd, double epsilon) {
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  options.mechanism = HUSHBIT_CROWD;
  options.crowd_size = crowd;
  options.epsilon = epsilon;
  options.allow_unchanged = 1;
  return options;
}

// A bundle in memory with a privatizer; `status` is what making that came to.
struct Subject {
  Bytes bytes;
  Handle<hushbit_bundle> bundle;
  Handle<hushbit_privatizer> privatizer;
  hushbit_status status = HUSHBIT_OK;
  hushbit_error error = {};
  hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
  hushbit_bundle_info bundle_info = {.struct_size = sizeof(hushbit_bundle_info)};

  Subject(const BundleSpec& spec, uint32_t crowd, double epsilon) : bytes(build_bundle(spec)) {
    bundle = open_any(bytes.data(), bytes.size());
    REQUIRE(bundle != nullptr);
    hushbit_bundle_get_info(bundle.get(), &bundle_info, nullptr);
    const hushbit_privatizer_options options = options_of(bundle.get(), crowd, epsilon);
    hushbit_privatizer* made = nullptr;
    status = hushbit_privatizer_create(bundle.get(), &options, &made, &error);
    privatizer.reset(made);
    if (made != nullptr) hushbit_privatizer_get_info(made, &info, nullptr);
  }

  // Member -> share.
  std::map<uint32_t, uint32_t> crowd(uint32_t word) const {
    hushbit_crowd_member members[kWords];
    uint32_t count = 0;
    CHECK_EQ(hushbit_privatizer_crowd(privatizer.get(), word, members, kWords, &count, nullptr), HUSHBIT_OK);
    std::map<uint32_t, uint32_t> crowd;
    for (uint32_t i = 0; i < count; ++i) crowd[members[i].word] += members[i].share;
    return crowd;
  }
  uint32_t weight(uint32_t word) const {
    uint32_t weight = 0;
    CHECK_EQ(hushbit_privatizer_output_weight(privatizer.get(), word, &weight, nullptr), HUSHBIT_OK);
    return weight;
  }
  std::vector<uint32_t> replace(const std::vector<uint32_t>& words, const uint8_t seed[32]) const {
    std::vector<uint32_t> outputs(words.size());
    CHECK_EQ(hushbit_testing_replace(privatizer.get(), seed, words.data(), words.size(), outputs.data(), nullptr),
             HUSHBIT_OK);
    return outputs;
  }
};

// Bundles with lists, with weights but no lists, and with nothing.
std::vector<BundleSpec> all_kinds() {
  std::vector<BundleSpec> specs = {plain_spec(), with_example_crowds(plain_spec()), plain_spec()};
  CrowdsSpec weights_only = example_crowds(plain_spec());
  weights_only.lists.clear();
  specs[2] = with_crowds(plain_spec(), weights_only);
  specs.push_back(with_index(specs[1], {true, true}));
  CrowdsSpec borrowed = example_crowds(plain_spec());
  borrowed.self_first = false;
  specs.push_back(with_crowds(plain_spec(), borrowed));
  return specs;
}

void test_thresholds() {
  using hushbit::crowd_threshold;
  CHECK_EQ(crowd_threshold(0, 5, 100), 0u);
  CHECK_EQ(crowd_threshold(0x1p-64, 5, 100), 0u);
  // floor(2^64 (e^epsilon - 1) m / (M + (e^epsilon - 1) m)), from mpmath at 400 bits.
  CHECK_EQ(crowd_threshold(0.5, 1, 2), 4517951884236491746u);
  CHECK_EQ(crowd_threshold(5.5, 500, 100000), 10131630485967127249u);
  CHECK_EQ(crowd_threshold(6, 82, 16384), 12326612264057789003u);
  CHECK_EQ(crowd_threshold(1e-9, 1, 4294967295u), 4u);
  CHECK_EQ(crowd_threshold(60, 1, 1), UINT64_MAX);
  CHECK_EQ(crowd_threshold(1e300, 7, 7), UINT64_MAX);
  for (const auto& [m, all] : {std::pair{1u, 1u}, {1u, UINT32_MAX}, {300u, 60000u}, {UINT32_MAX, UINT32_MAX}}) {
    uint64_t last = 0;
    for (double epsilon = 0; epsilon < 70; epsilon += 0.0625) {
      const uint64_t threshold = crowd_threshold(epsilon, m, all);
      CHECK(threshold >= last);
      last = threshold;
      CHECK(hushbit::epsilon_of_crowd(threshold, m, all) <= epsilon * (1 + 1e-14) + 1e-300);
    }
  }
}

// G and its inverse against counting, for grades of every kind.
void test_grades() {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    hushbit::Grade grade;
    grade.segments = 1 + random() % 4;
    uint32_t end = 0;
    for (uint32_t i = 0; i < grade.segments; ++i) {
      const uint32_t slopes[] = {65536, 65535, 0, 1, static_cast<uint32_t>(random() % 65537), 32768};
      grade.end[i] = end += 1 + random() % (round % 7 == 0 ? 3000 : 60);
      grade.slope[i] = slopes[random() % 6];
    }
    const hushbit::GradeInverse inverse(grade);
    uint32_t graded = 0;
    bool steps = true, inverts = true;
    for (uint32_t v = 0; v < end; ++v) {
      const uint32_t next = grade.of(v + 1);
      steps &= next == graded || next == graded + 1;
      if (next > graded) inverts &= inverse(graded) == v;
      graded = next;
    }
    CHECK(steps && inverts && graded == grade.mass() && grade.of(uint64_t{end} + 5) == graded);
  }
  const hushbit::Grade large = {.segments = 2, .end = {1u << 31, UINT32_MAX}, .slope = {65535, 1}};
  const hushbit::GradeInverse inverse(large);
  for (uint32_t t = large.mass(); t-- > large.mass() - 100;) {
    CHECK(large.of(inverse(t)) <= t && large.of(uint64_t{inverse(t)} + 1) == t + 1);
  }
  CHECK_EQ(inverse(0), 1u);
}

// What the proof asks for: no share beyond the weight, the same sum for every crowd, weights that add up.
void test_shares() {
  for (const BundleSpec& spec : all_kinds()) {
    for (const uint32_t size : {HUSHBIT_CROWD_SIZE_ONE, HUSHBIT_CROWD_SIZE_FEW, HUSHBIT_CROWD_SIZE_MANY}) {
      for (const double epsilon : {3.0, 7.0}) {
        const Subject subject(spec, size, epsilon);
        CHECK_EQ(subject.status, HUSHBIT_OK);
        if (subject.status != HUSHBIT_OK) continue;
        uint64_t all = 0;
        for (uint32_t word = 0; word < kWords; ++word) all += subject.weight(word);
        CHECK_EQ(all, subject.info.output_mass);
        size_t members = 0;
        for (uint32_t word = 0; word < kWords; ++word) {
          uint32_t mass = 0;
          bool fits = true;
          const auto crowd = subject.crowd(word);
          for (const auto& [member, share] : crowd) {
            mass += share;
            fits &= share <= subject.weight(member);
          }
          CHECK(fits && mass == subject.info.crowd_mass);
          if (subject.weight(word) > 0) members += crowd.size();
        }
        CHECK_EQ(subject.info.mean_crowd, static_cast<double>(members) / subject.bundle_info.output_words);
        CHECK_EQ(subject.info.crowd_size, size);
        CHECK_EQ(subject.info.epsilon_unit, static_cast<uint32_t>(HUSHBIT_PER_WORD));
        CHECK(subject.info.effective_epsilon <= epsilon && subject.info.effective_epsilon > epsilon * (1 - 1e-9));
        CHECK_EQ(subject.info.worst_case_per_token, subject.info.effective_epsilon);
        CHECK_EQ(subject.info.average_per_token, subject.info.effective_epsilon);
      }
    }
  }
}

// Frequencies against exact probabilities: for each kind of bundle, three words and an unknown token. The statistic of
// up to 60 outputs with 59 degrees of freedom is above 160 with probability below 1e-10; seeds are fixed. Outputs that
// are expected less than five times are merged.
void test_draws() {
  uint8_t seed[32] = {9};
  for (const BundleSpec& spec : all_kinds()) {
    for (const uint32_t size : {HUSHBIT_CROWD_SIZE_ONE, HUSHBIT_CROWD_SIZE_FEW, HUSHBIT_CROWD_SIZE_MANY}) {
      const Subject subject(spec, size, 4.0);
      if (subject.status != HUSHBIT_OK) continue;
      const double lambda = static_cast<double>(subject.info.crowd_threshold) * 0x1p-64;
      for (const uint32_t word : {0u, 5u, 89u, HUSHBIT_NO_WORD}) {
        constexpr size_t kDraws = 60000;
        ++seed[1];
        std::vector<double> seen(kWords), expected(kWords);
        for (const uint32_t output : subject.replace(std::vector<uint32_t>(kDraws, word), seed)) ++seen[output];
        const double of_crowd = word == HUSHBIT_NO_WORD ? 0 : lambda;
        for (uint32_t y = 0; y < kWords; ++y) {
          expected[y] = kDraws * (1 - of_crowd) * subject.weight(y) / subject.info.output_mass;
        }
        if (word != HUSHBIT_NO_WORD) {
          for (const auto& [y, share] : subject.crowd(word)) {
            expected[y] += kDraws * of_crowd * share / subject.info.crowd_mass;
          }
        }
        double statistic = 0, rare_seen = 0, rare_expected = 0;
        for (uint32_t y = 0; y < kWords; ++y) {
          CHECK(expected[y] > 0 || seen[y] == 0);
          if (expected[y] < 5) {
            rare_seen += seen[y];
            rare_expected += expected[y];
          } else {
            statistic += (seen[y] - expected[y]) * (seen[y] - expected[y]) / expected[y];
          }
        }
        if (rare_expected > 0) statistic += (rare_seen - rare_expected) * (rare_seen - rare_expected) / rare_expected;
        CHECK(statistic < 160);
      }
    }
  }
}

// Randomness in the order that is promised: for each of a group the coin, the draw from the crowd, that from all; what
// is rejected is drawn anew after those of the whole group.
struct Words {
  std::vector<uint64_t> left;
  static int fill(void* state, void* out, size_t size) {
    auto& left = static_cast<Words*>(state)->left;
    if (size > left.size() * 8) return 0;
    memcpy(out, left.data(), size);
    left.erase(left.begin(), left.begin() + static_cast<long>(size / 8));
    return 1;
  }
};

void test_order_of_randomness() {
  BundleSpec spec;
  spec.words = {"a", "b", "c"};  // 2^64 mod 3 is 1: a draw of 0 among three is rejected
  const Subject subject(spec, HUSHBIT_CROWD_SIZE_ONE, 2.0);
  const uint64_t coin = subject.info.crowd_threshold;
  hushbit_result* result = nullptr;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned(result);
  const auto run = [&](const std::string& text, std::vector<uint64_t> words) {
    Words source = {std::move(words)};
    const hushbit_status status = hushbit_testing_privatize_with(subject.privatizer.get(), Words::fill, &source,
                                                                 text.data(), text.size(), result, nullptr);
    CHECK_EQ(source.left.size(), 0u);
    CHECK(status == HUSHBIT_OK || status == HUSHBIT_RANDOMNESS_FAILED);
    return status == HUSHBIT_OK ? released_text(result) : "failed";
  };
  const uint64_t top = ~uint64_t{0};
  CHECK(run("a", {coin - 1, 0, top}) == "a");
  CHECK(run("a", {coin, 0, top}) == "c");
  CHECK(run("unknown", {0, 0, top / 2}) == "b");
  CHECK(run("a b", {coin, 0, 1, coin - 1, 5, 1}) == "a b");
  CHECK(run("a b", {coin, 0, 0, coin, 5, 0, 0, top, top / 2}) == "c b");  // both are rejected, the first one twice
  CHECK(run("c", std::vector<uint64_t>(3 + hushbit::kMaxRedraws, 0)) == "failed");  // a source that is stuck
}

// Words with one stand-in are drawn alike, and what is drawn is an output word.
void test_stand_ins() {
  const CrowdsSpec crowds = example_crowds(plain_spec());
  const Subject subject(with_example_crowds(plain_spec()), HUSHBIT_CROWD_SIZE_DEFAULT, 5.0);
  CHECK_EQ(subject.info.crowd_size, static_cast<uint32_t>(HUSHBIT_CROWD_SIZE_MANY));
  CHECK_EQ(subject.bundle_info.output_words, 60u);
  CHECK_EQ(subject.bundle_info.public_words, 1u);
  const uint8_t seed[32] = {3};
  for (uint32_t word = 0; word < kWords; ++word) {
    const uint32_t stand_in = crowds.outputs[crowds.stand_ins[word]];
    CHECK(subject.crowd(word) == subject.crowd(stand_in));
    CHECK(subject.replace(std::vector<uint32_t>(40, word), seed) ==
          subject.replace(std::vector<uint32_t>(40, stand_in), seed));
    Bytes code(8), other(8);
    CHECK_EQ(hushbit_bundle_code(subject.bundle.get(), word, code.data(), nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_bundle_code(subject.bundle.get(), stand_in, other.data(), nullptr), HUSHBIT_OK);
    CHECK(code == other);
    hushbit_nearest nearest;
    CHECK_EQ(hushbit_bundle_nearest(subject.bundle.get(), code.data(), 1, &nearest, nullptr), HUSHBIT_OK);
    CHECK(nearest.distance == 0 && nearest.word == stand_in);
  }
  std::vector<uint32_t> ids(60), distances(60);
  const Bytes code(8);
  CHECK_EQ(hushbit_bundle_neighbors(subject.bundle.get(), code.data(), 60, ids.data(), distances.data(), nullptr),
           HUSHBIT_OK);
  std::sort(ids.begin(), ids.end());
  CHECK(ids == crowds.outputs);
  CHECK_EQ(hushbit_bundle_neighbors(subject.bundle.get(), code.data(), 61, ids.data(), distances.data(), nullptr),
           HUSHBIT_INVALID_ARGUMENT);
}

// Public words come out as they are, cost nothing and are counted, whatever the mechanism.
void test_public_words() {
  const BundleSpec spec = with_example_crowds(plain_spec());
  const Bytes bytes = build_bundle(spec);
  const auto bundle = open_any(bytes.data(), bytes.size());
  REQUIRE(bundle != nullptr);
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM, HUSHBIT_CROWD}) {
    hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
    hushbit_privatizer_options_init(bundle.get(), &options, nullptr);
    options.mechanism = mechanism;
    options.epsilon = 1;
    options.allow_unchanged = 1;
    hushbit_privatizer* privatizer = nullptr;
    REQUIRE(hushbit_privatizer_create(bundle.get(), &options, &privatizer, nullptr) == HUSHBIT_OK);
    const Handle<hushbit_privatizer> owned(privatizer);
    hushbit_result* result = nullptr;
    REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
    const Handle<hushbit_result> owned_result(result);
    const std::string text = "WORD102 word103 word102";
    CHECK_EQ(hushbit_privatize(privatizer, text.data(), text.size(), result, nullptr), HUSHBIT_OK);
    const std::string released = released_text(result);
    CHECK(released.substr(0, 8) == "word102 " && released.substr(released.size() - 8) == " word102");
    const hushbit_cost cost = released_cost(result);
    CHECK(cost.public_words == 2 && cost.words == 1 && cost.unknown == 0 && cost.dropped == 0 && cost.verbatim == 0);
    hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
    hushbit_privatizer_get_info(privatizer, &info, nullptr);
    CHECK(cost.worst_case >= info.worst_case_per_token && cost.worst_case < 1.01 * info.worst_case_per_token);
  }
}

void test_epsilon_of_the_wrong_unit_is_clamped_and_said() {
  for (const double epsilon : {60.0, 1e6}) {
    const Subject subject(with_example_crowds(plain_spec()), HUSHBIT_CROWD_SIZE_MANY, epsilon);
    CHECK_EQ(subject.info.clamped, 1);
    CHECK_EQ(subject.info.crowd_threshold, UINT64_MAX);
    CHECK(subject.info.effective_epsilon < 50);
  }
  const Subject none(with_example_crowds(plain_spec()), HUSHBIT_CROWD_SIZE_MANY, 0.0);
  CHECK(none.info.effective_epsilon == 0 && none.info.crowd_threshold == 0 && none.info.clamped == 0);
  CHECK_EQ(Subject(plain_spec(), 4, 1.0).status, HUSHBIT_INVALID_ARGUMENT);
  CrowdsSpec only_many = example_crowds(plain_spec());
  only_many.grades.erase(only_many.grades.begin());
  CHECK_EQ(Subject(with_crowds(plain_spec(), only_many), HUSHBIT_CROWD_SIZE_FEW, 1.0).status, HUSHBIT_INVALID_ARGUMENT);
}

// A bundle that lies is no bundle for crowds, verified or not.
void test_lies() {
  const BundleSpec plain = plain_spec();
  const auto check_refused = [&](const char* what, const CrowdsSpec& crowds) {
    const Subject subject(with_crowds(plain, crowds), HUSHBIT_CROWD_SIZE_MANY, 5.0);
    CHECK_EQ(subject.status, HUSHBIT_CORRUPT_BUNDLE);
    CHECK_EQ(hushbit_bundle_verify(subject.bundle.get(), nullptr), HUSHBIT_CORRUPT_BUNDLE);
    if (subject.status != HUSHBIT_CORRUPT_BUNDLE) std::cerr << "  " << what << '\n';
  };
  const CrowdsSpec good = example_crowds(plain);
  CHECK_EQ(Subject(with_crowds(plain, good), HUSHBIT_CROWD_SIZE_MANY, 5.0).status, HUSHBIT_OK);
  CrowdsSpec twice = good;
  twice.lists[7].insert(twice.lists[7].begin() + 2, twice.lists[7][0]);
  check_refused("a member twice", twice);
  CrowdsSpec beyond = good;
  beyond.lists[3][1] = 60;
  check_refused("a member that is no output word", beyond);
  CrowdsSpec light = good;
  light.lists.back().pop_back();
  check_refused("a crowd that is too light", light);
  CrowdsSpec center = good;
  center.centers[11] = 31;
  check_refused("a center out of range", center);
  CrowdsSpec exposed = good;
  exposed.public_words = {3};
  check_refused("a public output word", exposed);
  CrowdsSpec unsorted = good;
  unsorted.public_words = {5, 2};
  check_refused("public words that do not ascend", unsorted);
}

}  // namespace

int main() {
  test_thresholds();
  test_grades();
  test_shares();
  test_draws();
  test_order_of_randomness();
  test_stand_ins();
  test_public_words();
  test_epsilon_of_the_wrong_unit_is_clamped_and_said();
  test_lies();
  return check_result();
}
