// What a result holds, as values.
#ifndef HUSHBIT_TESTS_RELEASED_H_
#define HUSHBIT_TESTS_RELEASED_H_

#include <string>

#include "hushbit/hushbit.h"

namespace hushbit::testing {

inline std::string released_text(const hushbit_result* result) {
  size_t length = 0;
  const char* text = hushbit_result_text(result, &length);
  return {text, length};
}

inline hushbit_cost released_cost(const hushbit_result* result) {
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
  hushbit_result_get_cost(result, &cost, nullptr);
  return cost;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_RELEASED_H_
