// Storage on POSIX systems. Nothing asks for file metadata, which Apple wants declared.
#if !defined(_WIN32) && !defined(__wasm__)

#include "release/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"

namespace hushbit {
namespace {

constexpr mode_t kOwnerOnly = 0600;

hushbit_status failed(hushbit_error* error, const char* what, const char* path) {
  const char* reason = errno == ELOOP ? "it is a symbolic link; give the file itself" : strerror(errno);
  return fail(error, HUSHBIT_STORAGE_FAILED, 0, "cannot %s %.*s: %s; nothing was released", what, shown_bytes(path),
              path, reason);
}

// Runs a call until no signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// A descriptor that closes itself.
class File {
 public:
  File(const char* path, int flags)
      : descriptor_(uninterrupted([&] { return open(path, flags | O_CLOEXEC | O_NONBLOCK, kOwnerOnly); })) {}
  ~File() { close_now(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool close_now() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || close(descriptor) == 0 || errno == EINTR;
  }

 private:
  int descriptor_;
};

bool write_all(int descriptor, const uint8_t* bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = uninterrupted([&] { return write(descriptor, bytes, size); });
    if (written < 0) return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool flush(int descriptor) {
#if defined(F_FULLFSYNC)
  // Apple's fsync stops at the drive's cache. Not every file system has the full one.
  if (uninterrupted([&] { return fcntl(descriptor, F_FULLFSYNC); }) == 0) return true;
#endif
  return uninterrupted([&] { return fsync(descriptor); }) == 0;
}

// Makes the names in the directory of `path` survive a power failure.
bool flush_directory(const char* path) {
  const char* slash = strrchr(path, '/');
  char directory[4096] = ".";
  if (slash != nullptr) {
    const size_t size = slash == path ? 1 : static_cast<size_t>(slash - path);
    if (size >= sizeof(directory)) {
      errno = ENAMETOOLONG;
      return false;
    }
    memcpy(directory, path, size);
    directory[size] = '\0';
  }
  const File file(directory, O_RDONLY | O_DIRECTORY);
  // Some file systems have nothing to flush for a directory, and say so.
  return file.is_open() && (flush(file.descriptor()) || errno == EINVAL || errno == ENOTSUP);
}

}  // namespace

FileLock::~FileLock() {
  if (file_ < 0) return;
  // Closing alone would leave it locked as long as a child lives that was forked meanwhile and has the file open too.
  (void)uninterrupted([&] { return flock(file_, LOCK_UN); });
  close(file_);
}

hushbit_status FileLock::acquire(const char* path, hushbit_error* error) {
  // An open file of its own: flock keeps apart what was opened apart, be it by one process.
  file_ = uninterrupted([&] { return open(path, O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly); });
  if (file_ < 0) return failed(error, "open", path);
  if (uninterrupted([&] { return flock(file_, LOCK_EX); }) != 0) return failed(error, "lock", path);
  return HUSHBIT_OK;
}

hushbit_status read_small_file(const char* path, uint8_t* bytes, size_t capacity, size_t* size, bool* found,
                               hushbit_error* error) {
  const File file(path, O_RDONLY | O_NOFOLLOW);
  *size = 0;
  *found = file.is_open();
  if (!file.is_open()) return errno == ENOENT ? HUSHBIT_OK : failed(error, "open", path);
  while (*size < capacity) {
    const ssize_t got = uninterrupted([&] { return read(file.descriptor(), bytes + *size, capacity - *size); });
    if (got < 0) return failed(error, "read", path);
    if (got == 0) break;
    *size += static_cast<size_t>(got);
  }
  return HUSHBIT_OK;
}

hushbit_status replace_file(const char* path, const char* temporary, const uint8_t* bytes, size_t size,
                            hushbit_error* error) {
  File file(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (!file.is_open()) return failed(error, "write", temporary);
  hushbit_status status = HUSHBIT_OK;
  if (!write_all(file.descriptor(), bytes, size) || !flush(file.descriptor()) || !file.close_now()) {
    status = failed(error, "write", temporary);
  } else if (rename(temporary, path) != 0) {
    status = failed(error, "replace", path);
  }
  if (status != HUSHBIT_OK) {
    unlink(temporary);
    return status;
  }
  return flush_directory(path) ? HUSHBIT_OK : failed(error, "write the directory of", path);
}

hushbit_status append_to_file(const char* path, const char* bytes, size_t size, hushbit_error* error) {
  File file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (!file.is_open()) return failed(error, "open", path);
  if (size == 0) return HUSHBIT_OK;
  const ssize_t written = uninterrupted([&] { return write(file.descriptor(), bytes, size); });
  if (written >= 0 && static_cast<size_t>(written) < size) errno = ENOSPC;
  const bool whole = written >= 0 && static_cast<size_t>(written) == size;
  return whole && file.close_now() ? HUSHBIT_OK : failed(error, "append to", path);
}

}  // namespace hushbit

#endif  // !_WIN32 && !__wasm__
