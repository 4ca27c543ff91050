// CRC-32 as zlib computes it, for the header and the section table.
#ifndef HUSHBIT_CRC32_H_
#define HUSHBIT_CRC32_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

uint32_t crc32(const void* data, size_t size);

}  // namespace hushbit

#endif  // HUSHBIT_CRC32_H_
