// The names of mechanisms, policies and searches in Python, and the values of C that they stand for.
#ifndef HUSHBIT_PYTHON_NAMES_H_
#define HUSHBIT_PYTHON_NAMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hushbit/hushbit.h"
#include "support.h"

namespace hushbit::python {

using Names = std::vector<std::pair<const char*, uint32_t>>;

inline Names mechanism_names() {
  Names names;
  for (const uint32_t mechanism : {HUSHBIT_BRR, HUSHBIT_TEM, HUSHBIT_CROWD}) {
    names.emplace_back(hushbit_mechanism_name(mechanism), mechanism);
  }
  return names;
}

inline const Names kOovPolicies = {{"random", HUSHBIT_OOV_RANDOM},
                                   {"drop", HUSHBIT_OOV_DROP},
                                   {"mask", HUSHBIT_OOV_MASK},
                                   {"error", HUSHBIT_OOV_ERROR},
                                   {"verbatim-unsafe", HUSHBIT_OOV_VERBATIM_UNSAFE}};
inline const Names kPunctuationPolicies = {{"drop", HUSHBIT_PUNCTUATION_DROP},
                                           {"privatize", HUSHBIT_PUNCTUATION_PRIVATIZE}};
inline const Names kSearches = {{"auto", HUSHBIT_SEARCH_AUTO},
                                {"rows", HUSHBIT_SEARCH_ROWS},
                                {"clusters", HUSHBIT_SEARCH_CLUSTERS},
                                {"mih", HUSHBIT_SEARCH_MIH}};
inline const Names kCrowdSizes = {
    {"one", HUSHBIT_CROWD_SIZE_ONE}, {"few", HUSHBIT_CROWD_SIZE_FEW}, {"many", HUSHBIT_CROWD_SIZE_MANY}};
inline const Names kEpsilonUnits = {{"bit", HUSHBIT_PER_BIT}, {"word", HUSHBIT_PER_WORD}, {"text", HUSHBIT_PER_TEXT}};

// The name of a value, if it has one.
inline std::optional<std::string> name_of(uint32_t value, const Names& names) {
  for (const auto& [name, known_value] : names) {
    if (value == known_value) return name;
  }
  return std::nullopt;
}

// The value that belongs to `name`, or an error that lists the names. `what` they are is said in it.
inline uint32_t value_of(const char* what, const std::string& name, const Names& names) {
  std::string known;
  for (const auto& [known_name, value] : names) {
    if (name == known_name) return value;
    known += known.empty() ? known_name : std::string(", ") + known_name;
  }
  raise_invalid_argument("unknown " + std::string(what) + " '" + name + "'; known: " + known);
}

inline uint32_t search_of(const std::string& name) { return value_of("search", name, kSearches); }

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_NAMES_H_
