// A ledger that another program has open. For Windows, where such a file is neither read nor replaced.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "budget_files.h"

using namespace hushbit::testing;

namespace {

// Opened as nobody else may open it, until it is closed.
class Seized {
 public:
  explicit Seized(const std::string& path)
      : file_(CreateFileW(native_path(path).c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr)) {
    CHECK(file_ != INVALID_HANDLE_VALUE);
  }
  ~Seized() { CloseHandle(file_); }
  Seized(const Seized&) = delete;
  Seized& operator=(const Seized&) = delete;

 private:
  HANDLE file_;
};

// For a moment it is waited for, and then it is an error.
void test_a_ledger_in_use() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget budget(path);
  SmallPrivatizer privatizer(budget.handle);
  auto seized = std::make_unique<Seized>(path);
  std::thread closing([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    seized.reset();
  });
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  closing.join();
  seized = std::make_unique<Seized>(path);
  CHECK_EQ(budget.spend(1), HUSHBIT_STORAGE_FAILED);
  CHECK(std::strstr(budget.error.message, "Windows error 32; nothing was released") != nullptr);
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_STORAGE_FAILED);
  CHECK(privatizer.released().empty());
  seized.reset();
  CHECK_EQ(budget.state().worst_case_lifetime, 1.0);
}

}  // namespace

int main() {
  test_a_ledger_in_use();
  return check_result();
}
