// Times the searches of the core on raw codes, as tools/bench asks:
//
//   search_bench CODES BITS [MIH]
//
// CODES holds rows of BITS / 8 bytes, MIH the section of that name. Each line on stdin is a job:
//
//   METHOD BATCH QUERIES ANSWERS
//
// METHOD is scan or mih; mih falls back to the scan where it gives up. QUERIES is a file of rows, searched BATCH at a
// time; for each, its distance, number of ties and lowest id go to the file ANSWERS as three 32-bit integers. The job
// is answered by a line of JSON: microseconds per query as the median and mean over batches, and what was read.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "mih.h"
#include "search.h"

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

// What a search read, summed over the queries.
struct Work {
  uint64_t lookups = 0, entries = 0, blocks = 0, fallbacks = 0, bytes = 0;
};

class Bench {
 public:
  Bench(const std::string& codes_path, uint32_t bits, const char* mih_path) : rows_(read_file(codes_path)) {
    codes_ = {rows_.data(), static_cast<uint32_t>(rows_.size() / (bits / 8)), bits / 8};
    blocks_ = hushbit::blocks_of(codes_);
    if (mih_path == nullptr) return;
    section_ = read_file(mih_path);
    hushbit_error error;
    if (mih_->open(section_, 0, codes_.count, bits, &error) != HUSHBIT_OK) die(error.message);
    has_mih_ = true;
  }

  void run(const std::string& method, size_t batch, const std::string& queries_path, const std::string& answers_path) {
    const bool scan = method == "scan";
    if (!scan && !(method == "mih" && has_mih_)) die("no method " + method);
    const std::vector<uint8_t> queries = read_file(queries_path);
    const size_t count = queries.size() / codes_.code_bytes;
    std::vector<Ties> ties(count);
    std::vector<double> times;
    Work work;
    for (size_t first = 0; first + batch <= count; first += batch) {
      const auto start = std::chrono::steady_clock::now();
      const uint8_t* at = queries.data() + first * codes_.code_bytes;
      scan ? search_rows(at, batch, &ties[first], &work) : search_mih(at, batch, &ties[first], &work);
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
      times.push_back(took.count() / static_cast<double>(batch));
    }
    write_answers(ties, answers_path);
    report(times, work, count);
  }

 private:
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
    // Cache lines: one of offsets for each lookup, one of entries where there are any, and the codes.
    work->bytes += 64 * (scratch.work.lookups + std::min(scratch.work.lookups, scratch.work.entries)) +
                   scratch.work.blocks * mih_->block_words() * codes_.code_bytes;
  }

  // A lookup takes about as long as scanning 256 bytes of rows.
  uint32_t patience() const { return static_cast<uint32_t>(rows_.size() / 256); }

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
  hushbit::Codes codes_;
  hushbit::CodeBlocks blocks_;
  std::unique_ptr<hushbit::Mih> mih_ = std::make_unique<hushbit::Mih>();
  bool has_mih_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) die("usage: search_bench CODES BITS [MIH]");
  Bench bench(argv[1], static_cast<uint32_t>(atoi(argv[2])), argc == 4 ? argv[3] : nullptr);
  for (std::string line; std::getline(std::cin, line);) {
    std::string method, queries, answers;
    size_t batch = 0;
    std::istringstream(line) >> method >> batch >> queries >> answers;
    if (batch == 0) die("not a job: " + line);
    bench.run(method, batch, queries, answers);
  }
  return 0;
}
