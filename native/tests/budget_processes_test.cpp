// Budgets under threads and processes that spend at once, and under processes that are killed while they spend.
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "budget_files.h"
#include "processes.h"
#include "release/storage.h"

using namespace hushbit::testing;

namespace {

// What parent and children share.
struct Shared {
  std::atomic<uint64_t> acknowledged{0};
  std::atomic<uint64_t> started{0};
  std::atomic<int> ready{0};
  char path[2048] = "";  // of the ledger
};
static_assert(sizeof(Shared) <= kSharedBytes);

Shared& shared_of(void* memory) { return *static_cast<Shared*>(memory); }

// ---- What children do

// Spends 1 of 10, at the same time as another.
int race(void* memory) {
  Shared& shared = shared_of(memory);
  OpenBudget budget(shared.path, limits_of(HUGE_VAL, 10));
  ++shared.ready;
  while (shared.ready < 2) std::this_thread::yield();
  const hushbit_status status = budget.spend(1);
  if (status == HUSHBIT_OK) ++shared.acknowledged;
  return status == HUSHBIT_OK || status == HUSHBIT_BUDGET_EXHAUSTED ? 0 : 1;
}

int spend_sixty_times(void* memory) {
  OpenBudget budget(shared_of(memory).path);
  for (int i = 0; i < 60; ++i) {
    if (budget.spend(0.5, 1) != HUSHBIT_OK) return 1;
  }
  return 0;
}

// As fast as it can, noting every OK.
int spend_forever(void* memory) {
  Shared& shared = shared_of(memory);
  OpenBudget budget(shared.path);
  for (;;) {
    ++shared.started;
    if (budget.spend(1, 1) != HUSHBIT_OK) return 1;
    ++shared.acknowledged;
  }
}

constexpr Work kWorks[] = {race, spend_sixty_times, spend_forever};
enum { kRace, kSpendSixtyTimes, kSpendForever };

// A ledger, and children that use it.
class Family {
 public:
  Family() {
    new (memory_.get()) Shared();
    std::strcpy(shared().path, path().c_str());
  }

  std::string path() const { return directory_ / "ledger"; }
  Shared& shared() const { return shared_of(memory_.get()); }
  Child start(size_t work) const { return Child(memory_, kWorks, work); }
  void run(size_t work, int count) const {
    std::vector<Child> children;
    for (int i = 0; i < count; ++i) children.push_back(start(work));
    for (Child& child : children) CHECK_EQ(child.exit_code(), 0);
  }

 private:
  Directory directory_;
  SharedMemory memory_;
};

// ---- Tests

void test_threads() {
  const Directory directory;
  constexpr int kThreads = 4, kEach = 40, kCap = 100;
  OpenBudget budget(directory / "ledger", limits_of(HUGE_VAL, kCap));
  std::atomic<int> granted{0}, refused{0}, failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kEach; ++j) {
        const hushbit_status status = hushbit_budget_spend(budget.handle, 1, 2, nullptr);
        ++(status == HUSHBIT_OK ? granted : status == HUSHBIT_BUDGET_EXHAUSTED ? refused : failed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(granted, kCap);
  CHECK_EQ(refused, kThreads * kEach - kCap);
  CHECK_EQ(failed, 0);
  CHECK_EQ(budget.state().worst_case_lifetime, double{kCap});
  CHECK_EQ(budget.state().tokens_lifetime, 2u * kCap);
}

// Two processes, started together, want the only unit there is: one gets it.
void test_processes_race_for_the_last_unit() {
  const int rounds = kWindows ? 10 : 60;  // starting a process takes long there
  for (int round = 0; round < rounds; ++round) {
    const Family family;
    OpenBudget(family.path()).spend(9);
    family.run(kRace, 2);
    CHECK_EQ(family.shared().acknowledged.load(), 1u);
    CHECK_EQ(OpenBudget(family.path()).state().worst_case_lifetime, 10.0);
  }
}

void test_processes_lose_nothing() {
  const Family family;
  OpenBudget budget(family.path());
  family.run(kSpendSixtyTimes, 3);
  CHECK_EQ(budget.state().worst_case_lifetime, 90.0);
  CHECK_EQ(budget.state().tokens_lifetime, 180u);
}

// A child spends and notes every OK; the parent kills it at a random instant. What was answered with OK is in the
// ledger, what was begun may be, the ledger is whole, and its lock is free.
void test_kill_at_random_instants() {
  const int kills = kWindows ? 40 : 300;
  const Family family;
  Shared& shared = family.shared();
  std::mt19937_64 random(20);
  OpenBudget budget(family.path());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 16; ++i) CHECK_EQ(budget.spend(0), HUSHBIT_OK);
  const uint64_t spend_time = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count() / 16;
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    const uint64_t before = shared.started;
    Child child = family.start(kSpendForever);
    while (shared.started == before) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::nanoseconds(random() % (4 * spend_time)));
    child.kill();
    const hushbit_budget_state state = budget.state();
    CHECK(state.tokens_lifetime >= shared.acknowledged);
    CHECK(state.tokens_lifetime <= shared.started);
    CHECK_EQ(state.worst_case_lifetime, static_cast<double>(state.tokens_lifetime));
  }
  const uint64_t acknowledged = shared.acknowledged;
  CHECK(acknowledged > 0);
  CHECK_EQ(budget.spend(1, 1), HUSHBIT_OK);
  std::cerr << kills << " kills, " << acknowledged << " spends answered, "
            << budget.state().tokens_lifetime - 1 - acknowledged << " spent without an answer\n";
}

#if !defined(_WIN32)

int wait_to_be_killed(void*) {
  alarm(30);  // ends it if the test is ended
  pause();
  return 1;
}

// A child that is forked while a lock is held has the locked file open, too. It must not keep the others waiting.
void test_fork_while_locked() {
  const Directory directory;
  const std::string path = directory / "ledger.lock";
  const Work works[] = {wait_to_be_killed};
  auto lock = std::make_unique<hushbit::FileLock>();
  CHECK_EQ(lock->acquire(path.c_str(), nullptr), HUSHBIT_OK);
  Child child(SharedMemory(), works, 0);
  lock.reset();
  alarm(20);  // ends the test if it waits
  CHECK_EQ(hushbit::FileLock().acquire(path.c_str(), nullptr), HUSHBIT_OK);
  alarm(0);
  child.kill();
}

#endif

}  // namespace

int main(int argc, char** argv) {
  children_work(argc, argv, kWorks);
#if !defined(_WIN32)
  test_fork_while_locked();
#endif
  test_threads();
  test_processes_race_for_the_last_unit();
  test_processes_lose_nothing();
  test_kill_at_random_instants();
  return check_result();
}
