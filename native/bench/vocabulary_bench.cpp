// How long opening, verifying, word → id and id → word take: vocabulary_bench BUNDLE.
#include <stdio.h>
#include <time.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "hushbit/hushbit.h"

namespace {

// Processor time, in seconds: a busy machine changes little.
double now() { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }

// The best of some runs, in seconds.
template <typename Run>
double best_of(int runs, Run run) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    const double start = now();
    run();
    best = std::min(best, now() - start);
  }
  return best;
}

std::vector<std::string> all_words(const hushbit_bundle* bundle, const std::vector<uint32_t>& ids) {
  std::vector<std::string> words;
  char buffer[255];
  size_t length;
  for (const uint32_t id : ids) {
    if (hushbit_bundle_word(bundle, id, buffer, sizeof(buffer), &length, nullptr) == HUSHBIT_OK) {
      words.emplace_back(buffer, length);
    }
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  hushbit_bundle* bundle = nullptr;
  hushbit_error error;
  if (argc != 2 || hushbit_bundle_open(argv[1], &bundle, &error) != HUSHBIT_OK) {
    fprintf(stderr, "%s\n", argc == 2 ? error.message : "usage: vocabulary_bench BUNDLE");
    return 2;
  }
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  std::vector<uint32_t> ids(info.words);
  for (uint32_t id = 0; id < info.words; ++id) ids[id] = id;
  std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
  const std::vector<std::string> words = all_words(bundle, ids);

  const double open = best_of(100, [&] {
    hushbit_bundle* again;
    if (hushbit_bundle_open(argv[1], &again, nullptr) == HUSHBIT_OK) hushbit_bundle_close(again);
  });
  hushbit_status status = HUSHBIT_OK;
  const double verify = best_of(3, [&] { status = hushbit_bundle_verify(bundle, &error); });
  size_t failures = status != HUSHBIT_OK;
  const double find = best_of(3, [&] {
    uint32_t id;
    for (size_t i = 0; i < words.size(); ++i) {
      if (hushbit_bundle_find(bundle, words[i].data(), words[i].size(), &id, nullptr) != HUSHBIT_OK || id != ids[i]) {
        ++failures;
      }
    }
  });
  const double word = best_of(3, [&] {
    char buffer[255];
    size_t length;
    for (const uint32_t id : ids) {
      failures += hushbit_bundle_word(bundle, id, buffer, sizeof(buffer), &length, nullptr) != HUSHBIT_OK;
    }
  });
  printf("%u words, %llu bytes\n", info.words, static_cast<unsigned long long>(info.file_bytes));
  printf("open        %8.1f us\n", open * 1e6);
  printf("verify      %8.1f ms\n", verify * 1e3);
  printf("word to id  %8.3f us\n", find * 1e6 / info.words);
  printf("id to word  %8.3f us\n", word * 1e6 / info.words);
  if (failures > 0) fprintf(stderr, "%zu failures\n", failures);
  hushbit_bundle_close(bundle);
  return failures == 0 ? 0 : 1;
}
