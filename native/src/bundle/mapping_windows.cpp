// Mapping on Windows.
#if defined(_WIN32)

#include "base/error.h"
#include "base/wide_path.h"
#include "bundle/mapping.h"

namespace hushbit {
namespace {

hushbit_status io_error(hushbit_error* error, const char* what) {
  return fail(error, HUSHBIT_READ_FAILED, 0, "cannot %s the bundle: Windows error %lu", what, GetLastError());
}

HANDLE open_to_read(const char* path) {
  const WidePath wide(path);
  if (!wide.ok) return INVALID_HANDLE_VALUE;
  return CreateFileW(wide.text, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

hushbit_status map_open_file(HANDLE file, Mapping* mapping, hushbit_error* error) {
  LARGE_INTEGER size;
  if (!GetFileSizeEx(file, &size)) return io_error(error, "read");
  if (size.QuadPart == 0) {
    return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the file is empty; export or download the bundle again");
  }
  if (static_cast<uint64_t>(size.QuadPart) > SIZE_MAX) {
    return fail(error, HUSHBIT_READ_FAILED, 0, "the bundle does not fit in the address space of this process");
  }
  const HANDLE section = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) return io_error(error, "map");
  void* base = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  const hushbit_status status = base == nullptr ? io_error(error, "map") : HUSHBIT_OK;
  CloseHandle(section);  // the view outlives it
  if (base == nullptr) return status;
  mapping->bytes = {static_cast<const uint8_t*>(base), static_cast<size_t>(size.QuadPart)};
  mapping->base = base;
  mapping->base_size = mapping->bytes.size();
  return HUSHBIT_OK;
}

}  // namespace

hushbit_status map_path(const char* path, Mapping* mapping, hushbit_error* error) {
  const HANDLE file = open_to_read(path);
  if (file == INVALID_HANDLE_VALUE) {
    const DWORD reason = GetLastError();
    if (reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND) {
      return fail(error, HUSHBIT_FILE_NOT_FOUND, 0, "there is no file %.*s", shown_bytes(path), path);
    }
    return io_error(error, "open");
  }
  const hushbit_status status = map_open_file(file, mapping, error);
  CloseHandle(file);
  return status;
}

hushbit_status map_descriptor(int, uint64_t, uint64_t, Mapping*, hushbit_error* error) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "bundles are not opened by descriptor on Windows; give a path");
}

void unmap(const Mapping& mapping) {
  if (mapping.base != nullptr) UnmapViewOfFile(mapping.base);
}

}  // namespace hushbit

#endif  // _WIN32
