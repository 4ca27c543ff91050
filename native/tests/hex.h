// Bytes as hexadecimal digits and back.
#ifndef HUSHBIT_TESTS_HEX_H_
#define HUSHBIT_TESTS_HEX_H_

#include <stddef.h>
#include <stdint.h>

#include <cstdlib>
#include <string>

namespace hushbit::testing {

inline std::string to_hex(const uint8_t* bytes, size_t size) {
  const char* digits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) text += {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
  return text;
}

// `digits` has an even number of them.
inline std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::strtoul(digits.substr(i, 2).c_str(), nullptr, 16)));
  }
  return bytes;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_HEX_H_
