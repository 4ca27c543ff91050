// The plain records of the C interface, read-only.
#include <optional>

#include "hushbit/hushbit.h"
#include "names.h"
#include "support.h"

namespace hushbit::python {

std::string unpack_unicode_version(uint32_t version) {
  return std::to_string(version >> 16) + '.' + std::to_string(version >> 8 & 0xFF) + '.' +
         std::to_string(version & 0xFF);
}

const char* token_kind_name(hushbit_token_kind kind) {
  switch (kind) {
    case HUSHBIT_TOKEN_WORD:
      return "word";
    case HUSHBIT_TOKEN_UNKNOWN:
      return "unknown";
    default:
      return "punctuation";
  }
}

void bind_records(py::module_& module) {
  py::class_<hushbit_bundle_info>(module, "BundleInfo")
      .def_readonly("format_major", &hushbit_bundle_info::format_major)
      .def_readonly("format_minor", &hushbit_bundle_info::format_minor)
      .def_readonly("bits", &hushbit_bundle_info::bits)
      .def_readonly("words", &hushbit_bundle_info::words)
      .def_readonly("max_word_bytes", &hushbit_bundle_info::max_word_bytes)
      .def_readonly("max_distance", &hushbit_bundle_info::max_distance)
      .def_readonly("average_distance", &hushbit_bundle_info::average_distance)
      .def_readonly("default_epsilon", &hushbit_bundle_info::default_epsilon)
      .def_property_readonly(
          "default_mechanism",
          [](const hushbit_bundle_info& info) { return hushbit_mechanism_name(info.default_mechanism); })
      .def_property_readonly(
          "unicode_version",
          [](const hushbit_bundle_info& info) { return unpack_unicode_version(info.unicode_version); })
      .def_readonly("mih_flips", &hushbit_bundle_info::mih_flips)
      .def_readonly("default_epsilon_brr", &hushbit_bundle_info::default_epsilon_brr)
      .def_readonly("default_epsilon_tem", &hushbit_bundle_info::default_epsilon_tem)
      .def_readonly("output_words", &hushbit_bundle_info::output_words)
      .def_readonly("public_words", &hushbit_bundle_info::public_words)
      .def_property_readonly(
          "default_crowd_size",
          [](const hushbit_bundle_info& info) { return name_of(info.default_crowd_size, kCrowdSizes); })
      .def_property_readonly(
          "default_epsilon_unit",
          [](const hushbit_bundle_info& info) { return name_of(info.default_epsilon_unit, kEpsilonUnits); })
      .def_readonly("file_bytes", &hushbit_bundle_info::file_bytes)
      .def_property_readonly("hash", [](const hushbit_bundle_info& info) { return to_bytes(info.hash, 32); });
  py::class_<hushbit_section_info>(module, "SectionInfo")
      .def_property_readonly("name", [](const hushbit_section_info& section) { return std::string(section.name); })
      .def_readonly("type", &hushbit_section_info::type)
      .def_readonly("offset", &hushbit_section_info::offset)
      .def_readonly("length", &hushbit_section_info::length)
      .def_property_readonly("sha256",
                             [](const hushbit_section_info& section) { return to_bytes(section.sha256, 32); });
  py::class_<hushbit_token>(module, "Token")
      .def_property_readonly("kind", [](const hushbit_token& token) { return token_kind_name(token.kind); })
      .def_property_readonly("word",
                             [](const hushbit_token& token) {
                               return token.word == HUSHBIT_NO_WORD ? std::nullopt : std::optional(token.word);
                             })
      .def_readonly("byte_begin", &hushbit_token::byte_begin)
      .def_readonly("byte_end", &hushbit_token::byte_end)
      .def_readonly("utf16_begin", &hushbit_token::utf16_begin)
      .def_readonly("utf16_end", &hushbit_token::utf16_end)
      .def_readonly("output_begin", &hushbit_token::output_begin)
      .def_readonly("output_end", &hushbit_token::output_end);
  py::class_<hushbit_cost>(module, "Cost")
      .def_readonly("epsilon", &hushbit_cost::epsilon)
      .def_readonly("average", &hushbit_cost::average)
      .def_readonly("worst_case", &hushbit_cost::worst_case)
      .def_readonly("words", &hushbit_cost::words)
      .def_readonly("unknown", &hushbit_cost::unknown)
      .def_readonly("dropped", &hushbit_cost::dropped)
      .def_readonly("verbatim", &hushbit_cost::verbatim)
      .def_readonly("public_words", &hushbit_cost::public_words)
      .def_property_readonly("epsilon_unit",
                             [](const hushbit_cost& cost) { return name_of(cost.epsilon_unit, kEpsilonUnits); });
  py::class_<hushbit_privatizer_info>(module, "PrivatizerInfo")
      .def_property_readonly("mechanism",
                             [](const hushbit_privatizer_info& info) { return hushbit_mechanism_name(info.mechanism); })
      .def_readonly("requested_epsilon", &hushbit_privatizer_info::requested_epsilon)
      .def_readonly("effective_epsilon", &hushbit_privatizer_info::effective_epsilon)
      .def_readonly("flip_threshold", &hushbit_privatizer_info::flip_threshold)
      .def_readonly("flip_probability", &hushbit_privatizer_info::flip_probability)
      .def_readonly("gamma", &hushbit_privatizer_info::gamma)
      .def_readonly("average_per_token", &hushbit_privatizer_info::average_per_token)
      .def_readonly("worst_case_per_token", &hushbit_privatizer_info::worst_case_per_token)
      .def_property_readonly("clamped", [](const hushbit_privatizer_info& info) { return info.clamped != 0; })
      .def_property_readonly("memoized", [](const hushbit_privatizer_info& info) { return info.memoized != 0; })
      .def_property_readonly(
          "epsilon_unit", [](const hushbit_privatizer_info& info) { return name_of(info.epsilon_unit, kEpsilonUnits); })
      .def_property_readonly("crowd_size",
                             [](const hushbit_privatizer_info& info) { return name_of(info.crowd_size, kCrowdSizes); })
      .def_readonly("crowd_mass", &hushbit_privatizer_info::crowd_mass)
      .def_readonly("output_mass", &hushbit_privatizer_info::output_mass)
      .def_readonly("crowd_threshold", &hushbit_privatizer_info::crowd_threshold)
      .def_readonly("crowd_probability", &hushbit_privatizer_info::crowd_probability)
      .def_readonly("mean_crowd", &hushbit_privatizer_info::mean_crowd)
      .def_readonly("output_words", &hushbit_privatizer_info::output_words)
      .def_readonly("public_words", &hushbit_privatizer_info::public_words);
}

}  // namespace hushbit::python
