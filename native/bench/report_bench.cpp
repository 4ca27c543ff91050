// How long a report takes: report_bench BUNDLE [TEXTFILE]
// CPU time of values at several epsilons and numbers of values, and of messages: the lines of the file, or a sentence.
// With the randomness of the operating system, as on a phone.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <fstream>
#include <string>
#include <vector>

#include "hushbit/hushbit.h"

namespace {

constexpr int kReports = 200'000;

void require(hushbit_status status, const hushbit_error& error) {
  if (status == HUSHBIT_OK) return;
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

hushbit_reporter* create(const hushbit_bundle* bundle, uint32_t values, double epsilon, const std::string& list = "") {
  hushbit_reporter_options options = {.struct_size = sizeof(options)};
  hushbit_reporter_options_init(&options, nullptr);
  options.values = values;
  options.epsilon = epsilon;
  options.list = list.data();
  options.list_bytes = list.size();
  hushbit_reporter* reporter = nullptr;
  hushbit_error error = {};
  require(hushbit_reporter_create(bundle, &options, &reporter, &error), error);
  return reporter;
}

// In nanoseconds a report, by `report`, a function of a number.
template <typename Report>
double measure(Report report) {
  for (int i = 0; i < kReports / 10; ++i) report(i);
  const clock_t start = clock();
  for (int i = 0; i < kReports; ++i) report(i);
  return static_cast<double>(clock() - start) / CLOCKS_PER_SEC * 1e9 / kReports;
}

void measure_values(uint32_t count, double epsilon) {
  std::string list;
  for (uint32_t i = 0; i < count; ++i) list += std::to_string(i) + '\n';
  const clock_t start = clock();
  hushbit_reporter* reporter = create(nullptr, HUSHBIT_VALUES_LIST, epsilon, list);
  const double created = static_cast<double>(clock() - start) / CLOCKS_PER_SEC * 1e3;
  hushbit_reporter_info info = {.struct_size = sizeof(info)};
  hushbit_reporter_get_info(reporter, &info, nullptr);
  hushbit_report report = {.struct_size = sizeof(report)};
  hushbit_error error = {};
  const double taken = measure([&](int i) {
    require(hushbit_report_value(reporter, static_cast<uint32_t>(i) % count, &report, &error), error);
  });
  printf("%8u values, epsilon %4.1f, q %5u, t %2u %8.0f ns/report, created in %.1f ms\n", count, epsilon, info.prime,
         info.dimension, taken, created);
  hushbit_reporter_destroy(reporter);
}

void measure_texts(const hushbit_bundle* bundle, const char* name, uint32_t values,
                   const std::vector<std::string>& texts) {
  hushbit_reporter* reporter = create(bundle, values, 2);
  hushbit_report report = {.struct_size = sizeof(report)};
  hushbit_error error = {};
  size_t bytes = 0;
  const double taken = measure([&](int i) {
    const std::string& text = texts[static_cast<size_t>(i) % texts.size()];
    bytes += text.size();
    require(hushbit_report_text(reporter, text.data(), text.size(), &report, &error), error);
  });
  printf("%-10s of messages of %3.0f bytes %8.0f ns/report\n", name,
         static_cast<double>(bytes) / (kReports + kReports / 10), taken);
  hushbit_reporter_destroy(reporter);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: %s BUNDLE [TEXTFILE]\n", argv[0]);
    return 2;
  }
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  require(hushbit_bundle_open(argv[1], &bundle, &error), error);
  std::vector<std::string> texts = {"We'll be at the station around eight, don't forget the tickets \U0001F600 thanx"};
  if (argc == 3) {
    texts.clear();
    std::ifstream file(argv[2]);
    for (std::string line; std::getline(file, line);) texts.push_back(line);
  }
  for (const double epsilon : {0.5, 1.0, 2.0, 4.0, 8.0}) {
    for (const uint32_t count : {2u, 100u, 16'385u, 370'000u}) measure_values(count, epsilon);
  }
  measure_texts(bundle, "words", HUSHBIT_VALUES_WORDS, texts);
  measure_texts(bundle, "emoji", HUSHBIT_VALUES_EMOJI, texts);
  measure_texts(bundle, "new words", HUSHBIT_VALUES_NEW_WORDS, texts);
  hushbit_bundle_close(bundle);
  return 0;
}
