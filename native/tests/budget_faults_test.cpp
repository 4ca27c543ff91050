// Every call that a budget makes to the operating system, made to fail or made the last one before a crash: what was
// answered with OK is in the ledger, and what was not is not released.
//
// The calls are these functions in place of the C library's, which the core, being linked statically, finds first.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "budget_files.h"

namespace {

enum class Fault { kNone, kFail, kCrashBefore, kCrashAfter, kShort };

struct Faults {
  bool armed = false;
  Fault kind = Fault::kNone;
  int at = -1;  // the number of the call that it strikes
  int error = EIO;
  std::vector<std::string> calls;

  void arm(Fault fault, int number, int reason = EIO) {
    calls.clear();
    kind = fault;
    at = number;
    error = reason;
    armed = true;
  }
} faults;

// Counts a call; true if it is the one to strike.
bool strikes(const char* name) {
  if (!faults.armed) return false;
  faults.calls.push_back(name);
  return static_cast<int>(faults.calls.size()) - 1 == faults.at;
}

long run(const char* name, long number, long a, long b = 0, long c = 0, long d = 0, long e = 0) {
  const bool struck = strikes(name);
  if (struck && faults.kind == Fault::kCrashBefore) _exit(7);
  if (struck && faults.kind == Fault::kFail) {
    errno = faults.error;
    return -1;
  }
  if (struck && faults.kind == Fault::kShort && number == SYS_write) c = c / 2;
  const long result = syscall(number, a, b, c, d, e);
  if (struck && faults.kind == Fault::kCrashAfter) _exit(7);
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return static_cast<int>(run("open", SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, mode));
}
ssize_t write(int file, const void* bytes, size_t size) {
  return run("write", SYS_write, file, reinterpret_cast<long>(bytes), static_cast<long>(size));
}
int flock(int file, int operation) noexcept { return static_cast<int>(run("flock", SYS_flock, file, operation)); }
int fsync(int file) { return static_cast<int>(run("fsync", SYS_fsync, file)); }
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(
      run("rename", SYS_renameat2, AT_FDCWD, reinterpret_cast<long>(from), AT_FDCWD, reinterpret_cast<long>(to)));
}

}  // extern "C"

using namespace hushbit::testing;

