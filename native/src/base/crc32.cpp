#include "base/crc32.h"

#include <array>

namespace hushbit {
namespace {

// The remainder of each 4-bit value. Headers and tables are a few KB at most, so 64 bytes of table beat 1 KB.
constexpr std::array<uint32_t, 16> make_table() {
  std::array<uint32_t, 16> table = {};
  for (uint32_t i = 0; i < 16; ++i) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 4; ++bit) remainder = (remainder >> 1) ^ (remainder & 1 ? 0xEDB88320u : 0u);
    table[i] = remainder;
  }
  return table;
}
constexpr std::array<uint32_t, 16> kTable = make_table();

}  // namespace

uint32_t crc32(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    crc = kTable[crc & 15] ^ (crc >> 4);
    crc = kTable[crc & 15] ^ (crc >> 4);
  }
  return crc ^ 0xFFFFFFFFu;
}

}  // namespace hushbit
