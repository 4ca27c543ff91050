// A bundle file as typed views (docs/bundle-format.md).
#ifndef HUSHBIT_BUNDLE_H_
#define HUSHBIT_BUNDLE_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>
#include <span>

#include "hushbit/hushbit.h"
#include "vocabulary.h"

namespace hushbit {

// The codes in id order, as rows.
struct Codes {
  const uint8_t* rows = nullptr;
  uint32_t count = 0;
  uint32_t code_bytes = 0;  // of one row: 8, 16, 32 or 64

  const uint8_t* row(uint32_t id) const { return rows + static_cast<size_t>(id) * code_bytes; }
};

// A mapped file, or somebody else's memory.
struct Mapping {
  std::span<const uint8_t> bytes;  // the bundle
  void* base = nullptr;            // what to unmap; null if the memory is not ours
  size_t base_size = 0;
};
hushbit_status map_path(const char* path, Mapping* mapping, hushbit_error* error);
hushbit_status map_descriptor(int fd, uint64_t offset, uint64_t length, Mapping* mapping, hushbit_error* error);
void unmap(const Mapping& mapping);

inline constexpr uint32_t kMaxSections = 64;

class Bundle {
 public:
  // Checks structure and fills the views. On failure the caller still owns the mapping.
  hushbit_status open(const Mapping& mapping, hushbit_error* error);
  hushbit_status verify(hushbit_error* error) const;

  const hushbit_bundle_info& info() const { return info_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const Codes& codes() const { return codes_; }
  std::span<const uint8_t> meta() const { return meta_; }
  uint32_t section_count() const { return section_count_; }
  // `index` < section_count().
  hushbit_section_info section(uint32_t index) const;
  const Mapping& mapping() const { return mapping_; }

 private:
  hushbit_status read_header(hushbit_error* error);
  hushbit_status read_sections(hushbit_error* error);

  Mapping mapping_;
  hushbit_bundle_info info_ = {};
  Vocabulary vocabulary_;
  Codes codes_;
  std::span<const uint8_t> meta_;
  uint32_t section_count_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_BUNDLE_H_
