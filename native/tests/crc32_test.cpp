// CRC-32 against the check value that every catalog of CRCs lists, and zlib's values of edge cases.
#include "base/crc32.h"

#include <vector>

#include "check.h"

int main() {
  CHECK_EQ(hushbit::crc32("123456789", 9), 0xCBF43926u);
  CHECK_EQ(hushbit::crc32("", 0), 0u);
  CHECK_EQ(hushbit::crc32("a", 1), 0xE8B7BE43u);
  const std::vector<unsigned char> zeros(32, 0), ones(32, 0xFF);
  CHECK_EQ(hushbit::crc32(zeros.data(), zeros.size()), 0x190A55ADu);
  CHECK_EQ(hushbit::crc32(ones.data(), ones.size()), 0xFF6CAB0Bu);
  return check_result();
}
