// Between values of JavaScript and those of the C interface.
#pragma once

#include <hushbit/hushbit.h>
#include <jsi/jsi.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hushbit::react {

namespace jsi = facebook::jsi;

// Throws an Error of JavaScript whose `status` is the name of a status, such as "UNKNOWN_WORD". Its message is the
// core's, which never contains what was passed in.
[[noreturn]] void fail(jsi::Runtime& rt, hushbit_status status, const std::string& message, double position = 0);
[[noreturn]] void refuse(jsi::Runtime& rt, const std::string& message);  // INVALID_ARGUMENT

// Fails if `status` is not HUSHBIT_OK.
void check(jsi::Runtime& rt, hushbit_status status, const hushbit_error& error);

// What was typed, in UTF-8; wiped at the end of its scope.
class Typed {
 public:
  explicit Typed(std::string text) : text_(std::move(text)) {}
  ~Typed() {
    volatile char* bytes = text_.data();  // so that no compiler leaves it out
    for (size_t i = 0; i < text_.size(); ++i) bytes[i] = 0;
  }
  Typed(const Typed&) = delete;
  Typed& operator=(const Typed&) = delete;

  const char* data() const { return text_.data(); }
  size_t size() const { return text_.size(); }
  std::string_view view() const { return text_; }

 private:
  std::string text_;
};

// An argument of a call as a string in UTF-8, or as an integer from 0 to `last`.
std::string text_argument(jsi::Runtime& rt, const jsi::Value* arguments, size_t count, const char* what);
uint32_t integer_argument(jsi::Runtime& rt, const jsi::Value* arguments, size_t count, const char* what, uint32_t last);

jsi::String to_string(jsi::Runtime& rt, std::string_view utf8);
jsi::String hexadecimal(jsi::Runtime& rt, const uint8_t* bytes, size_t size);
jsi::Value to_bigint(jsi::Runtime& rt, uint64_t value);

// A name of an option and its number in the C interface.
struct Name {
  const char* name;
  uint32_t number;
};
using Names = std::initializer_list<Name>;

// The name of a number, or undefined.
jsi::Value name_of(jsi::Runtime& rt, Names names, uint32_t number);

// An object of options. What is undefined counts as not given.
class Options {
 public:
  // `argument` is undefined or an object that has no properties but `allowed`; anything else is refused.
  Options(jsi::Runtime& rt, const jsi::Value& argument, std::initializer_list<const char*> allowed);

  // Each leaves `*value` as it is if the option is not given, and refuses a value of another type.
  void read(const char* name, double* value) const;
  void read(const char* name, std::string* value) const;
  void read(const char* name, Names names, uint32_t* value) const;
  bool flag(const char* name) const;  // false if it is not given
  bool has(const char* name) const { return !get(name).isUndefined(); }

  // 32 bytes, which belong to the engine and are valid until JavaScript runs again; nullptr if there is no key.
  const uint8_t* device_key() const;
  uint64_t epoch() const;  // 0 if it is not given

  // A list of strings without line breaks as the core reads it, one a line; nothing if the option is no list.
  std::optional<std::string> lines(const char* name) const;

 private:
  jsi::Value get(const char* name) const;

  jsi::Runtime& rt_;
  std::optional<jsi::Object> object_;
};

inline constexpr Names kMechanisms = {{"brr", HUSHBIT_BRR}, {"tem", HUSHBIT_TEM}, {"crowd", HUSHBIT_CROWD}};
inline constexpr Names kCrowdSizes = {
    {"one", HUSHBIT_CROWD_SIZE_ONE}, {"few", HUSHBIT_CROWD_SIZE_FEW}, {"many", HUSHBIT_CROWD_SIZE_MANY}};
inline constexpr Names kPunctuation = {{"drop", HUSHBIT_PUNCTUATION_DROP},
                                       {"privatize", HUSHBIT_PUNCTUATION_PRIVATIZE}};
inline constexpr Names kUnits = {{"bit", HUSHBIT_PER_BIT}, {"word", HUSHBIT_PER_WORD}, {"text", HUSHBIT_PER_TEXT}};

// A struct of the C interface with its size.
template <typename Struct>
Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(Struct);
  return value;
}

}  // namespace hushbit::react
