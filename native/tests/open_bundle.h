// A small bundle in memory, open for as long as it lives.
#ifndef HUSHBIT_TESTS_OPEN_BUNDLE_H_
#define HUSHBIT_TESTS_OPEN_BUNDLE_H_

#include <cstring>
#include <string>
#include <vector>

#include "bundle_builder.h"
#include "check.h"
#include "hushbit/hushbit.h"

namespace hushbit::testing {

struct OpenBundle {
  std::vector<uint64_t> memory;  // aligned as the core asks
  hushbit_bundle* handle = nullptr;

  explicit OpenBundle(const std::vector<std::string>& words, uint32_t bits = 64) {
    BundleSpec spec;
    spec.words = words;
    spec.bits = bits;
    const Bytes bytes = build_bundle(spec);
    memory.resize(bytes.size() / 8 + 1);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    CHECK_EQ(hushbit_bundle_open_memory(memory.data(), bytes.size(), &handle, nullptr), HUSHBIT_OK);
  }
  ~OpenBundle() { hushbit_bundle_close(handle); }
  OpenBundle(const OpenBundle&) = delete;
  OpenBundle& operator=(const OpenBundle&) = delete;

  // The bundle's defaults, but for any epsilon.
  hushbit_privatizer_options options() const {
    hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
    hushbit_privatizer_options_init(handle, &options, nullptr);
    options.allow_unchanged = 1;
    return options;
  }
};

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_OPEN_BUNDLE_H_