namespace {

// The calls of one spend, in order: what is on the disk is on the disk before its name is, and its name before the
// answer. Then the lock is given back.
const std::vector<std::string> kSpend = {"open", "flock", "open", "open", "write", "fsync", "rename", "open", "fsync"};
constexpr int kRename = 6;

void test_order_of_calls() {
  const Directory directory;
  OpenBudget budget(directory / "ledger");
  faults.arm(Fault::kNone, -1);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  faults.armed = false;
  std::vector<std::string> expected = kSpend;
  expected.push_back("flock");
  CHECK(faults.calls == expected);
}

void test_every_call_may_fail() {
  for (const int reason : {EIO, ENOSPC, EROFS, EDQUOT, EACCES}) {
    for (int at = 0; at < static_cast<int>(kSpend.size()); ++at) {
      const Directory directory;
      OpenBudget budget(directory / "ledger");
      SmallPrivatizer privatizer(budget.handle);
      CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
      const double before = budget.state().worst_case_lifetime;
      faults.arm(Fault::kFail, at, reason);
      const hushbit_status status = privatizer.run("the cat");
      faults.armed = false;
      CHECK_EQ(status, HUSHBIT_STORAGE_FAILED);
      CHECK(privatizer.released().empty());
      CHECK(!std::filesystem::exists(directory / "ledger.new"));
      CHECK(budget.state().worst_case_lifetime >= before);
      CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
      CHECK(budget.state().worst_case_lifetime >= 2 * before - 1e-6);
    }
  }
}

void test_interruptions_and_short_writes_are_no_failures() {
  for (int at = 0; at < static_cast<int>(kSpend.size()); ++at) {
    const Directory directory;
    OpenBudget budget(directory / "ledger");
    if (at != kRename) {  // the one call that no signal interrupts
      faults.arm(Fault::kFail, at, EINTR);
      CHECK_EQ(budget.spend(1), HUSHBIT_OK);
      faults.armed = false;
    }
    faults.arm(Fault::kShort, at);
    CHECK_EQ(budget.spend(1), HUSHBIT_OK);
    faults.armed = false;
    CHECK_EQ(budget.state().worst_case_lifetime, at == kRename ? 1.0 : 2.0);
  }
}

// A directory may have nothing to flush on some file systems.
void test_directories_that_cannot_be_flushed() {
  const Directory directory;
  OpenBudget budget(directory / "ledger");
  faults.arm(Fault::kFail, static_cast<int>(kSpend.size()) - 1, EINVAL);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  faults.armed = false;
}

// Spends 1 in a child that dies at a call. Returns whether the child had its OK.
bool spend_and_crash(const std::string& path, Fault fault, int at) {
  const pid_t child = fork();
  if (child == 0) {
    OpenBudget budget(path);
    faults.arm(fault, at);
    _exit(budget.spend(1) == HUSHBIT_OK ? 0 : 1);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7);
  return WEXITSTATUS(status) == 0;
}

void test_a_crash_at_every_call() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget budget(path);
  double least = 0, most = 0;
  for (const Fault fault : {Fault::kCrashBefore, Fault::kCrashAfter}) {
    for (int at = 0; at <= static_cast<int>(kSpend.size()) + 1; ++at) {
      least += spend_and_crash(path, fault, at) ? 1 : 0;
      const bool renamed = at > kRename || (at == kRename && fault == Fault::kCrashAfter);
      most += renamed ? 1 : 0;
      CHECK_EQ(budget.state().worst_case_lifetime, most);
    }
  }
  CHECK_EQ(least, 2.0);                   // those beyond the last call, which gives the lock back
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);  // neither a lock nor a temporary file is in the way
}

void test_a_crash_while_it_is_created() {
  for (int at = 0; at < 10; ++at) {
    const Directory directory;
    const std::string path = directory / "ledger";
    const pid_t child = fork();
    if (child == 0) {
      faults.arm(Fault::kCrashBefore, at);
      OpenBudget budget(path);
      _exit(0);
    }
    CHECK_EQ(waitpid(child, nullptr, 0), child);
    OpenBudget budget(path);
    CHECK_EQ(budget.status, HUSHBIT_OK);
    CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  }
}

// A ledger that cannot be created is refused when it is opened.
void test_failures_at_open() {
  for (int at = 0; at < static_cast<int>(kSpend.size()); ++at) {
    const Directory directory;
    faults.arm(Fault::kFail, at, ENOSPC);
    OpenBudget budget(directory / "ledger");
    faults.armed = false;
    CHECK_EQ(budget.status, HUSHBIT_STORAGE_FAILED);
    CHECK(budget.handle == nullptr);
    CHECK(!std::filesystem::exists(directory / "ledger.new"));
  }
}

void test_an_audit_log_that_cannot_be_written() {
  const Directory directory;
  const std::string log = directory / "audit.log";
  SmallPrivatizer privatizer(nullptr, HUSHBIT_OOV_RANDOM, log.c_str());
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
  const std::string before = read_file(log);
  for (const Fault fault : {Fault::kFail, Fault::kShort}) {
    for (int at = 0; at < 2; ++at) {  // open, write
      if (fault == Fault::kShort && at == 0) continue;
      faults.arm(fault, at, ENOSPC);
      CHECK_EQ(privatizer.run("the cat"), HUSHBIT_STORAGE_FAILED);
      faults.armed = false;
      CHECK(privatizer.released().empty());
    }
  }
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
  CHECK(read_file(log).starts_with(before));
}

}  // namespace

int main() {
  test_order_of_calls();
  test_every_call_may_fail();
  test_interruptions_and_short_writes_are_no_failures();
  test_directories_that_cannot_be_flushed();
  test_a_crash_at_every_call();
  test_a_crash_while_it_is_created();
  test_failures_at_open();
  test_an_audit_log_that_cannot_be_written();
  return check_result();
}
