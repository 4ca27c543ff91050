// Times the searches of the core on raw sections, as tools/bench asks:
//
//   search_bench DIRECTORY BITS KERNELS
//
// DIRECTORY holds the files `rows` (codes of BITS bits in id order) and `mih` (the section, over rows). KERNELS is a
// name or `best`. The first line of the answer is a JSON list of methods; then each line on stdin is a job:
//
//   METHOD BATCH QUERIES ANSWERS
//
// QUERIES is a file of rows, searched BATCH at a time; for each, its distance, number of ties and lowest id go to the
// file ANSWERS as three 32-bit integers. The job is answered by a line of JSON: microseconds per query as the median
// and mean over batches, and what was read per query.
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

#include "mih.h"
#include "row_scan.h"

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

// What a search read, summed over the queries.
struct Work {
  uint64_t lookups = 0, entries = 0, blocks = 0, fallbacks = 0, bytes = 0;
};

class Bench {
 public:
  Bench(const std::string& directory, uint32_t bits)
      : rows_(read_file(directory + "/rows")), section_(read_file(directory + "/mih")) {
    codes_ = {rows_.data(), static_cast<uint32_t>(rows_.size() / (bits / 8)), bits / 8};
    blocks_ = hushbit::blocks_of(codes_);
    hushbit_error error;
    if (mih_->open(section_, 0, codes_.count, bits, &error) != HUSHBIT_OK) die(error.message);
  }

  void run(const std::string& method, size_t batch, const std::string& queries_path, const std::string& answers_path) {
    const std::vector<uint8_t> queries = read_file(queries_path);
    const size_t count = queries.size() / codes_.code_bytes;
    std::vector<Ties> ties(count);
    std::vector<double> times;
    Work work;
    for (size_t first = 0; first + batch <= count; first += batch) {
      const uint8_t* block = queries.data() + first * codes_.code_bytes;
      const Stopwatch stopwatch(batch > 1);
      search(method, block, batch, &ties[first], &work);
      times.push_back(stopwatch.microseconds() / static_cast<double>(batch));
    }
    write_answers(ties, answers_path);
    report(times, work, count);
  }

 private:
  void search(const std::string& method, const uint8_t* queries, size_t count, Ties* ties, Work* work) const {
    if (method == "scan") return search_rows(queries, count, ties, work);
    if (method == "mih") return search_mih(queries, count, ties, work);
    die("no method " + method);
  }

  void search_rows(const uint8_t* queries, size_t count, Ties* ties, Work* work) const {
    hushbit::find_nearest(codes_, queries, count, ties);
    work->bytes += rows_.size() * count;
  }

  void search_mih(const uint8_t* queries, size_t count, Ties* ties, Work* work) const {
    hushbit::MihScratch scratch;
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* query = queries + i * codes_.code_bytes;
      if (mih_->find_nearest(blocks_, query, patience(), &scratch, &ties[i])) continue;
      search_rows(query, 1, &ties[i], work);
      ++work->fallbacks;
    }
    work->lookups += scratch.work.lookups;
    work->entries += scratch.work.entries;
    work->blocks += scratch.work.blocks;
    // Two cache lines for each lookup, offsets and entries, and the codes.
    work->bytes += 2 * 64 * scratch.work.lookups + scratch.work.blocks * mih_->block_words() * codes_.code_bytes;
  }

  // A lookup takes about as long as scanning 512 bytes of rows.
  uint32_t patience() const { return static_cast<uint32_t>(rows_.size() / 512); }

  static void write_answers(const std::vector<Ties>& ties, const std::string& path) {
    FILE* file = fopen(path.c_str(), "wb");
    if (file == nullptr) die("cannot write " + path);
    for (const Ties& t : ties) {
      const uint32_t answer[3] = {t.distance, t.count, t.ids[0]};
      if (fwrite(answer, sizeof(answer), 1, file) != 1) die("cannot write " + path);
    }
    if (fclose(file) != 0) die("cannot write " + path);
  }

  static void report(std::vector<double> times, const Work& work, size_t count) {
    double sum = 0;
    for (const double time : times) sum += time;
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
    const auto each = [count](uint64_t total) { return static_cast<double>(total) / static_cast<double>(count); };
    printf(
        "{\"median_us\": %.3f, \"mean_us\": %.3f, \"lookups\": %.1f, \"entries\": %.1f, \"blocks\": %.2f, "
        "\"fallbacks\": %.4f, \"bytes\": %.0f}\n",
        times[times.size() / 2], sum / static_cast<double>(times.size()), each(work.lookups), each(work.entries),
        each(work.blocks), each(work.fallbacks), each(work.bytes));
    fflush(stdout);
  }

  std::vector<uint8_t> rows_, section_;
  hushbit::Rows codes_;
  hushbit::CodeBlocks blocks_;
  std::unique_ptr<hushbit::Mih> mih_ = std::make_unique<hushbit::Mih>();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) die("usage: search_bench DIRECTORY BITS KERNELS");
  Bench bench(argv[1], static_cast<uint32_t>(atoi(argv[2])));
  puts("[\"scan\", \"mih\"]");
  fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::string method, queries, answers;
    size_t batch = 0;
    std::istringstream(line) >> method >> batch >> queries >> answers;
    if (batch == 0) die("not a job: " + line);
    bench.run(method, batch, queries, answers);
  }
  return 0;
}
