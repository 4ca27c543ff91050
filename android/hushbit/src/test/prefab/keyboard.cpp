// What a keyboard in C++ needs of the core: one text in, the privatized text out.
#include <hushbit/hushbit.h>

#include <cstring>
#include <memory>

namespace {

template <auto give_back>
struct GiveBack {
  template <class Object>
  void operator()(Object* object) const {
    give_back(object);
  }
};

using Bundle = std::unique_ptr<hushbit_bundle, GiveBack<hushbit_bundle_close>>;
using Privatizer = std::unique_ptr<hushbit_privatizer, GiveBack<hushbit_privatizer_destroy>>;
using Result = std::unique_ptr<hushbit_result, GiveBack<hushbit_result_destroy>>;

// With the bundle's defaults; null if that fails. The privatizer keeps the bundle alive.
Privatizer open_privatizer(const char* path) {
  hushbit_bundle* bundle = nullptr;
  if (hushbit_bundle_open(path, &bundle, nullptr) != HUSHBIT_OK) return nullptr;
  const Bundle owned(bundle);
  hushbit_privatizer_options options = {};
  options.struct_size = sizeof(options);
  hushbit_privatizer* privatizer = nullptr;
  if (hushbit_privatizer_options_init(bundle, &options, nullptr) != HUSHBIT_OK) return nullptr;
  if (hushbit_privatizer_create(bundle, &options, &privatizer, nullptr) != HUSHBIT_OK) return nullptr;
  return Privatizer(privatizer);
}

}  // namespace

// Writes the privatized text to `text`, without a NUL, and returns its length, or -1 if nothing is released.
extern "C" __attribute__((visibility("default"))) int keyboard_share(const char* path, const char* typed, char* text,
                                                                     int capacity) {
  const Privatizer privatizer = open_privatizer(path);
  hushbit_result* result = nullptr;
  if (privatizer == nullptr || hushbit_result_create(&result, nullptr) != HUSHBIT_OK) return -1;
  const Result owned(result);
  if (hushbit_privatize(privatizer.get(), typed, std::strlen(typed), result, nullptr) != HUSHBIT_OK) return -1;
  size_t length = 0;
  const char* released = hushbit_result_text(result, &length);
  if (length > static_cast<size_t>(capacity)) return -1;
  std::memcpy(text, released, length);
  return static_cast<int>(length);
}
