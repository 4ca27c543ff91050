// Which epsilon is refused because it leaves more than about half of the words as they were typed.
#include "mechanism/unchanged.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "hushbit/testing.h"

using namespace hushbit::testing;

namespace {

constexpr uint32_t kWords = 90;

BundleSpec numbered_words() {
  BundleSpec spec;
  for (uint32_t i = 0; i < kWords; ++i) spec.words.push_back("word" + std::to_string(100 + i));
  sort_words(spec);
  return spec;
}

// A bundle in memory.
struct Subject {
  Bytes bytes;
  Handle<hushbit_bundle> bundle;
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};

  explicit Subject(const BundleSpec& spec) : bytes(build_bundle(spec)) {
    bundle = open_any(bytes.data(), bytes.size());
    REQUIRE(bundle != nullptr);
    hushbit_bundle_get_info(bundle.get(), &info, nullptr);
    hushbit_privatizer_options_init(bundle.get(), &options, nullptr);
  }

  hushbit_status create(uint32_t mechanism, double epsilon, hushbit_error* error = nullptr) {
    options.mechanism = mechanism;
    options.epsilon = epsilon;
    hushbit_privatizer* made = nullptr;
    const hushbit_status status = hushbit_privatizer_create(bundle.get(), &options, &made, error);
    hushbit_privatizer_destroy(made);
    return status;
  }

  // Whether the largest epsilon without the option is `most`.
  void check_most(uint32_t mechanism, double most) {
    CHECK_EQ(create(mechanism, most * (1 - 1e-9)), HUSHBIT_OK);
    CHECK_EQ(create(mechanism, most * (1 + 1e-9)), HUSHBIT_INVALID_ARGUMENT);
    options.allow_unchanged = 1;
    CHECK_EQ(create(mechanism, most * (1 + 1e-9)), HUSHBIT_OK);
    CHECK_EQ(create(mechanism, 44), HUSHBIT_OK);
    options.allow_unchanged = 0;
  }
};

// Against the equations of the header, solved with mpmath.
void test_random_codes() {
  const auto close = [](double a, double b) { return std::abs(a - b) < 1e-9 * b; };
  CHECK(close(hushbit::half_of_random_codes(HUSHBIT_BRR, 128 * (1 - 1.0 / 16384), 16384), 0.561474823380761));
  CHECK(close(hushbit::half_of_random_codes(HUSHBIT_TEM, 128 * (1 - 1.0 / 16384), 16384), 0.154613363471888));
  CHECK(close(hushbit::half_of_random_codes(HUSHBIT_BRR, 32 * (1 - 1.0 / 400000), 400000), 1.425906789903049));
  CHECK(close(hushbit::half_of_random_codes(HUSHBIT_TEM, 32 * (1 - 1.0 / 400000), 400000), 0.908497108545996));
  // Where too many words share a code, no epsilon does.
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM}) {
    CHECK(std::isinf(hushbit::half_of_random_codes(mechanism, 0, 50)));
    CHECK(std::isinf(hushbit::half_of_random_codes(mechanism, 3, 1000)));
  }
}

// The bundle's default is what half of the words stay unchanged at, if it can be.
void test_codes() {
  BundleSpec spec = numbered_words();
  Subject plain(spec);
  const double brr = hushbit::half_of_random_codes(HUSHBIT_BRR, plain.info.average_distance, kWords);
  const double tem = hushbit::half_of_random_codes(HUSHBIT_TEM, plain.info.average_distance, kWords);
  CHECK(brr > 0.4 && brr < 0.8 && tem > 0.2 && tem < 0.4);
  for (const double stated : {0.7 * brr, brr, 1.49 * brr}) {
    spec.epsilon = stated;
    Subject subject(spec);
    subject.check_most(HUSHBIT_BRR, 1.05 * stated);
    subject.check_most(HUSHBIT_TEM, 1.05 * tem);  // of which the bundle states nothing
    CHECK_EQ(subject.create(HUSHBIT_BRR, subject.info.default_epsilon), HUSHBIT_OK);
  }
  for (const double stated : {0.0, 1.51 * brr, 6.0}) {
    spec.epsilon = stated;
    Subject(spec).check_most(HUSHBIT_BRR, 1.05 * brr);
  }
  spec.mechanism = HUSHBIT_TEM;
  spec.epsilon = 1.2 * tem;
  Subject(spec).check_most(HUSHBIT_TEM, 1.05 * 1.2 * tem);
}

