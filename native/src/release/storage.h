// Small files that must not be lost: locked, read, replaced so that a crash leaves the old or the new one, appended to.
// Nothing here allocates. Failures are HUSHBIT_STORAGE_FAILED.
#ifndef HUSHBIT_STORAGE_H_
#define HUSHBIT_STORAGE_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit/hushbit.h"

namespace hushbit {

// An exclusive lock that a file stands for, between processes and between threads. The file stays: removing it would
// let two in at once.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // Creates the file if need be and waits for the lock; once. The file stays, even after a failure: others may wait for
  // its lock, and who came after it was removed would lock another file of the same name.
  hushbit_status acquire(const char* path, hushbit_error* error);

 private:
#if defined(_WIN32)
  void* file_ = nullptr;
#else
  int file_ = -1;
#endif
};

// Reads the first `capacity` bytes at most, `*size` of them. `*found` is false, and that no failure, if there is no
// file. A symbolic link is refused: replacing it would leave the file behind it as it was.
hushbit_status read_small_file(const char* path, uint8_t* bytes, size_t capacity, size_t* size, bool* found,
                               hushbit_error* error);

// Makes `path` a file of these bytes, whatever was there. OK once it would survive a power failure. `temporary` is a
// path in the same directory, for the moment: on a failure, such as a full disk, no file is left there.
hushbit_status replace_file(const char* path, const char* temporary, const uint8_t* bytes, size_t size,
                            hushbit_error* error);

// Appends the bytes in one piece, so that those of others do not come between; creates the file if need be. Size 0
// finds out whether that can be done.
hushbit_status append_to_file(const char* path, const char* bytes, size_t size, hushbit_error* error);

}  // namespace hushbit

#endif  // HUSHBIT_STORAGE_H_
