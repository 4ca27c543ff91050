// Times the searches of the core, as tools/bench asks:
//
//   search_bench DIRECTORY KERNELS
//
// DIRECTORY holds the bundles `both` (clusters and hash) and `mih` (rows and hash). KERNELS is a name or
// `best`. The first line of the answer is a JSON list of methods; then each line on stdin is a job:
//
//   METHOD BATCH FLIPS QUERIES ANSWERS
//
// QUERIES is a file of rows, searched BATCH at a time, in which FLIPS bits are expected to be flipped; for each, its
// distance, number of ties and lowest id go to the file ANSWERS as three 32-bit integers. The job is answered by a line
// of JSON: microseconds per query as the median and mean over batches, and what was read per query.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "bundle/mapping.h"
#include "search/search.h"

namespace {

using hushbit::Ties;

[[noreturn]] void die(const std::string& what) {
  fprintf(stderr, "search_bench: %s\n", what.c_str());
  exit(1);
}

std::vector<uint8_t> read_file(const std::string& path) {
  FILE* file = fopen(path.c_str(), "rb");
  if (file == nullptr) die("cannot open " + path);
  fseek(file, 0, SEEK_END);
  std::vector<uint8_t> bytes(static_cast<size_t>(ftell(file)));
  rewind(file);
  if (fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) die("cannot read " + path);
  fclose(file);
  return bytes;
}

// Short calls are timed by the wall, long ones in processor time, to which other processes do not add. (The median of
// short calls leaves out those that were interrupted.)
class Stopwatch {
 public:
  explicit Stopwatch(bool processor) : processor_(processor), ticks_(clock()), start_(Clock::now()) {}

  double microseconds() const {
    if (processor_) return static_cast<double>(clock() - ticks_) * 1e6 / CLOCKS_PER_SEC;
    return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool processor_;
  clock_t ticks_;
  Clock::time_point start_;
};

// The ways to search, and whether over clusters or over rows.
struct Method {
  const char* name;
  uint32_t search;
  bool clustered;
};
constexpr Method kMethods[] = {{"rows", HUSHBIT_SEARCH_ROWS, false},
                               {"cluster", HUSHBIT_SEARCH_CLUSTERS, true},
                               {"mih", HUSHBIT_SEARCH_MIH, true},
                               {"mih-rows", HUSHBIT_SEARCH_MIH, false},
                               {"plan", HUSHBIT_SEARCH_AUTO, true}};

// A bundle mapped as in an app, its planes in whole cache lines; its kernels changed.
class Opened {
 public:
  Opened(const std::string& path, const hushbit::Kernels* kernels) {
    hushbit_error error;
    if (hushbit::map_path(path.c_str(), &mapping_, &error) != HUSHBIT_OK ||
        bundle_->open(mapping_, &error) != HUSHBIT_OK) {
      die(error.message);
    }
    *codes_ = bundle_->codes();
    codes_->tiled.kernels = codes_->rows.kernels = kernels;
  }

  const hushbit::Codes& codes() const { return *codes_; }

 private:
  hushbit::Mapping mapping_;
  std::unique_ptr<hushbit::Bundle> bundle_ = std::make_unique<hushbit::Bundle>();
  std::unique_ptr<hushbit::Codes> codes_ = std::make_unique<hushbit::Codes>();
};

const hushbit::Kernels* kernels_named(const std::string& name) {
  if (name == "best") return &hushbit::best_kernels();
  for (const hushbit::Kernels* kernels : hushbit::supported_kernels()) {
    if (name == kernels->name) return kernels;
  }
  die("this processor has no kernels " + name);
}

class Bench {
 public:
  Bench(const std::string& directory, const std::string& kernels)
      : clustered_(directory + "/both", kernels_named(kernels)), rows_(directory + "/mih", kernels_named(kernels)) {}

  void run(const Method& method, size_t batch, double flips, const std::string& queries_path,
           const std::string& answers_path) {
    const std::vector<uint8_t> queries = read_file(queries_path);
    const hushbit::Codes& codes = (method.clustered ? clustered_ : rows_).codes();
    hushbit::SearchPlan plan;
    hushbit_error error;
    if (plan.init(codes, method.search, flips, &error) != HUSHBIT_OK) die(error.message);
    const size_t count = queries.size() / codes.code_bytes;
    std::vector<Ties> ties(count);
    std::vector<double> times;
    hushbit::SearchWork work;
    for (size_t first = 0; first + batch <= count; first += batch) {
      const uint8_t* block = queries.data() + first * codes.code_bytes;
      const Stopwatch stopwatch(batch > 1);
      if (!hushbit::find_nearest(codes, plan, block, batch, &ties[first], &work)) die("the bundle is damaged");
      times.push_back(stopwatch.microseconds() / static_cast<double>(batch));
    }
    write_answers(ties, answers_path);
    report(times, work, bytes_of(codes, work), count);
  }

 private:
  // For each lookup a cache line of offsets and one of entries; of a block, its codes.
  static uint64_t bytes_of(const hushbit::Codes& codes, const hushbit::SearchWork& work) {
    const uint64_t block_words = codes.has_mih ? codes.mih.block_words() : 0;
    return (work.rows + work.mih.blocks * block_words) * codes.code_bytes + work.scan.planes * hushbit::kPlaneBytes +
           2 * 64 * work.mih.lookups;
  }

  static void write_answers(const std::vector<Ties>& ties, const std::string& path) {
    FILE* file = fopen(path.c_str(), "wb");
    if (file == nullptr) die("cannot write " + path);
    for (const Ties& t : ties) {
      const uint32_t answer[3] = {t.distance, t.count, t.ids[0]};
      if (fwrite(answer, sizeof(answer), 1, file) != 1) die("cannot write " + path);
    }
    if (fclose(file) != 0) die("cannot write " + path);
  }

  static void report(std::vector<double> times, const hushbit::SearchWork& work, uint64_t bytes, size_t count) {
    double sum = 0;
    for (const double time : times) sum += time;
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
    const auto each = [count](uint64_t total) { return static_cast<double>(total) / static_cast<double>(count); };
    printf(
        "{\"median_us\": %.3f, \"mean_us\": %.3f, \"rows\": %.1f, \"clusters\": %.1f, \"tiles\": %.1f, "
        "\"planes\": %.1f, \"lookups\": %.1f, \"entries\": %.1f, \"blocks\": %.2f, \"fallbacks\": %.4f, "
        "\"bytes\": %.0f}\n",
        times[times.size() / 2], sum / static_cast<double>(times.size()), each(work.rows), each(work.scan.clusters),
        each(work.scan.tiles), each(work.scan.planes), each(work.mih.lookups), each(work.mih.entries),
        each(work.mih.blocks), each(work.fallbacks), each(bytes));
    fflush(stdout);
  }

  const Opened clustered_, rows_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) die("usage: search_bench DIRECTORY KERNELS");
  Bench bench(argv[1], argv[2]);
  std::string names;
  for (const Method& method : kMethods) names += std::string(names.empty() ? "\"" : ", \"") + method.name + '"';
  printf("[%s]\n", names.c_str());
  fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::string name, queries, answers;
    size_t batch = 0;
    double flips = 0;
    std::istringstream(line) >> name >> batch >> flips >> queries >> answers;
    const auto method =
        std::find_if(std::begin(kMethods), std::end(kMethods), [&](const Method& each) { return name == each.name; });
    if (batch == 0 || method == std::end(kMethods)) die("not a job: " + line);
    bench.run(*method, batch, flips, queries, answers);
  }
  return 0;
}
