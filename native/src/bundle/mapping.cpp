// Mapping on POSIX systems. The size of a file comes from lseek and pread, never from stat: Apple wants the use of file
// metadata declared.
#if !defined(_WIN32) && !defined(__wasm__)

#if !defined(_FILE_OFFSET_BITS)
// 64-bit offsets on 32-bit systems too; must come before any include.
#define _FILE_OFFSET_BITS 64  // NOLINT(bugprone-reserved-identifier): the system's name
#endif

#include "bundle/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

namespace hushbit {
namespace {

static_assert(sizeof(off_t) == 8);

hushbit_status map_range(int fd, uint64_t offset, uint64_t length, Mapping* mapping, hushbit_error* error) {
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t skipped = offset % page;
  if (length > SIZE_MAX - skipped) {
    return fail(error, HUSHBIT_READ_FAILED, 0,
                "a bundle of %llu bytes does not fit in the address space of this process",
                static_cast<unsigned long long>(length));
  }
  const size_t size = static_cast<size_t>(skipped + length);
  void* base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, static_cast<off_t>(offset - skipped));
  if (base == MAP_FAILED) return fail(error, HUSHBIT_READ_FAILED, 0, "cannot map the bundle: %s", strerror(errno));
  mapping->bytes = {static_cast<const uint8_t*>(base) + skipped, static_cast<size_t>(length)};
  mapping->base = base;
  mapping->base_size = size;
  return HUSHBIT_OK;
}

hushbit_status map_open_file(int fd, const char* path, Mapping* mapping, hushbit_error* error) {
  // Reading a byte tells directories, pipes and unreadable files by their errno, before a size is asked for that means
  // nothing for them.
  uint8_t byte;
  const ssize_t read = pread(fd, &byte, 1, 0);
  const off_t size = read < 0 ? -1 : lseek(fd, 0, SEEK_END);
  if (size < 0) {
    const char* reason = errno == ESPIPE ? "not a regular file" : strerror(errno);
    return fail(error, HUSHBIT_READ_FAILED, 0, "cannot read %.*s: %s", shown_bytes(path), path, reason);
  }
  if (read == 0 || size == 0) {
    return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "%.*s is empty; export or download the bundle again",
                shown_bytes(path), path);
  }
  return map_range(fd, 0, static_cast<uint64_t>(size), mapping, error);
}

}  // namespace

hushbit_status map_path(const char* path, Mapping* mapping, hushbit_error* error) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return fail(error, missing ? HUSHBIT_FILE_NOT_FOUND : HUSHBIT_READ_FAILED, 0, "cannot open %.*s: %s",
                shown_bytes(path), path, strerror(errno));
  }
  const hushbit_status status = map_open_file(fd, path, mapping, error);
  close(fd);  // the mapping outlives it
  return status;
}

hushbit_status map_descriptor(int fd, uint64_t offset, uint64_t length, Mapping* mapping, hushbit_error* error) {
  constexpr uint64_t kLargestOffset = INT64_MAX;
  if (length == 0 || offset > kLargestOffset || length > kLargestOffset - offset) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "offset %llu and length %llu are out of range",
                static_cast<unsigned long long>(offset), static_cast<unsigned long long>(length));
  }
  // The last byte must be there: touching a mapping beyond the end of a file kills the process.
  uint8_t byte;
  const ssize_t read = pread(fd, &byte, 1, static_cast<off_t>(offset + length - 1));
  if (read < 0) {
    const char* reason = errno == ESPIPE ? "not a regular file" : strerror(errno);
    return fail(error, HUSHBIT_READ_FAILED, 0, "cannot read descriptor %d: %s", fd, reason);
  }
  if (read == 0) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
                "the file ends before offset %llu + length %llu; give the range of the bundle",
                static_cast<unsigned long long>(offset), static_cast<unsigned long long>(length));
  }
  return map_range(fd, offset, length, mapping, error);
}

void unmap(const Mapping& mapping) {
  if (mapping.base != nullptr) munmap(mapping.base, mapping.base_size);
}

}  // namespace hushbit

#endif  // !_WIN32 && !__wasm__
