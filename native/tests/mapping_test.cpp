// Mapping files: what is mapped, and a typed error for whatever is not a readable file.
#include "bundle/mapping.h"

#include <string.h>

#include <string>

#include "check.h"
#include "files.h"

#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace hushbit;
using namespace hushbit::testing;

namespace {

// Varied enough that a wrong offset shows.
std::string pattern(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 131 + i / 256);
  return text;
}

std::string text_of(const Mapping& mapping) { return {mapping.bytes.begin(), mapping.bytes.end()}; }

void test_path() {
  const Directory directory;
  const std::string content = pattern(10001), path = directory / "file";
  write_file(path, content);
  Mapping mapping;
  CHECK_EQ(map_path(path.c_str(), &mapping, nullptr), HUSHBIT_OK);
  CHECK(text_of(mapping) == content);
  if (!kWindows) CHECK(std::filesystem::remove(native_path(path)));  // the mapping outlives the name
  CHECK(text_of(mapping) == content);
  unmap(mapping);
  unmap(Mapping());  // somebody else's memory: nothing to do
}

void check_refused(const std::string& path, hushbit_status status, const char* reason, const char* windows_reason) {
  Mapping mapping;
  hushbit_error error = {};
  CHECK_EQ(map_path(path.c_str(), &mapping, &error), status);
  CHECK_EQ(error.status, status);
  const bool told = strstr(error.message, kWindows ? windows_reason : reason) != nullptr;
  CHECK(told);
  if (!told) std::cerr << "  " << error.message << '\n';
  CHECK(mapping.base == nullptr);
}

void test_refused_paths() {
  const Directory directory;
  write_file(directory / "plain", "x");
  write_file(directory / "empty", "");
  check_refused(directory / "missing", HUSHBIT_FILE_NOT_FOUND, "No such file", "there is no file");
  check_refused(directory / "plain/below", HUSHBIT_FILE_NOT_FOUND, "Not a directory", "there is no file");
  check_refused("", HUSHBIT_FILE_NOT_FOUND, "No such file", "there is no file");
  check_refused(directory.path, HUSHBIT_READ_FAILED, "Is a directory", "Windows error 5");
  check_refused(directory / "empty", HUSHBIT_CORRUPT_BUNDLE, "empty", "empty");
}

// A long path is cut, between characters, and the reason still told.
void test_long_path() {
  const Directory directory;
  std::string name;
  for (int i = 0; i < 70; ++i) name += "\xC3\xA9";
  for (const char* first : {"x", "xy"}) {
    check_refused(directory / (first + name), HUSHBIT_FILE_NOT_FOUND, "\xC3\xA9: No such file", "\xC3\xA9");
  }
}

#if defined(_WIN32)

void test_what_is_not_utf8() { check_refused("\xFF", HUSHBIT_READ_FAILED, "", "cannot open"); }

void test_descriptor() {
  Mapping mapping;
  hushbit_error error;
  CHECK_EQ(map_descriptor(0, 0, 5, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "give a path") != nullptr);
}

#else

void test_what_is_no_file() {
  const Directory directory;
  const std::string fifo = directory / "fifo";
  check_refused("/dev/null", HUSHBIT_CORRUPT_BUNDLE, "empty", "");
  CHECK_EQ(mkfifo(fifo.c_str(), 0644), 0);
  check_refused(fifo, HUSHBIT_READ_FAILED, "not a regular file", "");
}

void test_permission() {
  const Directory directory;
  const std::string path = directory / "secret";
  write_file(path, "content");
  CHECK_EQ(chmod(path.c_str(), 0), 0);
  const bool root = geteuid() == 0;  // who may read anything
  if (root) CHECK_EQ(seteuid(65534), 0);
  check_refused(path, HUSHBIT_READ_FAILED, "Permission denied", "");
  if (root) CHECK_EQ(seteuid(0), 0);
}

void test_descriptor() {
  const Directory directory;
  const std::string content = pattern(3 * 65536 + 77), path = directory / "asset";
  write_file(path, content);
  const int fd = open(path.c_str(), O_RDONLY);
  CHECK_EQ(lseek(fd, 123, SEEK_SET), 123);
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (const size_t offset : {size_t{0}, size_t{1}, page - 1, page, page + 1, content.size() - 1}) {
    for (const size_t length : {size_t{1}, size_t{100}, page, content.size() - offset}) {
      if (offset + length > content.size()) continue;
      Mapping mapping;
      CHECK_EQ(map_descriptor(fd, offset, length, &mapping, nullptr), HUSHBIT_OK);
      CHECK(text_of(mapping) == content.substr(offset, length));
      unmap(mapping);
    }
  }
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 123);
  Mapping kept;
  CHECK_EQ(map_descriptor(fd, 5, 10, &kept, nullptr), HUSHBIT_OK);
  close(fd);
  CHECK(text_of(kept) == content.substr(5, 10));
  unmap(kept);
}

void test_refused_descriptors() {
  const Directory directory;
  const std::string path = directory / "short";
  write_file(path, "0123456789");
  const int fd = open(path.c_str(), O_RDONLY);
  Mapping mapping;
  hushbit_error error;
  CHECK_EQ(map_descriptor(fd, 0, 11, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(map_descriptor(fd, 10, 1, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(map_descriptor(fd, 0, 0, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(map_descriptor(fd, UINT64_MAX, 2, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(map_descriptor(fd, 2, UINT64_MAX, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(map_descriptor(fd, INT64_MAX, INT64_MAX, &mapping, &error), HUSHBIT_INVALID_ARGUMENT);
  close(fd);
  CHECK_EQ(map_descriptor(fd, 0, 5, &mapping, &error), HUSHBIT_READ_FAILED);
  CHECK(strstr(error.message, "Bad file descriptor") != nullptr);
  CHECK_EQ(map_descriptor(-1, 0, 5, &mapping, &error), HUSHBIT_READ_FAILED);
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(map_descriptor(ends[0], 0, 5, &mapping, &error), HUSHBIT_READ_FAILED);
  close(ends[0]);
  close(ends[1]);
  CHECK(mapping.base == nullptr);
}

#endif  // !_WIN32

}  // namespace

int main() {
  test_path();
  test_refused_paths();
  test_long_path();
  test_descriptor();
#if defined(_WIN32)
  test_what_is_not_utf8();
#else
  test_what_is_no_file();
  test_permission();
  test_refused_descriptors();
#endif
  return check_result();
}
