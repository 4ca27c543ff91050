// A result of the core, as objects of JavaScript.
#pragma once

#include "Values.h"

namespace hushbit::react {

// A result for one call, which is wiped at its end.
class Result {
 public:
  explicit Result(jsi::Runtime& rt) { check(rt, hushbit_result_create, &result_); }
  ~Result() { hushbit_result_destroy(result_); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  hushbit_result* get() const { return result_; }

 private:
  hushbit_result* result_ = nullptr;
};

jsi::Value to_privatized_text(jsi::Runtime& rt, const hushbit_result* result);
jsi::Value to_tokens(jsi::Runtime& rt, const hushbit_result* result);

// The number of UTF-16 units before a byte of a text in UTF-8.
double units_before(std::string_view utf8, uint64_t byte);

}  // namespace hushbit::react