void test_one_word_is_never_refused() {
  BundleSpec spec;
  spec.words = {"word"};
  Subject subject(spec);
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM, HUSHBIT_CROWD}) {
    CHECK_EQ(subject.create(mechanism, 40), HUSHBIT_OK);
  }
}

// Crowds of one word: the coin alone decides, and e^epsilon - 1 = M where it is fair.
void test_crowd_of_one() {
  Subject subject(numbered_words());
  subject.options.crowd_size = HUSHBIT_CROWD_SIZE_ONE;
  subject.check_most(HUSHBIT_CROWD, std::log1p(kWords));
}

// What is refused is what the shares and weights of the words say, which other functions tell.
void test_crowds_of_shares() {
  int refused = 0, taken = 0;
  for (const bool self_first : {true, false}) {
    CrowdsSpec crowds = example_crowds(numbered_words());
    crowds.self_first = self_first;
    crowds.grades[0].segments = {{12, 65536}};  // so few words that half of them can stay themselves
    Subject subject(with_crowds(numbered_words(), crowds));
    for (const uint32_t crowd : {HUSHBIT_CROWD_SIZE_FEW, HUSHBIT_CROWD_SIZE_MANY}) {
      for (double epsilon = 0.5; epsilon < 20; epsilon += 0.5) {
        subject.options.crowd_size = crowd;
        subject.options.allow_unchanged = 1;
        subject.options.mechanism = HUSHBIT_CROWD;
        subject.options.epsilon = epsilon;
        hushbit_privatizer* made = nullptr;
        REQUIRE(hushbit_privatizer_create(subject.bundle.get(), &subject.options, &made, nullptr) == HUSHBIT_OK);
        const Handle<hushbit_privatizer> privatizer(made);
        hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
        hushbit_privatizer_get_info(made, &info, nullptr);
        double unchanged = 0, of_noise = 0;
        for (uint32_t word = 0; word < kWords; ++word) {
          hushbit_crowd_member members[kWords];
          uint32_t count = 0, weight = 0, share = 0;
          hushbit_privatizer_crowd(made, word, members, kWords, &count, nullptr);
          hushbit_privatizer_output_weight(made, word, &weight, nullptr);
          for (uint32_t i = 0; i < count; ++i) share += members[i].word == word ? members[i].share : 0;
          const double of_crowd = static_cast<double>(share) / info.crowd_mass;
          const double of_all = static_cast<double>(weight) / info.output_mass;
          of_noise += of_all * of_all;
          unchanged += of_all * (info.crowd_probability * of_crowd + (1 - info.crowd_probability) * of_all);
        }
        subject.options.allow_unchanged = 0;
        const bool is_refused = subject.create(HUSHBIT_CROWD, epsilon) == HUSHBIT_INVALID_ARGUMENT;
        // Where a word is not the first of its own crowd, as much is refused as if it were.
        const bool most = unchanged - of_noise > (1 - of_noise) / 2;
        if (self_first) CHECK_EQ(is_refused, most);
        CHECK(is_refused || !most);
        (is_refused ? refused : taken) += 1;
      }
    }
  }
  CHECK(refused > 5 && taken > 5);
}

void test_message_and_values() {
  Subject subject(numbered_words());
  hushbit_error error = {};
  CHECK_EQ(subject.create(HUSHBIT_TEM, 6, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK(std::strstr(error.message, "epsilon 6 per differing bit (tem)") != nullptr);
  CHECK(std::strstr(error.message, "allow_unchanged") != nullptr);
  subject.options.allow_unchanged = 2;
  CHECK_EQ(subject.create(HUSHBIT_TEM, 0.1, &error), HUSHBIT_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  test_random_codes();
  test_codes();
  test_one_word_is_never_refused();
  test_crowd_of_one();
  test_crowds_of_shares();
  test_message_and_values();
  return check_result();
}
