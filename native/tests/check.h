// The smallest test harness that says where it failed.
#ifndef HUSHBIT_TESTS_CHECK_H_
#define HUSHBIT_TESTS_CHECK_H_

#include <atomic>
#include <iostream>

// Tests check from several threads too.
inline std::atomic<int> check_failures = 0;
inline std::atomic<long> check_count = 0;

template <typename A, typename B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  ++check_count;
  if (a == b) return;
  ++check_failures;
  std::cerr << file << ':' << line << ": " << text << ": " << +a << " is not " << +b << '\n';
}

inline void check_true(bool ok, const char* text, const char* file, int line) {
  ++check_count;
  if (ok) return;
  ++check_failures;
  std::cerr << file << ':' << line << ": " << text << '\n';
}

#define CHECK(condition) check_true(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(a, b) check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)

// The exit code of a test program: failure too if it checked nothing.
inline int check_result() {
  std::cerr << check_count << " checks, " << check_failures << " failures\n";
  return check_failures == 0 && check_count > 0 ? 0 : 1;
}

#endif  // HUSHBIT_TESTS_CHECK_H_
