// A directory for a test to work in, and files. Paths are UTF-8 on every system, as the C interface takes them.
#ifndef HUSHBIT_TESTS_FILES_H_
#define HUSHBIT_TESTS_FILES_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "check.h"

namespace hushbit::testing {

#if defined(_WIN32)
inline constexpr bool kWindows = true;
#else
inline constexpr bool kWindows = false;
#endif

inline std::filesystem::path native_path(const std::string& path) { return std::u8string(path.begin(), path.end()); }

// Removed with all that is in it. Its name has letters that only UTF-8 has on Windows.
struct Directory {
  Directory() {
    const std::u8string parent = std::filesystem::temp_directory_path().u8string();
    std::random_device random;
    do {
      path.assign(parent.begin(), parent.end());
      path += "/hushbit-\u00E9\u4E2D-" + std::to_string(random());
    } while (!std::filesystem::create_directory(native_path(path)));
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(native_path(path), ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string operator/(const std::string& name) const { return path + "/" + name; }

  std::string path;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(native_path(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream file(native_path(path), std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  CHECK(file.good());
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_FILES_H_
