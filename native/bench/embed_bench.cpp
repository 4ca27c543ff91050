// How long embedding a text takes, on one core, reading it included: embed_bench BUNDLE TEXTFILE [WORDS]
// CPU time of texts of about WORDS words (16 and 240 if none are given), which are lines joined or cut; the median over
// texts, and the parts of it: reading the text, and drawing a direction for its vector.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hushbit/hushbit.h"
#include "hushbit/testing.h"

namespace {

constexpr size_t kTexts = 400;
constexpr int kRepeats = 25;  // of each text; the fastest fifth of them, so that other programs count less

std::vector<std::string> read_words(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    perror(path);
    exit(1);
  }
  std::vector<std::string> words(1);
  for (int c; (c = fgetc(file)) != EOF && words.size() < 2000000;) {
    if (c == ' ' || c == '\n') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += static_cast<char>(c);
    }
  }
  fclose(file);
  return words;
}

std::vector<std::string> texts_of(const std::vector<std::string>& words, size_t length) {
  std::vector<std::string> texts;
  for (size_t first = 0; first + length <= words.size() && texts.size() < kTexts; first += length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += words[first + i] + ' ';
    texts.push_back(text);
  }
  return texts;
}

void require(hushbit_status status, const hushbit_error& error) {
  if (status == HUSHBIT_OK) return;
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

double now() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Microseconds: the median over texts of what each takes undisturbed.
template <typename Run>
double median(const std::vector<std::string>& texts, Run run) {
  std::vector<double> each;
  for (const std::string& text : texts) {
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
      const double start = now();
      run(text);
      times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    each.push_back(times[kRepeats / 5]);
  }
  std::sort(each.begin(), each.end());
  return each[each.size() / 2] * 1e6;
}

void measure(const hushbit_embedder* embedder, const std::vector<std::string>& words, size_t length,
             hushbit_result* scratch) {
  const std::vector<std::string> texts = texts_of(words, length);
  if (texts.empty()) {
    fprintf(stderr, "the file has fewer than %zu words\n", length);
    exit(1);
  }
  hushbit_error error = {};
  const double whole = median(texts, [&](const std::string& text) {
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
    require(hushbit_embed(embedder, text.data(), text.size(), scratch, &embedding, &error), error);
  });
  int64_t vector[64];
  const double reading = median(texts, [&](const std::string& text) {
    require(hushbit_embedder_text_vector(embedder, text.data(), text.size(), vector, &error), error);
  });
  printf("%4zu words %8.1f us, of which %8.1f us for the vector\n", length, whole, reading);
}

}  // namespace

int main(int argc, char** argv) {
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  if (argc < 3 || hushbit_bundle_open(argv[1], &bundle, &error) != HUSHBIT_OK) {
    fprintf(stderr, "%s\n", argc < 3 ? "usage: embed_bench BUNDLE TEXTFILE [WORDS]" : error.message);
    return 2;
  }
  const std::vector<std::string> words = read_words(argv[2]);
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  require(hushbit_embedder_options_init(&options, &error), error);
  hushbit_embedder* embedder = nullptr;
  const double start = now();
  require(hushbit_embedder_create(bundle, &options, &embedder, &error), error);
  printf("made in %.1f ms\n", (now() - start) * 1e3);
  hushbit_result* scratch = nullptr;
  require(hushbit_result_create(&scratch, &error), error);
  if (argc > 3) {
    measure(embedder, words, static_cast<size_t>(atol(argv[3])), scratch);
  } else {
    for (const size_t length : {16, 240}) measure(embedder, words, length, scratch);
  }
  hushbit_result_destroy(scratch);
  hushbit_embedder_destroy(embedder);
  hushbit_bundle_close(bundle);
  return 0;
}
