// Storage on Windows.
#if defined(_WIN32)

#include "base/error.h"
#include "base/wide_path.h"
#include "release/storage.h"

namespace hushbit {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// What is not replaced, nor opened while it is: a file that somebody else has open for a moment, such as a reader or a
// scanner for viruses. The call is made again until that is over, for half a second at most.
template <typename Call>
bool patiently(Call call) {
  constexpr int kTries = 50;
  for (int tries = 1;; ++tries) {
    if (call()) return true;
    const DWORD reason = GetLastError();
    if ((reason != ERROR_ACCESS_DENIED && reason != ERROR_SHARING_VIOLATION) || tries == kTries) return false;
    Sleep(10);
  }
}

hushbit_status failed(hushbit_error* error, const char* what, const char* path) {
  return fail(error, HUSHBIT_STORAGE_FAILED, 0, "cannot %s %.*s: Windows error %lu; nothing was released", what,
              shown_bytes(path), path, GetLastError());
}

// A handle that closes itself.
class File {
 public:
  File(const char* path, DWORD access, DWORD creation, DWORD flags) {
    const WidePath wide(path);
    if (!wide.ok) return;
    patiently([&] {
      handle_ = CreateFileW(wide.text, access, kShareAll, nullptr, creation, flags, nullptr);
      return is_open();
    });
  }
  ~File() { close_now(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE handle() const { return handle_; }
  HANDLE release() {
    const HANDLE handle = handle_;
    handle_ = INVALID_HANDLE_VALUE;
    return handle;
  }
  bool close_now() {
    const HANDLE handle = release();
    return handle == INVALID_HANDLE_VALUE || CloseHandle(handle);
  }

 private:
  HANDLE handle_ = INVALID_HANDLE_VALUE;
};

bool is_symbolic_link(HANDLE file) {
  FILE_ATTRIBUTE_TAG_INFO info = {};
  return GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof(info)) &&
         (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && info.ReparseTag == IO_REPARSE_TAG_SYMLINK;
}

// Waits until no other handle has locked the range. Closing the handle unlocks it.
bool lock(HANDLE file, uint64_t begin, uint64_t size) {
  OVERLAPPED range = {};
  range.Offset = static_cast<DWORD>(begin);
  range.OffsetHigh = static_cast<DWORD>(begin >> 32);
  return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK, 0, static_cast<DWORD>(size), static_cast<DWORD>(size >> 32), &range);
}

bool write_all(HANDLE file, const void* bytes, size_t size) {
  DWORD written = 0;
  return WriteFile(file, bytes, static_cast<DWORD>(size), &written, nullptr) && written == size;
}

}  // namespace

FileLock::~FileLock() {
  if (file_ != nullptr) CloseHandle(file_);  // which unlocks it
}

hushbit_status FileLock::acquire(const char* path, hushbit_error* error) {
  File file(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL);
  if (!file.is_open()) return failed(error, "open", path);
  if (!lock(file.handle(), 0, UINT64_MAX)) return failed(error, "lock", path);
  file_ = file.release();
  return HUSHBIT_OK;
}

hushbit_status read_small_file(const char* path, uint8_t* bytes, size_t capacity, size_t* size, bool* found,
                               hushbit_error* error) {
  const File file(path, GENERIC_READ, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT);
  *size = 0;
  *found = file.is_open();
  if (!file.is_open()) return GetLastError() == ERROR_FILE_NOT_FOUND ? HUSHBIT_OK : failed(error, "open", path);
  if (is_symbolic_link(file.handle())) {
    return fail(error, HUSHBIT_STORAGE_FAILED, 0,
                "cannot open %.*s: it is a symbolic link; give the file itself; nothing was released",
                shown_bytes(path), path);
  }
  DWORD got = 0;
  if (!ReadFile(file.handle(), bytes, static_cast<DWORD>(capacity), &got, nullptr)) return failed(error, "read", path);
  *size = got;
  return HUSHBIT_OK;
}

hushbit_status replace_file(const char* path, const char* temporary, const uint8_t* bytes, size_t size,
                            hushbit_error* error) {
  File file(temporary, GENERIC_WRITE, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL);
  if (!file.is_open()) return failed(error, "write", temporary);
  const WidePath from(temporary), to(path);
  hushbit_status status = HUSHBIT_OK;
  const bool written = write_all(file.handle(), bytes, size) && FlushFileBuffers(file.handle());
  if (!written || !file.close_now()) {
    status = failed(error, "write", temporary);
  } else if (!patiently([&] {
               // Comes back when the new name is on the disk too.
               return MoveFileExW(from.text, to.text, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
             })) {
    status = failed(error, "replace", path);
  }
  if (status != HUSHBIT_OK) {
    file.close_now();  // what is open is not deleted
    DeleteFileW(from.text);
  }
  return status;
}

hushbit_status append_to_file(const char* path, const char* bytes, size_t size, hushbit_error* error) {
  File file(path, GENERIC_READ | FILE_APPEND_DATA, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL);
  if (!file.is_open()) return failed(error, "open", path);
  if (size == 0) return HUSHBIT_OK;
  // Not every file system appends in one step: wine looks for the end and then writes there. The byte that is locked
  // lies far behind the end, where readers do not come.
  if (!lock(file.handle(), uint64_t{1} << 62, 1)) return failed(error, "lock", path);
  return write_all(file.handle(), bytes, size) && file.close_now() ? HUSHBIT_OK : failed(error, "append to", path);
}

}  // namespace hushbit

#endif  // _WIN32
