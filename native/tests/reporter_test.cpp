// The C interface of reports: the golden vectors; what is refused, and that nothing is spent then; lists; the budget.
#include <cmath>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "files.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "json.h"

namespace {

struct Handles {
  hushbit_bundle* bundle = nullptr;
  hushbit_reporter* reporter = nullptr;

  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    hushbit_bundle_close(bundle);  // the reporter keeps it
    hushbit_reporter_destroy(reporter);
  }
};

hushbit_reporter_options default_options() {
  hushbit_reporter_options options = {.struct_size = sizeof(options)};
  CHECK_EQ(hushbit_reporter_options_init(&options, nullptr), HUSHBIT_OK);
  return options;
}

// `lines` must outlive what is made with the options.
hushbit_reporter_options list_options(std::string_view lines) {
  hushbit_reporter_options options = default_options();
  options.values = HUSHBIT_VALUES_LIST;
  options.list = lines.data();
  options.list_bytes = lines.size();
  return options;
}

uint32_t kind_of(const std::string& name) {
  const std::vector<std::string> names = {"", "words", "emoji", "list", "new-words"};
  for (uint32_t i = 1; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  std::cerr << "no kind of values is called " << name << '\n';
  std::exit(1);
}

void test_case(const Json& item) {
  const int before = check_failures;
  Handles handles;
  if (!item["bundle"].is_null()) {
    const std::string path = HUSHBIT_VECTORS "/" + item["bundle"].text();
    CHECK_EQ(hushbit_bundle_open(path.c_str(), &handles.bundle, nullptr), HUSHBIT_OK);
  }
  const std::string list = item["list"].bytes(), pass_over = item["pass_over"].bytes();
  const std::string key = item["device_key"].is_null() ? "" : item["device_key"].bytes();
  const std::string seed = item["seed"].is_null() ? "" : item["seed"].bytes();
  hushbit_reporter_options options = list_options(list);
  options.values = kind_of(item["values"].text());
  options.epsilon = item["epsilon"].number();
  options.none = item["none"].boolean() ? 1 : 0;
  options.skin_tones = item["skin_tones"].boolean() ? 1 : 0;
  options.pass_over = pass_over.data();
  options.pass_over_bytes = pass_over.size();
  if (!key.empty()) options.device_key = reinterpret_cast<const uint8_t*>(key.data());
  options.epoch = std::strtoull(item["epoch"].text().c_str(), nullptr, 16);
  hushbit_error error = {};
  CHECK_EQ(hushbit_reporter_create(handles.bundle, &options, &handles.reporter, &error), HUSHBIT_OK);

  const uint8_t* bytes = seed.empty() ? nullptr : reinterpret_cast<const uint8_t*>(seed.data());
  hushbit_report report = {.struct_size = sizeof(report)};
  hushbit_status status = HUSHBIT_OK;
  if (item.has("value")) {
    const auto value = static_cast<uint32_t>(item["value"].integer());
    status = hushbit_testing_report_value(handles.reporter, bytes, value, &report, &error);
  } else if (item.has("text")) {
    const std::string text = item["text"].bytes();
    status = hushbit_testing_report_text(handles.reporter, bytes, text.data(), text.size(), &report, &error);
  } else {
    const std::string word = item["word"].bytes();
    status = hushbit_testing_report_word(handles.reporter, bytes, word.data(), word.size(), &report, &error);
  }
  CHECK_EQ(status, HUSHBIT_OK);
  CHECK_EQ(report.report, item["report"].integer());
  CHECK_EQ(report.epsilon, options.epsilon);
  CHECK(std::memcmp(report.values, item["hash"].bytes().data(), sizeof(report.values)) == 0);
  if (check_failures > before) std::cerr << "  in the case \"" << item["name"].text() << "\"\n";
}

hushbit_status create(const hushbit_reporter_options& options) {
  hushbit_reporter* reporter = nullptr;
  hushbit_error error = {};
  const hushbit_status status = hushbit_reporter_create(nullptr, &options, &reporter, &error);
  CHECK_EQ(status == HUSHBIT_OK, reporter != nullptr);
  CHECK_EQ(status == HUSHBIT_OK, error.message[0] == '\0');
  hushbit_reporter_destroy(reporter);
  return status;
}

void test_what_is_refused() {
  CHECK_EQ(create(list_options("yes\nno")), HUSHBIT_OK);
  CHECK_EQ(create(list_options("yes\nno\n")), HUSHBIT_OK);
  for (const char* lines : {"", "\n", "yes", "yes\n", "yes\n\nno", "yes\nno\nyes", "\xff\nno", "\nno"}) {
    CHECK_EQ(create(list_options(lines)), HUSHBIT_INVALID_ARGUMENT);
  }
  hushbit_reporter_options options = list_options("one");
  options.none = 1;
  CHECK_EQ(create(options), HUSHBIT_OK);
  options.list = nullptr;
  CHECK_EQ(create(options), HUSHBIT_INVALID_ARGUMENT);
  for (const double epsilon : {0.0, 0.0099, 16.1, -1.0, HUGE_VAL, std::nan("")}) {
    options = list_options("yes\nno");
    options.epsilon = epsilon;
    CHECK_EQ(create(options), HUSHBIT_INVALID_ARGUMENT);
  }
  for (const uint32_t values : {0u, 5u, uint32_t{HUSHBIT_VALUES_WORDS}, uint32_t{HUSHBIT_VALUES_NEW_WORDS}}) {
    options = default_options();  // words need a bundle
    options.values = values;
    CHECK_EQ(create(options), HUSHBIT_INVALID_ARGUMENT);
  }
  options = list_options("yes\nno");
  options.struct_size -= 8;
  CHECK_EQ(create(options), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_reporter_create(nullptr, nullptr, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  hushbit_reporter_destroy(nullptr);
}

void test_reports_of_a_list() {
  Handles handles;
  hushbit_reporter_options options = list_options("yes\nno\n\u00e9");
  CHECK_EQ(hushbit_reporter_create(nullptr, &options, &handles.reporter, nullptr), HUSHBIT_OK);
  hushbit_reporter_info info = {.struct_size = sizeof(info)};
  CHECK_EQ(hushbit_reporter_get_info(handles.reporter, &info, nullptr), HUSHBIT_OK);
  CHECK_EQ(info.value_count, 3u);
  CHECK_EQ(info.reports, 3u);
  CHECK_EQ(info.dimension, 2u);
  CHECK_EQ(info.max_value_bytes, 3u);
  CHECK(info.effective_epsilon <= 2 && info.effective_epsilon > 1.999);
  char buffer[3];
  size_t bytes = 0;
  CHECK_EQ(hushbit_reporter_value(handles.reporter, 2, buffer, 3, &bytes, nullptr), HUSHBIT_OK);
  CHECK(std::string(buffer, bytes) == "\u00e9");
  CHECK_EQ(hushbit_reporter_value(handles.reporter, 2, buffer, 2, &bytes, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_reporter_value(handles.reporter, 3, buffer, 3, &bytes, nullptr), HUSHBIT_INVALID_ARGUMENT);

  hushbit_report report = {.struct_size = sizeof(report)};
  hushbit_error error = {};
  CHECK_EQ(hushbit_report_text(handles.reporter, "no", 2, &report, nullptr), HUSHBIT_OK);
  CHECK(report.report < 3);
  CHECK_EQ(hushbit_report_value(handles.reporter, 2, &report, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_report_text(handles.reporter, "maybe", 5, &report, &error), HUSHBIT_UNKNOWN_WORD);
  CHECK(std::string(error.message).find("maybe") == std::string::npos);
  CHECK_EQ(hushbit_report_value(handles.reporter, 3, &report, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_report_word(handles.reporter, "no", 2, &report, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_report_text(handles.reporter, nullptr, 1, &report, nullptr), HUSHBIT_INVALID_ARGUMENT);
  report.struct_size = 8;
  CHECK_EQ(hushbit_report_value(handles.reporter, 2, &report, nullptr), HUSHBIT_INVALID_ARGUMENT);
}

// Refused texts spend nothing; a report spends its epsilon and one token.
void test_budget() {
  const hushbit::testing::Directory directory;
  hushbit_budget_limits limits = {.struct_size = sizeof(limits)};
  CHECK_EQ(hushbit_budget_limits_init(&limits, nullptr), HUSHBIT_OK);
  limits.worst_case_lifetime = 5;
  hushbit_budget* budget = nullptr;
  CHECK_EQ(hushbit_budget_open((directory / "budget").c_str(), &limits, &budget, nullptr), HUSHBIT_OK);
  hushbit_reporter_options options = default_options();
  options.values = HUSHBIT_VALUES_EMOJI;
  options.budget = budget;
  Handles handles;
  CHECK_EQ(hushbit_reporter_create(nullptr, &options, &handles.reporter, nullptr), HUSHBIT_OK);
  hushbit_report report = {.struct_size = sizeof(report)};
  hushbit_error error = {};
  CHECK_EQ(hushbit_report_text(handles.reporter, "a\xff", 2, &report, &error), HUSHBIT_INVALID_TEXT);
  CHECK_EQ(error.position, 1u);
  CHECK_EQ(hushbit_report_text(handles.reporter, "", 0, &report, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_report_text(handles.reporter, "\U0001F600", 4, &report, nullptr), HUSHBIT_OK);
  hushbit_budget_state state = {.struct_size = sizeof(state)};
  CHECK_EQ(hushbit_budget_get_state(budget, &state, nullptr), HUSHBIT_OK);
  CHECK_EQ(state.tokens_lifetime, 2u);
  CHECK_EQ(state.texts_today, 2u);
  CHECK_EQ(state.texts_lifetime, 2u);
  CHECK(state.worst_case_lifetime > 3.999 && state.worst_case_lifetime < 4.001);
  CHECK_EQ(hushbit_report_text(handles.reporter, "", 0, &report, nullptr), HUSHBIT_BUDGET_EXHAUSTED);
  hushbit_budget_close(budget);  // the reporter keeps it
  CHECK_EQ(hushbit_report_text(handles.reporter, "", 0, &report, nullptr), HUSHBIT_BUDGET_EXHAUSTED);
}

}  // namespace

int main() {
  const Json vectors = Json::read_file(HUSHBIT_VECTORS "/reports.json");
  for (const Json& item : vectors["cases"].items()) test_case(item);
  test_what_is_refused();
  test_reports_of_a_list();
  test_budget();
  return check_result();
}
