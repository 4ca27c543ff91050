// The audit log: one line of JSON a release, with what it says and without what was typed.
#include <time.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "budget_files.h"
#include "json.h"

using namespace hushbit::testing;

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::string line;
  std::ifstream file(native_path(path), std::ios::binary);
  while (std::getline(file, line)) lines.push_back(line);
  return lines;
}

std::string today() {
  const time_t now = time(nullptr);
  char text[16];
  strftime(text, sizeof(text), "%Y-%m-%d", gmtime(&now));
  return text;
}

void test_a_line_a_release() {
  const Directory directory;
  const std::string path = directory / "audit.log";
  SmallPrivatizer privatizer(nullptr, HUSHBIT_OOV_RANDOM, path.c_str());
  CHECK(lines_of(path).empty());
  std::string before = today();
  CHECK_EQ(privatizer.run("The cat, Qzxcanary sat!"), HUSHBIT_OK);
  const hushbit_cost cost = privatizer.cost();
  CHECK_EQ(privatizer.run("bad \xff"), HUSHBIT_INVALID_TEXT);
  CHECK_EQ(privatizer.run(""), HUSHBIT_OK);
  const std::vector<std::string> lines = lines_of(path);
  CHECK_EQ(lines.size(), 2u);
  const Json line = Json::parse(lines[0]);
  CHECK(line["day"].text() == before || line["day"].text() == today());
  CHECK_EQ(line["bundle"].text().size(), 64u);
  CHECK(line["mechanism"].text() == "brr");
  CHECK(!line["memoized"].boolean());
  CHECK(std::abs(line["epsilon"].number() - cost.epsilon) <= 1e-8 * cost.epsilon);
  CHECK(std::abs(line["average"].number() - cost.average) <= 1e-8 * cost.average);
  CHECK(std::abs(line["worst_case"].number() - cost.worst_case) <= 1e-8 * cost.worst_case);
  CHECK_EQ(line["words"].integer(), 3u);
  CHECK_EQ(line["unknown"].integer(), 1u);
  CHECK_EQ(line["dropped"].integer(), 2u);
  CHECK_EQ(line["verbatim"].integer(), 0u);
  CHECK(read_file(path).find("anary") == std::string::npos);
  CHECK(read_file(path).find("cat") == std::string::npos);
}

void test_infinite_costs() {
  const Directory directory;
  const std::string path = directory / "audit.log";
  SmallPrivatizer privatizer(nullptr, HUSHBIT_OOV_VERBATIM_UNSAFE, path.c_str());
  CHECK_EQ(privatizer.run("blorb"), HUSHBIT_OK);
  const Json line = Json::parse(lines_of(path)[0]);
  CHECK(line["worst_case"].text() == "Infinity");
  CHECK_EQ(line["verbatim"].integer(), 1u);
  CHECK(lines_of(path)[0].find("blorb") == std::string::npos);
}

void test_a_refused_release_is_no_line() {
  const Directory directory;
  const std::string path = directory / "audit.log";
  OpenBudget budget(directory / "ledger", limits_of(HUGE_VAL, 0));
  SmallPrivatizer privatizer(budget.handle, HUSHBIT_OOV_RANDOM, path.c_str());
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(lines_of(path).empty());
}

#if defined(__linux__)
void test_a_full_disk() {
  SmallPrivatizer privatizer(nullptr, HUSHBIT_OOV_RANDOM, "/dev/full");
  CHECK_EQ(privatizer.status, HUSHBIT_OK);
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_STORAGE_FAILED);
  CHECK(privatizer.released().empty());
  CHECK(std::string(privatizer.error.message).find("No space left") != std::string::npos);
}
#endif

void test_places_that_cannot_be() {
  const Directory directory;
  CHECK_EQ(SmallPrivatizer(nullptr, 0, (directory / "missing/log").c_str()).status, HUSHBIT_STORAGE_FAILED);
  CHECK_EQ(SmallPrivatizer(nullptr, 0, directory.path.c_str()).status, HUSHBIT_STORAGE_FAILED);
  CHECK_EQ(SmallPrivatizer(nullptr, 0, "").status, HUSHBIT_INVALID_ARGUMENT);
}

// Lines of several threads do not mix.
void test_threads() {
  const Directory directory;
  const std::string path = directory / "audit.log";
  std::vector<std::thread> threads;
  std::atomic<int> released = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      SmallPrivatizer privatizer(nullptr, HUSHBIT_OOV_RANDOM, path.c_str());
      for (int i = 0; i < 50; ++i) released += privatizer.run("the cat sat") == HUSHBIT_OK ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(released.load(), 200);
  const std::vector<std::string> lines = lines_of(path);
  CHECK_EQ(lines.size(), 200u);
  for (const std::string& line : lines) CHECK_EQ(Json::parse(line)["words"].integer(), 3u);
}

}  // namespace

int main() {
  test_a_line_a_release();
  test_infinite_costs();
  test_a_refused_release_is_no_line();
#if defined(__linux__)
  test_a_full_disk();
#endif
  test_places_that_cannot_be();
  test_threads();
  return check_result();
}
