// Files as read-only memory. Clean pages only: the system may drop and reload them at will.
#ifndef HUSHBIT_MAPPING_H_
#define HUSHBIT_MAPPING_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "hushbit/hushbit.h"

namespace hushbit {

// A mapped file, or somebody else's memory.
struct Mapping {
  std::span<const uint8_t> bytes;  // the bundle
  void* base = nullptr;            // what to unmap; null if the memory is not ours
  size_t base_size = 0;
};

// Maps the whole file at `path` (UTF-8). Fails with FILE_NOT_FOUND, READ_FAILED, or CORRUPT_BUNDLE for an empty file.
hushbit_status map_path(const char* path, Mapping* mapping, hushbit_error* error);

// Maps `length` bytes from `offset` on of an open file, whose position stays as it is. Fails with INVALID_ARGUMENT if
// the file does not have them, or READ_FAILED.
hushbit_status map_descriptor(int fd, uint64_t offset, uint64_t length, Mapping* mapping, hushbit_error* error);

void unmap(const Mapping& mapping);

}  // namespace hushbit

#endif  // HUSHBIT_MAPPING_H_
