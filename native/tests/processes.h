// Child processes of a test, and memory that they share. A child does one work of a list, by number: where a process
// can fork, it is a copy of the test; on Windows the same program once more, so main must begin with `children_work`.
#ifndef HUSHBIT_TESTS_PROCESSES_H_
#define HUSHBIT_TESTS_PROCESSES_H_

#include <span>

#include "check.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstdlib>
#include <string>
#else
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace hushbit::testing {

using Work = int (*)(void* shared);  // returns the exit code of the child

inline constexpr size_t kSharedBytes = 4096;

#if defined(_WIN32)

// All zero at first, and as it was left by a child that was killed.
class SharedMemory {
 public:
  SharedMemory() : SharedMemory(unused_name()) {}
  explicit SharedMemory(const std::string& name) : name_(name) {
    section_ = CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, kSharedBytes, name.c_str());
    memory_ = MapViewOfFile(section_, FILE_MAP_ALL_ACCESS, 0, 0, kSharedBytes);
    CHECK(memory_ != nullptr);
  }
  ~SharedMemory() {
    UnmapViewOfFile(memory_);
    CloseHandle(section_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void* get() const { return memory_; }
  const std::string& name() const { return name_; }

 private:
  static std::string unused_name() {
    static int count = 0;
    return "hushbit-" + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(count++);
  }

  std::string name_;
  HANDLE section_;
  void* memory_;
};

class Child {
 public:
  Child(const SharedMemory& shared, std::span<const Work>, size_t work) {
    char program[MAX_PATH];
    CHECK(GetModuleFileNameA(nullptr, program, sizeof(program)) < sizeof(program));
    std::string command = '"' + std::string(program) + "\" " + shared.name() + " " + std::to_string(work);
    STARTUPINFOA startup = {.cb = sizeof(STARTUPINFOA)};
    CHECK(CreateProcessA(program, command.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup, &process_));
  }
  int exit_code() {
    DWORD code = 0;
    CHECK_EQ(WaitForSingleObject(process_.hProcess, INFINITE), WAIT_OBJECT_0);
    CHECK(GetExitCodeProcess(process_.hProcess, &code));
    CloseHandle(process_.hProcess);
    CloseHandle(process_.hThread);
    return static_cast<int>(code);
  }
  // At once; it must not have ended by itself.
  void kill() {
    constexpr int kKilled = 137;
    CHECK(TerminateProcess(process_.hProcess, kKilled));
    CHECK_EQ(exit_code(), kKilled);
  }

 private:
  PROCESS_INFORMATION process_ = {};
};

// In a child, its work, and the end of the program.
inline void children_work(int argc, char** argv, std::span<const Work> works) {
  if (argc == 3) std::exit(works[std::stoul(argv[2])](SharedMemory(argv[1]).get()));
}

#else

class SharedMemory {
 public:
  SharedMemory() : memory_(mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    CHECK(memory_ != MAP_FAILED);
  }
  ~SharedMemory() { munmap(memory_, kSharedBytes); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void* get() const { return memory_; }

 private:
  void* memory_;
};

class Child {
 public:
  Child(const SharedMemory& shared, std::span<const Work> works, size_t work) : process_(fork()) {
    if (process_ == 0) _exit(works[work](shared.get()));
    CHECK(process_ > 0);
  }
  int exit_code() {
    const int status = wait();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void kill() {
    CHECK_EQ(::kill(process_, SIGKILL), 0);
    CHECK(WIFSIGNALED(wait()));
  }

 private:
  int wait() {
    int status = 0;
    CHECK_EQ(waitpid(process_, &status, 0), process_);
    return status;
  }

  pid_t process_;
};

inline void children_work(int, char**, std::span<const Work>) {}

#endif

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_PROCESSES_H_
