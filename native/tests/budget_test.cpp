// Budgets through the C interface: caps, days, damaged files, privatizers that spend.
#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <cmath>
#include <cstring>

#include "budget_files.h"

using namespace hushbit::testing;

namespace {

// On Windows, where reasons are numbers, another part.
bool told(const hushbit_error& error, const char* part, const char* windows_part = nullptr) {
  const char* expected = kWindows && windows_part != nullptr ? windows_part : part;
  const bool found = std::strstr(error.message, expected) != nullptr;
  if (!found) std::cerr << "  " << error.message << '\n';
  return found;
}

void test_texts_are_counted_apart() {
  const Directory directory;
  hushbit_budget_limits limits = no_limits();
  limits.tokens_lifetime = 5;
  OpenBudget budget(directory / "ledger", limits);
  CHECK_EQ(budget.spend(1, 2), HUSHBIT_OK);
  CHECK_EQ(hushbit_budget_spend_texts(budget.handle, 4, 3, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_budget_spend_texts(budget.handle, 0, 1, nullptr), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(budget.state().tokens_lifetime, 5u);
  CHECK_EQ(budget.state().texts_today, 3u);
  CHECK_EQ(budget.state().texts_lifetime, 3u);
  CHECK_EQ(budget.state().worst_case_lifetime, 5.0);
}

void test_caps() {
  const Directory directory;
  OpenBudget budget(directory / "ledger", limits_of(3, 5));
  budget.set_day(100);
  CHECK_EQ(budget.spend(2.5, 4), HUSHBIT_OK);
  CHECK_EQ(budget.spend(0.75), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(told(budget.error, "the budget of 3 a day has 0.5 left, and this costs 0.75"));
  CHECK_EQ(budget.spend(0.5), HUSHBIT_OK);
  CHECK_EQ(budget.spend(1e-9), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(budget.spend(0), HUSHBIT_OK);
  budget.set_day(101);
  CHECK_EQ(budget.spend(2.5), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(told(budget.error, "the budget of 5 in all has 2 left"));
  CHECK_EQ(budget.spend(2), HUSHBIT_OK);
  budget.set_day(102);
  CHECK_EQ(budget.spend(0.25), HUSHBIT_BUDGET_EXHAUSTED);
  const hushbit_budget_state state = budget.state();
  CHECK_EQ(state.day, 102u);
  CHECK_EQ(state.worst_case_today, 0.0);
  CHECK_EQ(state.worst_case_lifetime, 5.0);
  CHECK_EQ(state.tokens_lifetime, 4u);
}

// In millionths: caps are rounded down.
void test_caps_between_units() {
  const Directory directory;
  OpenBudget budget(directory / "ledger", limits_of(HUGE_VAL, 1.5e-6));
  CHECK_EQ(budget.spend(1e-6), HUSHBIT_OK);
  CHECK_EQ(budget.spend(1e-6), HUSHBIT_BUDGET_EXHAUSTED);
}

void test_token_caps() {
  const Directory directory;
  hushbit_budget_limits limits = no_limits();
  limits.tokens_per_day = 10;
  limits.tokens_lifetime = 15;
  OpenBudget budget(directory / "ledger", limits);
  budget.set_day(1);
  CHECK_EQ(budget.spend(1, 11), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(budget.spend(1, 10), HUSHBIT_OK);
  CHECK_EQ(budget.spend(1, 1), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(told(budget.error, "10 tokens a day has 0 left, and this has 1"));
  budget.set_day(2);
  CHECK_EQ(budget.spend(1, 6), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(told(budget.error, "15 tokens in all has 5 left"));
  CHECK_EQ(budget.spend(1, 5), HUSHBIT_OK);
  CHECK_EQ(budget.state().worst_case_lifetime, 2.0);
}

void test_infinite_costs() {
  const Directory directory;
  for (const auto& limits : {limits_of(1e12, HUGE_VAL), limits_of(HUGE_VAL, 1e12), limits_of(1e300, 1e300)}) {
    OpenBudget capped(directory / "ledger", limits);
    CHECK_EQ(capped.spend(HUGE_VAL), HUSHBIT_BUDGET_EXHAUSTED);
    CHECK_EQ(capped.state().worst_case_lifetime, 0.0);
  }
  OpenBudget open(directory / "ledger");
  CHECK_EQ(open.spend(HUGE_VAL, 1), HUSHBIT_OK);
  CHECK_EQ(open.state().worst_case_lifetime, HUGE_VAL);
  OpenBudget capped(directory / "ledger", limits_of(HUGE_VAL, 1e12));
  CHECK_EQ(capped.spend(1), HUSHBIT_BUDGET_EXHAUSTED);
}

void test_clock() {
  const Directory directory;
  OpenBudget budget(directory / "ledger", limits_of(1, 100));
  budget.set_day(1000, 86399);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  budget.set_day(1001);  // midnight
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  for (const int64_t back : {1000, 999, 0}) {
    budget.set_day(back);
    CHECK_EQ(budget.spend(0.5), HUSHBIT_BUDGET_EXHAUSTED);
    CHECK_EQ(budget.state().day, 1001u);
  }
  budget.set_day(5000);  // far ahead, by mistake: what is spent there stays spent
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  budget.set_day(1002);
  CHECK_EQ(budget.spend(0.5), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(budget.state().worst_case_lifetime, 3.0);
  budget.set_day(INT64_MAX / 86400);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  CHECK_EQ(budget.spend(1), HUSHBIT_BUDGET_EXHAUSTED);
}

void test_the_ledger_outlives_the_handle() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget(path).spend(1.5, 2);
  OpenBudget again(path, limits_of(HUGE_VAL, 2));
  CHECK_EQ(again.spend(1), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(again.spend(0.5, 1), HUSHBIT_OK);
  hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
  CHECK_EQ(hushbit_budget_read(path.c_str(), &state, nullptr), HUSHBIT_OK);
  CHECK_EQ(state.worst_case_lifetime, 2.0);
  CHECK_EQ(state.tokens_lifetime, 3u);
  CHECK(state.day > 20000);
  const auto mode = std::filesystem::status(native_path(path)).permissions();
  if (!kWindows) CHECK(mode == (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

void check_refuses(const std::string& path, hushbit_status expected, const char* reason,
                   const char* windows_reason = nullptr) {
  OpenBudget budget(path);
  CHECK_EQ(budget.status, expected);
  CHECK(budget.handle == nullptr);
  CHECK(told(budget.error, reason, windows_reason));
}

// Those who hold it open are refused as well as those who come, and release nothing.
void test_damage_while_open() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget budget(path);
  SmallPrivatizer privatizer(budget.handle);
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
  const std::string good = read_file(path);
  std::string newer = good;
  newer[8] = 9;
  uint32_t crc = hushbit::crc32(newer.data(), 60);
  std::memcpy(newer.data() + 60, &crc, 4);
  std::string damaged = good;
  damaged[30] ^= 4;
  struct {
    std::string content;
    hushbit_status status;
    const char* reason;
  } const cases[] = {{newer, HUSHBIT_UNSUPPORTED_BUDGET, "newer version"},
                     {damaged, HUSHBIT_CORRUPT_BUDGET, "hushbit budget reset"},
                     {"", HUSHBIT_CORRUPT_BUDGET, "hushbit budget reset"},
                     {good.substr(0, 40), HUSHBIT_CORRUPT_BUDGET, "hushbit budget reset"}};
  for (const auto& item : cases) {
    write_file(path, item.content);
    CHECK_EQ(budget.spend(1), item.status);
    CHECK(told(budget.error, item.reason));
    hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
    CHECK_EQ(hushbit_budget_get_state(budget.handle, &state, nullptr), item.status);
    CHECK_EQ(hushbit_budget_read(path.c_str(), &state, nullptr), item.status);
    CHECK_EQ(privatizer.run("the cat"), item.status);
    CHECK(privatizer.released().empty());
    CHECK(read_file(path) == item.content);
    check_refuses(path, item.status, item.reason);
    CHECK_EQ(hushbit_budget_reset(path.c_str(), nullptr), HUSHBIT_OK);
    CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
  }
  CHECK(std::filesystem::remove(native_path(path)));
  CHECK_EQ(budget.spend(1), HUSHBIT_CORRUPT_BUDGET);
  CHECK(told(budget.error, "is missing"));
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_CORRUPT_BUDGET);
  CHECK(privatizer.released().empty());
}

void test_reset_spares_other_files() {
  const Directory directory;
  const std::string other = directory / "words.hushbit", content(1000, 'x');
  write_file(other, content);
  hushbit_error error = {};
  CHECK_EQ(hushbit_budget_reset(other.c_str(), &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK(told(error, "not a budget"));
  CHECK(read_file(other) == content);
  check_refuses(other, HUSHBIT_CORRUPT_BUDGET, "is not a budget");
#if !defined(_WIN32)  // where it takes a privilege to make one
  const std::string link = directory / "link";
  CHECK_EQ(symlink(other.c_str(), link.c_str()), 0);
  check_refuses(link, HUSHBIT_STORAGE_FAILED, "symbolic link");
  CHECK_EQ(hushbit_budget_reset(link.c_str(), nullptr), HUSHBIT_STORAGE_FAILED);
#endif
  CHECK_EQ(hushbit_budget_reset((directory / "new").c_str(), nullptr), HUSHBIT_OK);
  CHECK_EQ(OpenBudget(directory / "new").state().worst_case_lifetime, 0.0);
}

void test_places_that_cannot_be() {
  const Directory directory;
  check_refuses(directory / "missing/ledger", HUSHBIT_STORAGE_FAILED, "No such file", "Windows error 3");
  CHECK(std::filesystem::create_directory(native_path(directory / "inner")));
  check_refuses(directory / "inner", HUSHBIT_STORAGE_FAILED, "Is a directory", "Windows error 5");
  check_refuses("", HUSHBIT_INVALID_ARGUMENT, "empty");
  check_refuses(directory / std::string(300, 'n'), HUSHBIT_STORAGE_FAILED, "too long", "Windows error");
  hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
  CHECK_EQ(hushbit_budget_read((directory / "missing").c_str(), &state, nullptr), HUSHBIT_FILE_NOT_FOUND);
}

#if !defined(_WIN32)

// Root may write anywhere, so it becomes somebody else for a moment.
void test_read_only_place() {
  const Directory directory;
  const std::string path = directory / "ledger";
  OpenBudget budget(path);
  SmallPrivatizer privatizer(budget.handle);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  CHECK_EQ(chmod(path.c_str(), 0644), 0);
  CHECK_EQ(chmod((path + ".lock").c_str(), 0666), 0);
  CHECK_EQ(chmod(directory.path.c_str(), 0555), 0);
  const bool root = geteuid() == 0;
  if (root) CHECK_EQ(seteuid(65534), 0);
  CHECK_EQ(budget.spend(1), HUSHBIT_STORAGE_FAILED);
  CHECK(told(budget.error, "ledger.new: Permission denied; nothing was released"));
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_STORAGE_FAILED);
  CHECK(privatizer.released().empty());
  check_refuses(directory / "another", HUSHBIT_STORAGE_FAILED, "Permission denied");
  CHECK_EQ(budget.state().worst_case_lifetime, 1.0);
  if (root) CHECK_EQ(seteuid(0), 0);
  CHECK_EQ(chmod(directory.path.c_str(), 0755), 0);
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
}

#endif

// A directory where the new ledger would be written.
void test_no_room_for_a_new_ledger() {
  const Directory directory;
  OpenBudget budget(directory / "ledger");
  SmallPrivatizer privatizer(budget.handle);
  CHECK(std::filesystem::create_directory(native_path(directory / "ledger.new")));
  CHECK_EQ(budget.spend(1), HUSHBIT_STORAGE_FAILED);
  CHECK(told(budget.error, "ledger.new: Is a directory; nothing was released", "error 5; nothing was released"));
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_STORAGE_FAILED);
  CHECK(privatizer.released().empty());
  CHECK(std::filesystem::remove(native_path(directory / "ledger.new")));
  CHECK_EQ(budget.spend(1), HUSHBIT_OK);
  CHECK_EQ(budget.state().worst_case_lifetime, 1.0);
}

void test_a_privatizer_spends() {
  const Directory directory;
  OpenBudget budget(directory / "ledger");
  double spent = 0;
  {
    SmallPrivatizer privatizer(budget.handle);
    CHECK_EQ(privatizer.run("The cat sat, blorb!"), HUSHBIT_OK);
    spent = privatizer.cost().worst_case;
    CHECK(spent > 0);
    CHECK(budget.state().worst_case_lifetime >= spent);
    CHECK(budget.state().worst_case_lifetime <= spent + 2e-6);
    CHECK_EQ(budget.state().tokens_lifetime, 4u);  // punctuation is left out
    CHECK_EQ(privatizer.run(""), HUSHBIT_OK);
    CHECK_EQ(privatizer.run("bad \xff"), HUSHBIT_INVALID_TEXT);
    CHECK_EQ(budget.state().tokens_lifetime, 4u);
  }
  SmallPrivatizer masking(budget.handle, HUSHBIT_OOV_MASK), dropping(budget.handle, HUSHBIT_OOV_DROP);
  CHECK_EQ(masking.run("blorb blorb"), HUSHBIT_OK);
  CHECK_EQ(budget.state().tokens_lifetime, 6u);
  CHECK_EQ(dropping.run("blorb blorb"), HUSHBIT_OK);
  CHECK_EQ(budget.state().tokens_lifetime, 6u);
  CHECK(budget.state().worst_case_lifetime <= spent + 2e-6);
}

// Spent before anything is drawn: what is refused must not have used up noise, nor what was drawn be unpaid.
void test_spending_comes_first() {
  const Directory directory;
  OpenBudget budget(directory / "ledger", limits_of(1e6, 1e6));
  SmallPrivatizer privatizer(budget.handle);
  CHECK_EQ(privatizer.run_without_randomness("the cat"), HUSHBIT_RANDOMNESS_FAILED);
  CHECK_EQ(budget.state().tokens_lifetime, 2u);
  OpenBudget empty(directory / "ledger", limits_of(0, 0));
  SmallPrivatizer refused(empty.handle);
  CHECK_EQ(refused.run_without_randomness("the cat"), HUSHBIT_BUDGET_EXHAUSTED);
}

void test_a_refused_text_is_not_released() {
  const Directory directory;
  OpenBudget probe(directory / "probe");
  SmallPrivatizer unbounded(probe.handle);
  CHECK_EQ(unbounded.run("the"), HUSHBIT_OK);
  const double one = unbounded.cost().worst_case;

  OpenBudget budget(directory / "ledger", limits_of(HUGE_VAL, 2.5 * one));
  SmallPrivatizer privatizer(budget.handle);
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_OK);
  CHECK_EQ(privatizer.run("sat"), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(privatizer.released().empty());
  size_t count = 1;
  CHECK(hushbit_result_tokens(privatizer.result, &count) == nullptr);
  CHECK_EQ(privatizer.cost().worst_case, 0.0);
  CHECK_EQ(budget.state().tokens_lifetime, 2u);

  SmallPrivatizer verbatim(budget.handle, HUSHBIT_OOV_VERBATIM_UNSAFE);
  CHECK_EQ(verbatim.run("blorb"), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK(verbatim.released().empty());
}

void test_a_privatizer_keeps_its_budget() {
  const Directory directory;
  hushbit_budget_limits limits = limits_of(HUGE_VAL, 0);
  hushbit_budget* budget = nullptr;
  CHECK_EQ(hushbit_budget_open((directory / "ledger").c_str(), &limits, &budget, nullptr), HUSHBIT_OK);
  SmallPrivatizer privatizer(budget);
  hushbit_budget_close(budget);
  CHECK_EQ(privatizer.run("the cat"), HUSHBIT_BUDGET_EXHAUSTED);
  CHECK_EQ(privatizer.run(""), HUSHBIT_OK);
}

void test_arguments() {
  const Directory directory;
  const std::string path = directory / "ledger";
  for (const double bad : {-1.0, -1e-300, std::nan(""), -HUGE_VAL}) {
    CHECK_EQ(OpenBudget(path, limits_of(bad, 1)).status, HUSHBIT_INVALID_ARGUMENT);
    CHECK_EQ(OpenBudget(path, limits_of(1, bad)).status, HUSHBIT_INVALID_ARGUMENT);
    CHECK_EQ(OpenBudget(path).spend(bad), HUSHBIT_INVALID_ARGUMENT);
  }
  hushbit_budget_limits limits = no_limits();
  limits.struct_size = 8;
  CHECK_EQ(OpenBudget(path, limits).status, HUSHBIT_INVALID_ARGUMENT);
  limits = no_limits();
  hushbit_budget* budget = nullptr;
  hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
  CHECK_EQ(hushbit_budget_open(nullptr, &limits, &budget, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_open(path.c_str(), nullptr, &budget, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_open(path.c_str(), &limits, nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_spend(nullptr, 1, 1, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_spend_texts(nullptr, 1, 1, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_get_state(nullptr, &state, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_read(nullptr, &state, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_reset(nullptr, nullptr), HUSHBIT_INVALID_ARGUMENT);
  hushbit_budget_limits_init(nullptr, nullptr);
  hushbit_budget_close(nullptr);
}

}  // namespace

int main() {
  test_caps();
  test_texts_are_counted_apart();
  test_caps_between_units();
  test_token_caps();
  test_infinite_costs();
  test_clock();
  test_the_ledger_outlives_the_handle();
  test_damage_while_open();
  test_reset_spares_other_files();
  test_places_that_cannot_be();
#if !defined(_WIN32)
  test_read_only_place();
#endif
  test_no_room_for_a_new_ledger();
  test_a_privatizer_spends();
  test_spending_comes_first();
  test_a_refused_text_is_not_released();
  test_a_privatizer_keeps_its_budget();
  test_arguments();
  return check_result();
}
