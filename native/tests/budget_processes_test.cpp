// Budgets under threads and processes that spend at once, and under processes that are killed while they spend.
#if defined(_WIN32)
int main() { return 0; }
#else

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "budget_files.h"
#include "release/storage.h"

using namespace hushbit::testing;

namespace {

// A counter that parent and children share, and that a kill leaves as it is.
struct Shared {
  std::atomic<uint64_t> acknowledged{0};
  std::atomic<uint64_t> started{0};
  std::atomic<int> ready{0};

  static Shared* create() {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    return new (memory) Shared();
  }
  void free() { munmap(this, sizeof(Shared)); }
};

template <typename Work>
pid_t in_a_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  CHECK(child > 0);
  return child;
}

bool wait_for(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void test_threads() {
  const Directory directory;
  constexpr int kThreads = 4, kEach = 40, kCap = 100;
  OpenBudget budget(directory / "ledger", limits_of(HUGE_VAL, kCap));
  std::atomic<int> granted{0}, refused{0}, failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kEach; ++j) {
        const hushbit_status status = hushbit_budget_try_spend(budget.handle, 1, 2, nullptr);
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
  for (int round = 0; round < 60; ++round) {
    const Directory directory;
    const std::string path = directory / "ledger";
    OpenBudget(path).spend(9);
    Shared* shared = Shared::create();
    std::vector<pid_t> children;
    for (int i = 0; i < 2; ++i) {
      children.push_back(in_a_child([&] {
        OpenBudget budget(path, limits_of(HUGE_VAL, 10));
        ++shared->ready;
        while (shared->ready < 2) std::this_thread::yield();
        const hushbit_status status = budget.spend(1);
        if (status == HUSHBIT_OK) ++shared->acknowledged;
        if (status != HUSHBIT_OK && status != HUSHBIT_BUDGET_EXHAUSTED) _exit(1);
      }));
    }
    for (const pid_t child : children) CHECK(wait_for(child));
    CHECK_EQ(shared->acknowledged.load(), 1u);
    CHECK_EQ(OpenBudget(path).state().worst_case_lifetime, 10.0);
    shared->free();
  }
}

void test_processes_lose_nothing() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget budget(path);
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    children.push_back(in_a_child([&] {
      OpenBudget own(path);
      for (int j = 0; j < 60; ++j) {
        if (own.spend(0.5, 1) != HUSHBIT_OK) _exit(1);
      }
    }));
  }
  for (const pid_t child : children) CHECK(wait_for(child));
  CHECK_EQ(budget.state().worst_case_lifetime, 90.0);
  CHECK_EQ(budget.state().tokens_lifetime, 180u);
}

// A child spends as fast as it can and notes every OK; the parent kills it at a random instant. What was answered with
// OK is in the ledger, what was begun may be, the ledger is whole, and its lock is free.
void test_kill_at_random_instants() {
  constexpr int kKills = 300;
  const Directory directory;
  const std::string path = directory / "ledger";
  Shared* shared = Shared::create();
  std::mt19937_64 random(20);
  OpenBudget budget(path);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 16; ++i) CHECK_EQ(budget.spend(0), HUSHBIT_OK);
  const uint64_t spend_time = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count() / 16;
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    const uint64_t before = shared->started;
    const pid_t child = in_a_child([&] {
      OpenBudget own(path);
      for (;;) {
        ++shared->started;
        if (own.spend(1, 1) != HUSHBIT_OK) _exit(1);
        ++shared->acknowledged;
      }
    });
    while (shared->started == before) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::nanoseconds(random() % (4 * spend_time)));
    CHECK_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status));
    const hushbit_budget_state state = budget.state();
    CHECK(state.tokens_lifetime >= shared->acknowledged);
    CHECK(state.tokens_lifetime <= shared->started);
    CHECK_EQ(state.worst_case_lifetime, static_cast<double>(state.tokens_lifetime));
  }
  const uint64_t acknowledged = shared->acknowledged;
  CHECK(acknowledged > 0);
  CHECK_EQ(budget.spend(1, 1), HUSHBIT_OK);
  std::cerr << kKills << " kills, " << acknowledged << " spends answered, "
            << budget.state().tokens_lifetime - 1 - acknowledged << " spent without an answer\n";
  shared->free();
}

// A child that is forked while a lock is held has the locked file open, too. It must not keep the others waiting.
void test_fork_while_locked() {
  const Directory directory;
  const std::string path = directory / "ledger.lock";
  pid_t child;
  {
    hushbit::FileLock lock;
    CHECK_EQ(lock.acquire(path.c_str(), nullptr), HUSHBIT_OK);
    child = in_a_child([] {
      alarm(30);  // ends it if the test is ended
      pause();
    });
  }
  alarm(20);  // ends the test if it waits
  {
    hushbit::FileLock lock;
    CHECK_EQ(lock.acquire(path.c_str(), nullptr), HUSHBIT_OK);
  }
  alarm(0);
  CHECK_EQ(kill(child, SIGKILL), 0);
  CHECK_EQ(waitpid(child, nullptr, 0), child);
}

}  // namespace

int main() {
  test_fork_while_locked();
  test_threads();
  test_processes_race_for_the_last_unit();
  test_processes_lose_nothing();
  test_kill_at_random_instants();
  return check_result();
}

#endif  // !_WIN32
