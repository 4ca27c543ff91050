// No mapping in WebAssembly, which has no files: bundles are opened in memory.
#if defined(__wasm__)

#include "base/error.h"
#include "bundle/mapping.h"

namespace hushbit {
namespace {

hushbit_status no_files(hushbit_error* error) {
  return fail(error, HUSHBIT_READ_FAILED, 0, "WebAssembly has no files; open the bundle from memory");
}

}  // namespace

hushbit_status map_path(const char* /*path*/, Mapping* /*mapping*/, hushbit_error* error) { return no_files(error); }

hushbit_status map_descriptor(int /*fd*/, uint64_t /*offset*/, uint64_t /*length*/, Mapping* /*mapping*/,
                              hushbit_error* error) {
  return no_files(error);
}

void unmap(const Mapping& /*mapping*/) {}

}  // namespace hushbit

#endif  // __wasm__
