// How long the tokenizer takes: tokenizer_bench BUNDLE [TEXTFILE]
// CPU time, on ordinary text (the file, or a sentence over and over), and on texts that could make it slow, 1 MB each.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <memory>
#include <string>

#include "bundle/bundle.h"
#include "bundle/mapping.h"
#include "text/tokenizer.h"

namespace {

constexpr size_t kTextBytes = 1'000'000;

std::string repeat(const std::string& piece) {
  std::string text;
  while (text.size() < kTextBytes) text += piece;
  return text;
}

std::string read_file(const char* path) {
  std::string text;
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    perror(path);
    exit(1);
  }
  char buffer[1 << 16];
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, size);
  fclose(file);
  return text;
}

void measure(const hushbit::Vocabulary& vocabulary, const char* name, const std::string& text) {
  const clock_t start = clock();
  hushbit::Tokenizer tokenizer(vocabulary, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  size_t tokens = 0;
  hushbit_token token;
  hushbit_error error;
  for (bool found;; ++tokens) {
    if (tokenizer.next(&token, &found, &error) != HUSHBIT_OK) {
      fprintf(stderr, "%s: %s\n", name, error.message);
      exit(1);
    }
    if (!found) break;
  }
  const double seconds = static_cast<double>(clock() - start) / CLOCKS_PER_SEC;
  const double count = static_cast<double>(tokens > 0 ? tokens : 1);
  printf("%-24s %9zu bytes %9zu tokens %8.1f ms %8.0f ns/token\n", name, text.size(), tokens, seconds * 1e3,
         seconds * 1e9 / count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: %s BUNDLE [TEXTFILE]\n", argv[0]);
    return 2;
  }
  hushbit_error error;
  hushbit::Mapping mapping;
  const auto bundle = std::make_unique<hushbit::Bundle>();
  if (hushbit::map_path(argv[1], &mapping, &error) != HUSHBIT_OK || bundle->open(mapping, &error) != HUSHBIT_OK) {
    fprintf(stderr, "%s: %s\n", argv[1], error.message);
    return 1;
  }
  const hushbit::Vocabulary& vocabulary = bundle->vocabulary();
  const std::string ordinary = "We don't know John's well-known brother-in-law, but he's from the U.S., isn't he? ";
  measure(vocabulary, "ordinary", argc == 3 ? read_file(argv[2]) : repeat(ordinary));
  measure(vocabulary, "letters, no spaces", repeat("a"));
  measure(vocabulary, "hyphens in letters", repeat("a-"));
  measure(vocabulary, "periods", repeat("."));
  measure(vocabulary, "apostrophes", repeat("'"));
  measure(vocabulary, "curly apostrophes", repeat("\u2019"));
  measure(vocabulary, "hyphens", repeat("-"));
  measure(vocabulary, "contractions", repeat("'s"));
  measure(vocabulary, "n't", repeat("n't"));
  measure(vocabulary, "combining marks", repeat("\u0301"));
  measure(vocabulary, "period, 31 marks", repeat("." + repeat("\u0323").substr(0, 62)));
  measure(vocabulary, "letter, 31 marks", repeat("a" + repeat("\u0301").substr(0, 62) + " "));
  measure(vocabulary, "emoji", repeat("\U0001F469\U0001F3FD\u200D\u2764\uFE0F"));
  measure(vocabulary, "digits and commas", repeat("1,"));
  measure(vocabulary, "Han", repeat("\u4ECA\u5929\u5929\u6C14\u5F88\u597D"));
  measure(vocabulary, "Thai", repeat("\u0E01\u0E34\u0E19\u0E02\u0E49\u0E32\u0E27"));
  measure(vocabulary, "soft hyphens", repeat("co\u00ADop "));
  measure(vocabulary, "white space", repeat("\u3000"));
  hushbit::unmap(mapping);
  return 0;
}
