// Any options, any lists and any text through the reporter, with seeded randomness: bad options refused, reports in
// range, the same report for the same seed, and a value that has a spelling found by it.
#include <math.h>

#include <algorithm>
#include <string>

#include "fixed_bundle.h"

using namespace hushbit::testing;

namespace {

// The front of the input, in this order: bytes of the kind of values, punctuation policy, flags (1 skin tones, 2 none,
// 4 a device key, 8 no bundle), one of the seed, how many bytes the list and the words to pass over have, then epsilon
// in 8; then list, words and text.
struct Input {
  static constexpr size_t kSize = 14;
  hushbit_reporter_options options = {.struct_size = sizeof(hushbit_reporter_options)};
  bool has_bundle;
  uint8_t seed[32] = {};
  std::string list, pass_over, text;

  Input(const uint8_t* data, size_t size) {
    hushbit_reporter_options_init(&options, nullptr);
    options.values = data[0];
    options.punctuation = data[1];
    options.skin_tones = data[2] & 1;
    options.none = data[2] >> 1 & 1;
    has_bundle = (data[2] & 8) == 0;
    seed[0] = data[3];
    if ((data[2] & 4) != 0) options.device_key = seed;
    memcpy(&options.epsilon, data + 6, sizeof(options.epsilon));
    const std::string rest(reinterpret_cast<const char*>(data) + kSize, size - kSize);
    list = rest.substr(0, data[4]);
    pass_over = rest.substr(list.size(), data[5]);
    text = rest.substr(list.size() + pass_over.size());
    options.list = list.data();
    options.list_bytes = list.size();
    options.pass_over = pass_over.data();
    options.pass_over_bytes = pass_over.size();
  }

  // But for the list, which is the reporter's to judge.
  bool valid() const {
    const bool of_words = options.values == HUSHBIT_VALUES_WORDS || options.values == HUSHBIT_VALUES_NEW_WORDS;
    if (options.values < HUSHBIT_VALUES_WORDS || options.values > HUSHBIT_VALUES_NEW_WORDS) return false;
    if (of_words && !has_bundle) return false;
    return options.punctuation <= HUSHBIT_PUNCTUATION_PRIVATIZE && options.epsilon >= 0.01 && options.epsilon <= 16;
  }
};

hushbit_reporter_info info_of(const hushbit_reporter* reporter) {
  hushbit_reporter_info info = {.struct_size = sizeof(info)};
  REQUIRE(hushbit_reporter_get_info(reporter, &info, nullptr) == HUSHBIT_OK);
  REQUIRE(info.effective_epsilon <= info.requested_epsilon && info.effective_epsilon > 0);
  REQUIRE(info.value_count >= 2 && info.points >= info.value_count && info.set_size < info.points);
  REQUIRE(info.reports == uint64_t{info.points} * info.groups);
  return info;
}

void report_text(const Input& input, const hushbit_reporter* reporter, const hushbit_reporter_info& info) {
  hushbit_report report = {.struct_size = sizeof(report)}, again = report;
  hushbit_error error = {};
  const std::string& text = input.text;
  const hushbit_status status =
      hushbit_testing_report_text(reporter, input.seed, text.data(), text.size(), &report, &error);
  if (status != HUSHBIT_OK) {
    require_told(status, error);
    const bool is_list = info.values == HUSHBIT_VALUES_LIST;
    REQUIRE(status == (is_list ? HUSHBIT_UNKNOWN_WORD : HUSHBIT_INVALID_TEXT));
    REQUIRE(is_list ? info.has_none == 0 : !is_utf8(text.data(), text.size()));
    return;
  }
  REQUIRE(report.report < info.reports);
  REQUIRE(hushbit_testing_report_text(reporter, input.seed, text.data(), text.size(), &again, nullptr) == HUSHBIT_OK);
  REQUIRE(report.report == again.report);
}

// The text of a value is a text that has it: with the same seed it is reported as the value is, but for the number that
// chooses among the one that there is.
void report_value(const Input& input, const hushbit_reporter* reporter, const hushbit_reporter_info& info) {
  const uint32_t value = input.seed[0] % info.value_count;
  hushbit_report report = {.struct_size = sizeof(report)};
  const bool is_bucket = info.values == HUSHBIT_VALUES_NEW_WORDS && value > 0;
  REQUIRE(hushbit_testing_report_value(reporter, input.seed, value, &report, nullptr) ==
          (is_bucket ? HUSHBIT_INVALID_ARGUMENT : HUSHBIT_OK));
  std::string spelling(info.max_value_bytes + 1, '\0');
  size_t bytes = 0;
  REQUIRE(hushbit_reporter_value(reporter, value, spelling.data(), spelling.size(), &bytes, nullptr) ==
          (is_bucket ? HUSHBIT_INVALID_ARGUMENT : HUSHBIT_OK));
  REQUIRE(bytes <= info.max_value_bytes && is_utf8(spelling.data(), bytes));
  REQUIRE((bytes == 0) == (is_bucket || (value == 0 && info.has_none != 0)));
  REQUIRE(hushbit_testing_report_text(reporter, input.seed, spelling.data(), bytes, &report, nullptr) == HUSHBIT_OK);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < Input::kSize) return 0;
  const hushbit_bundle* bundle = fixed_bundle();
  REQUIRE(bundle != nullptr);
  const Input input(data, size);
  hushbit_reporter* reporter = nullptr;
  hushbit_error error = {};
  const hushbit_status status =
      hushbit_reporter_create(input.has_bundle ? bundle : nullptr, &input.options, &reporter, &error);
  if (status != HUSHBIT_OK) {
    REQUIRE(status == HUSHBIT_INVALID_ARGUMENT);
    REQUIRE(!input.valid() || input.options.values == HUSHBIT_VALUES_LIST);
    require_told(status, error);
    return 0;
  }
  REQUIRE(input.valid());
  const hushbit_reporter_info info = info_of(reporter);
  report_text(input, reporter, info);
  report_value(input, reporter, info);
  hushbit_report report = {.struct_size = sizeof(report)};
  const hushbit_status of_word =
      hushbit_testing_report_word(reporter, input.seed, input.text.data(), input.text.size(), &report, nullptr);
  const bool is_valid = is_utf8(input.text.data(), input.text.size());
  const hushbit_status of_new_word = is_valid ? HUSHBIT_OK : HUSHBIT_INVALID_TEXT;
  REQUIRE(of_word == (info.values == HUSHBIT_VALUES_NEW_WORDS ? of_new_word : HUSHBIT_INVALID_ARGUMENT));
  hushbit_reporter_destroy(reporter);
  return 0;
}
