// How many words a second each mechanism privatizes, on one core, tokenizing included: privatize_bench BUNDLE TEXTFILE
// CPU time; each line is a release. Every mechanism takes lines in turn, from the first on, until its time is up, and
// is compared with crowds of many words in the same run.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <functional>
#include <string>
#include <vector>

#include "hushbit/hushbit.h"

namespace {

constexpr double kSeconds = 2;

std::vector<std::string> read_lines(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    perror(path);
    exit(1);
  }
  std::vector<std::string> lines(1);
  for (int c; (c = fgetc(file)) != EOF;) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(c);
    }
  }
  fclose(file);
  return lines;
}

void require(hushbit_status status, const hushbit_error& error) {
  if (status == HUSHBIT_OK) return;
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

// Words a second; `run` says how many words a line had.
double measure(const std::vector<std::string>& lines, const std::function<uint64_t(const std::string&)>& run) {
  for (size_t i = 0; i < lines.size() && i < 20; ++i) run(lines[i]);  // pages and memory first
  uint64_t words = 0;
  const clock_t start = clock();
  double seconds = 0;
  for (size_t i = 0; seconds < kSeconds; i = (i + 1) % lines.size()) {
    words += run(lines[i]);
    if (i % 8 == 0) seconds = static_cast<double>(clock() - start) / CLOCKS_PER_SEC;
  }
  return static_cast<double>(words) / seconds;
}

struct Way {
  const char* name;
  uint32_t mechanism, crowd;
  double epsilon;
};

double measure(const hushbit_bundle* bundle, const Way& way, const std::vector<std::string>& lines,
               hushbit_result* result) {
  hushbit_error error;
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  require(hushbit_privatizer_options_init(bundle, &options, &error), error);
  options.mechanism = way.mechanism;
  options.crowd_size = way.crowd;
  options.epsilon = way.epsilon;
  options.allow_unchanged = 1;
  hushbit_privatizer* privatizer = nullptr;
  const clock_t start = clock();
  require(hushbit_privatizer_create(bundle, &options, &privatizer, &error), error);
  const double created = static_cast<double>(clock() - start) / CLOCKS_PER_SEC;
  const double speed = measure(lines, [&](const std::string& line) {
    require(hushbit_privatize(privatizer, line.data(), line.size(), result, &error), error);
    hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
    hushbit_result_get_cost(result, &cost, nullptr);
    return cost.words + cost.unknown;
  });
  hushbit_privatizer_destroy(privatizer);
  printf("%-14s epsilon %-5g %12.0f words/s %10.0f ns/word, made in %.1f ms", way.name, way.epsilon, speed, 1e9 / speed,
         created * 1e3);
  return speed;
}

}  // namespace

int main(int argc, char** argv) {
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  if (argc != 3 || hushbit_bundle_open(argv[1], &bundle, &error) != HUSHBIT_OK) {
    fprintf(stderr, "%s\n", argc == 3 ? error.message : "usage: privatize_bench BUNDLE TEXTFILE");
    return 2;
  }
  const std::vector<std::string> lines = read_lines(argv[2]);
  hushbit_result* result = nullptr;
  require(hushbit_result_create(&result, &error), error);
  const double tokens = measure(lines, [&](const std::string& line) {
    require(hushbit_tokenize(bundle, line.data(), line.size(), result, &error), error);
    size_t count = 0;
    hushbit_result_tokens(result, &count);
    return count;
  });
  printf("%-14s               %12.0f tokens/s %9.0f ns/token\n", "tokenize", tokens, 1e9 / tokens);
  const Way ways[] = {
      {"crowd, many", HUSHBIT_CROWD, HUSHBIT_CROWD_SIZE_MANY, 6},
      {"crowd, few", HUSHBIT_CROWD, HUSHBIT_CROWD_SIZE_FEW, 6},
      {"crowd, one", HUSHBIT_CROWD, HUSHBIT_CROWD_SIZE_ONE, 6},
      {"brr", HUSHBIT_BRR, 0, 1.5},
      {"tem", HUSHBIT_TEM, 0, 0.5},
  };
  double first = 0;
  for (const Way& way : ways) {
    const double speed = measure(bundle, way, lines, result);
    if (first == 0) first = speed;
    printf(", %.3gx as fast as crowds of many\n", speed / first);
  }
  hushbit_result_destroy(result);
  hushbit_bundle_close(bundle);
}
