// What tests of golden vectors share (tests/vectors/README.md).
#ifndef HUSHBIT_TESTS_VECTOR_FILES_H_
#define HUSHBIT_TESTS_VECTOR_FILES_H_

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "check.h"
#include "json.h"

namespace hushbit::testing {

inline const std::string kVectors = HUSHBIT_VECTORS "/";

inline bool close(double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); }

inline const uint8_t* data(const std::string& bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

inline uint64_t hexadecimal(const Json& value) { return std::strtoull(value.text().c_str(), nullptr, 16); }

// Says which case failed: the harness only knows the line.
struct Named {
  explicit Named(const Json& item) : name(item["name"].text()) {}
  ~Named() {
    if (check_failures > before) std::cerr << "  in the case \"" << name << "\"\n";
  }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;

  std::string name;
  int before = check_failures;
};

// A fixed stream of random bytes; asking for more than there are fails.
struct Stream {
  std::string left;

  static int fill(void* state, void* out, size_t size) {
    std::string& left = static_cast<Stream*>(state)->left;
    if (size > left.size()) return 0;
    std::memcpy(out, left.data(), size);
    left.erase(0, size);
    return 1;
  }
};

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_VECTOR_FILES_H_
