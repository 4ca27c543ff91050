// A stand-in for an engine of JavaScript: the values and objects of jsi::Runtime, without a language. It runs the
// module where no engine can be had. What the module does not need throws, so that a test notices.
#pragma once

#include <jsi/jsi.h>

#include <memory>
#include <string>

namespace hushbit::testing {

std::unique_ptr<facebook::jsi::Runtime> make_stand_in_runtime();

// A Uint8Array of the bytes, in the middle of a larger buffer.
facebook::jsi::Object make_uint8_array(facebook::jsi::Runtime& rt, const std::string& bytes);

}  // namespace hushbit::testing
