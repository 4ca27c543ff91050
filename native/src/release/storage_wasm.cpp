// No storage in WebAssembly, which has no files: whoever embeds the core keeps its ledger.
#if defined(__wasm__)

#include "base/error.h"
#include "release/storage.h"

namespace hushbit {
namespace {

hushbit_status no_files(hushbit_error* error) {
  return fail(error, HUSHBIT_STORAGE_FAILED, 0, "WebAssembly has no files; nothing was released");
}

}  // namespace

FileLock::~FileLock() = default;

hushbit_status FileLock::acquire(const char* /*path*/, hushbit_error* error) { return no_files(error); }

hushbit_status read_small_file(const char* /*path*/, uint8_t* /*bytes*/, size_t /*capacity*/, size_t* /*size*/,
                               bool* /*found*/, hushbit_error* error) {
  return no_files(error);
}

hushbit_status replace_file(const char* /*path*/, const char* /*temporary*/, const uint8_t* /*bytes*/, size_t /*size*/,
                            hushbit_error* error) {
  return no_files(error);
}

hushbit_status append_to_file(const char* /*path*/, const char* /*bytes*/, size_t /*size*/, hushbit_error* error) {
  return no_files(error);
}

}  // namespace hushbit

#endif  // __wasm__
