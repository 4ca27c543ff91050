// Between values of JavaScript and those of the C interface.
#pragma once

#include <hushbit/hushbit.h>
#include <jsi/jsi.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hushbit::react {

namespace jsi = facebook::jsi;

// Throws an Error of JavaScript whose `status` is the name of a status, such as "UNKNOWN_WORD". Its message is the
// core's, which never contains what was passed in.
[[noreturn]] void fail(jsi::Runtime& rt, hushbit_status status, const std::string& message, double position = 0);
[[noreturn]] void refuse(jsi::Runtime& rt, const std::string& message);  // INVALID_ARGUMENT

// Calls a function of the C interface, whose last parameter is an error, and fails as it does.
template <typename Function, typename... Arguments>
void check(jsi::Runtime& rt, Function function, Arguments... arguments) {
  hushbit_error error = {};
  const hushbit_status status = function(arguments..., &error);
  if (status != HUSHBIT_OK) fail(rt, status, error.message, static_cast<double>(error.position));
}

// A struct of the C interface with its size.
template <typename Struct>
Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(Struct);
  return value;
}

// What a function of the C interface tells of a handle.
template <typename Struct, typename Handle>
Struct told(jsi::Runtime& rt, hushbit_status (*tell)(const Handle*, Struct*, hushbit_error*), const Handle* handle) {
  Struct value = sized<Struct>();
  check(rt, tell, handle, &value);
  return value;
}

// A text, or numbers made of one; wiped at the end of its scope.
template <typename Container>
class Secret {
 public:
  explicit Secret(Container value) : value_(std::move(value)) {}
  ~Secret() {
    volatile char* bytes = reinterpret_cast<char*>(value_.data());  // volatile, so that no compiler leaves it out
    for (size_t i = 0; i < value_.size() * sizeof(*value_.data()); ++i) bytes[i] = 0;
  }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  auto* data() { return value_.data(); }
  const auto* data() const { return value_.data(); }
  size_t size() const { return value_.size(); }

 private:
  Container value_;
};

using SecretText = Secret<std::string>;
using SecretNumbers = Secret<std::vector<float>>;

// A call of JavaScript. Arguments are counted from 0, and what does not fit is refused as `what`.
struct Call {
  jsi::Runtime& rt;
  const jsi::Value* arguments;
  size_t count;

  jsi::Value argument(size_t index) const;  // undefined if it is not given
  std::string text(size_t index, const char* what) const;
  std::string path(size_t index) const;  // without U+0000
  double number(size_t index, const char* what) const;
  uint32_t integer(size_t index, const char* what, uint32_t last) const;  // 0 to `last`

  template <typename Number>
  std::vector<Number> numbers(size_t index, const char* what) const {
    const jsi::Array array = list(index, what);
    std::vector<Number> values(array.size(rt));
    for (size_t i = 0; i < values.size(); ++i) {
      const jsi::Value value = array.getValueAtIndex(rt, i);
      if (!value.isNumber()) refuse(rt, std::string(what) + " is not an array of numbers");
      values[i] = static_cast<Number>(value.getNumber());
    }
    return values;
  }

 private:
  jsi::Array list(size_t index, const char* what) const;
};

// The bytes of a Uint8Array, which belong to the engine and are valid until JavaScript runs again; no data if `value`
// is none.
std::span<const uint8_t> bytes_of(jsi::Runtime& rt, const jsi::Value& value);

jsi::String to_string(jsi::Runtime& rt, std::string_view utf8);

// A name of an option and its number in the C interface.
struct Name {
  const char* name;
  uint32_t number;
};
using Names = std::initializer_list<Name>;

// A number of `names` is its name, or undefined. All 64 bits of an integer are a string of decimal digits: the JSI of
// JavaScriptCore has no BigInts. Bytes are hexadecimal.
struct NameOf {
  Names names;
  uint32_t number;
};
struct Bits64 {
  uint64_t value;
};
struct Null {};
using Bytes = std::span<const uint8_t>;

// What a field of a struct is in JavaScript. A count is a number, and what is 0 or 1 in an int32_t a boolean.
struct Scalar {
  Scalar(double number) : value(number) {}
  Scalar(uint32_t number) : value(static_cast<double>(number)) {}
  Scalar(uint64_t number) : value(static_cast<double>(number)) {}
  Scalar(int32_t flag) : value(flag != 0) {}
  Scalar(NameOf name) : value(name) {}
  Scalar(Bits64 bits) : value(bits) {}
  template <size_t Size>
  Scalar(const uint8_t (&bytes)[Size]) : value(Bytes(bytes)) {}
  Scalar(Null null) : value(null) {}

  std::variant<double, bool, NameOf, Bits64, Bytes, Null> value;
};

// An object with the names of the C interface in JavaScript's case: worst_case becomes worstCase.
jsi::Object to_object(jsi::Runtime& rt, std::initializer_list<std::pair<const char*, Scalar>> fields);

#define HUSHBIT_FIELD(from, name) {#name, (from).name}
#define HUSHBIT_BITS64(from, name)                  \
  {                                                 \
    #name, ::hushbit::react::Bits64 { (from).name } \
  }
#define HUSHBIT_NAME(from, name, names)                                           \
  {                                                                               \
    #name, ::hushbit::react::NameOf { names, static_cast<uint32_t>((from).name) } \
  }

inline constexpr Names kMechanisms = {{"brr", HUSHBIT_BRR}, {"tem", HUSHBIT_TEM}, {"crowd", HUSHBIT_CROWD}};
inline constexpr Names kCrowdSizes = {
    {"one", HUSHBIT_CROWD_SIZE_ONE}, {"few", HUSHBIT_CROWD_SIZE_FEW}, {"many", HUSHBIT_CROWD_SIZE_MANY}};
inline constexpr Names kPunctuation = {{"drop", HUSHBIT_PUNCTUATION_DROP},
                                       {"privatize", HUSHBIT_PUNCTUATION_PRIVATIZE}};
inline constexpr Names kUnits = {{"bit", HUSHBIT_PER_BIT}, {"word", HUSHBIT_PER_WORD}};

}  // namespace hushbit::react
