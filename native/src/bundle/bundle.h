// A bundle file as typed views (docs/bundle-format.md).
#ifndef HUSHBIT_BUNDLE_H_
#define HUSHBIT_BUNDLE_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "bundle/crowds.h"
#include "bundle/embedding.h"
#include "bundle/grades.h"
#include "bundle/mapping.h"
#include "bundle/outputs.h"
#include "bundle/vocabulary.h"
#include "hushbit/hushbit.h"
#include "search/codes.h"

namespace hushbit {

inline constexpr uint32_t kMaxSections = 64;

class Bundle {
 public:
  // Checks structure and fills the views, without touching a bulk page. On failure the caller still owns the mapping.
  hushbit_status open(const Mapping& mapping, hushbit_error* error);
  // Reads every byte.
  hushbit_status verify(hushbit_error* error) const;

  const hushbit_bundle_info& info() const { return info_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  // Whether words of four or more digits are words when they are typed.
  bool long_numbers() const { return long_numbers_; }
  // The codes of the output words, by index.
  const Codes& codes() const { return codes_; }
  const Outputs& outputs() const { return outputs_; }
  const PublicWords& public_words() const { return public_words_; }
  const Weights& weights() const { return weights_; }
  const Crowds& crowds() const { return crowds_; }
  const Grades& grades() const { return grades_; }
  const Embedding& embedding() const { return embedding_; }
  std::span<const uint8_t> meta() const { return meta_; }
  uint32_t section_count() const { return section_count_; }
  // `index` < section_count().
  hushbit_section_info section(uint32_t index) const;
  const Mapping& mapping() const { return mapping_; }

 private:
  hushbit_status check_identity(hushbit_error* error) const;
  hushbit_status read_header(hushbit_error* error);
  hushbit_status read_defaults(hushbit_error* error);
  hushbit_status check_table(hushbit_error* error) const;
  struct Views;
  hushbit_status find_sections(Views* views, hushbit_error* error) const;
  hushbit_status check_present(const Views& views, hushbit_error* error) const;
  hushbit_status open_codes(const Views& views, hushbit_error* error);
  hushbit_status open_crowds(const Views& views, hushbit_error* error);
  void hash_table(uint8_t digest[32]) const;
  hushbit_status verify_section(const hushbit_section_info& section, hushbit_error* error) const;
  hushbit_status verify_codes(hushbit_error* error) const;
  hushbit_status verify_crowds(hushbit_error* error) const;

  const uint8_t* data() const { return mapping_.bytes.data(); }
  size_t size() const { return mapping_.bytes.size(); }
  uint64_t offset_of(std::span<const uint8_t> section) const { return static_cast<uint64_t>(section.data() - data()); }

  Mapping mapping_;
  hushbit_bundle_info info_ = {};
  Vocabulary vocabulary_;
  Outputs outputs_;
  PublicWords public_words_;
  Codes codes_;
  bool long_numbers_ = false;
  Weights weights_;
  Crowds crowds_;
  Grades grades_;
  Embedding embedding_;
  std::span<const uint8_t> meta_;
  uint32_t section_count_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_BUNDLE_H_
