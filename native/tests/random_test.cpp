// The system's randomness when the system is not helpful: interrupted, given in pieces, or not there at all.
#include "base/random.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"

#if defined(__linux__) && !defined(__ANDROID__)
#include <cerrno>

#include <sys/random.h>

namespace {

// What the next calls of getrandom do: an error if negative, else how many bytes they give at most.
std::vector<long> answers;
size_t calls = 0;
uint8_t next_byte = 1;

}  // namespace

// Takes the place of the C library's.
ssize_t getrandom(void* out, size_t size, unsigned int flags) {
  CHECK_EQ(flags, 0u);  // not GRND_NONBLOCK, and not the pool that can run dry
  const long answer = calls < answers.size() ? answers[calls] : -EIO;
  ++calls;
  if (answer < 0) {
    errno = static_cast<int>(-answer);
    return -1;
  }
  const size_t given = std::min(size, static_cast<size_t>(answer));
  for (size_t i = 0; i < given; ++i) static_cast<uint8_t*>(out)[i] = next_byte++;
  return static_cast<ssize_t>(given);
}

namespace {

bool fill(const std::vector<long>& what, void* out, size_t size) {
  answers = what;
  calls = 0;
  next_byte = 1;
  const hushbit::RandomSource random = hushbit::system_random();
  return random.fill(random.state, out, size);
}

void test_pieces() {
  uint8_t bytes[12] = {};
  CHECK(fill({-EINTR, 3, -EINTR, -EINTR, 1, 100}, bytes, 10));
  CHECK_EQ(calls, 6u);
  for (int i = 0; i < 10; ++i) CHECK_EQ(bytes[i], i + 1);
  CHECK_EQ(bytes[10], 0);
}

void test_failure() {
  uint8_t bytes[10];
  CHECK(!fill({-ENOSYS}, bytes, sizeof(bytes)));
  CHECK(!fill({9, -EIO}, bytes, sizeof(bytes)));
  CHECK_EQ(calls, 2u);
}

void test_nothing_is_asked_for_nothing() {
  CHECK(fill({}, nullptr, 0));
  CHECK_EQ(calls, 0u);
}

}  // namespace

int main() {
  test_pieces();
  test_failure();
  test_nothing_is_asked_for_nothing();
  return check_result();
}

#else

int main() {
  // All zero with a chance of 2^-512.
  uint8_t bytes[64] = {};
  const hushbit::RandomSource random = hushbit::system_random();
  CHECK(random.fill(random.state, bytes, sizeof(bytes)));
  CHECK(std::any_of(bytes, bytes + sizeof(bytes), [](uint8_t byte) { return byte != 0; }));
  return check_result();
}

#endif
