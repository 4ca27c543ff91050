// Integers in bytes of any alignment. Compilers turn each of these into one load.
#ifndef HUSHBIT_BYTES_H_
#define HUSHBIT_BYTES_H_

#include <stdint.h>

namespace hushbit {

inline uint32_t load_le16(const uint8_t* p) { return uint32_t{p[0]} | uint32_t{p[1]} << 8; }
inline uint32_t load_le32(const uint8_t* p) { return load_le16(p) | load_le16(p + 2) << 16; }
inline uint64_t load_le64(const uint8_t* p) { return load_le32(p) | uint64_t{load_le32(p + 4)} << 32; }

inline void store_le32(uint8_t* p, uint32_t value) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<uint8_t>(value >> 8 * i);
}
inline void store_le64(uint8_t* p, uint64_t value) {
  for (int i = 0; i < 8; ++i) p[i] = static_cast<uint8_t>(value >> 8 * i);
}

inline uint32_t load_be32(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}
inline uint64_t load_be64(const uint8_t* p) { return uint64_t{load_be32(p)} << 32 | load_be32(p + 4); }

// The offset of the first byte of [begin, end) that is not zero, or `end`.
inline uint64_t first_nonzero(const uint8_t* bytes, uint64_t begin, uint64_t end) {
  while (begin < end && bytes[begin] == 0) ++begin;
  return begin;
}

}  // namespace hushbit

#endif  // HUSHBIT_BYTES_H_
