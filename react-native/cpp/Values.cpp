#include "Values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hushbit::react {

namespace {

constexpr size_t kKeyBytes = 32;
constexpr double kLargestSafeInteger = 9007199254740991.0;  // Number.MAX_SAFE_INTEGER

const char* name_of(hushbit_status status) {
  constexpr const char* kStatuses[] = {"OK",
                                       "INVALID_ARGUMENT",
                                       "FILE_NOT_FOUND",
                                       "READ_FAILED",
                                       "CORRUPT_BUNDLE",
                                       "UNSUPPORTED_BUNDLE",
                                       "OUT_OF_MEMORY",
                                       "RANDOMNESS_FAILED",
                                       "INVALID_TEXT",
                                       "UNKNOWN_WORD",
                                       "BUDGET_EXHAUSTED",
                                       "CORRUPT_BUDGET",
                                       "UNSUPPORTED_BUDGET",
                                       "STORAGE_FAILED"};
  return kStatuses[status];
}

std::string wanted(Names names) {
  std::string text;
  for (const Name& name : names) text += (text.empty() ? "" : ", ") + std::string(name.name);
  return text;
}

}  // namespace

void fail(jsi::Runtime& rt, hushbit_status status, const std::string& message, double position) {
  jsi::Value value = rt.global().getPropertyAsFunction(rt, "Error").callAsConstructor(rt, to_string(rt, message));
  jsi::Object error = value.asObject(rt);
  error.setProperty(rt, "name", "HushbitError");
  error.setProperty(rt, "status", name_of(status));
  error.setProperty(rt, "position", position);
  throw jsi::JSError(rt, jsi::Value(rt, error));
}

void refuse(jsi::Runtime& rt, const std::string& message) { fail(rt, HUSHBIT_INVALID_ARGUMENT, message); }

void check(jsi::Runtime& rt, hushbit_status status, const hushbit_error& error) {
  if (status != HUSHBIT_OK) fail(rt, status, error.message, static_cast<double>(error.position));
}

std::string text_argument(jsi::Runtime& rt, const jsi::Value* arguments, size_t count, const char* what) {
  if (count < 1 || !arguments[0].isString()) refuse(rt, std::string(what) + " is not a string");
  return arguments[0].getString(rt).utf8(rt);
}

uint32_t integer_argument(jsi::Runtime& rt, const jsi::Value* arguments, size_t count, const char* what,
                          uint32_t last) {
  const double value = count < 1 || !arguments[0].isNumber() ? -1 : arguments[0].getNumber();
  if (!(value >= 0 && value <= last) || value != std::floor(value)) {
    refuse(rt, std::string(what) + " must be an integer, 0 to " + std::to_string(last));
  }
  return static_cast<uint32_t>(value);
}

jsi::String to_string(jsi::Runtime& rt, std::string_view utf8) {
  return jsi::String::createFromUtf8(rt, reinterpret_cast<const uint8_t*>(utf8.data()), utf8.size());
}

jsi::String hexadecimal(jsi::Runtime& rt, const uint8_t* bytes, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15]};
  return to_string(rt, text);
}

jsi::Value to_bigint(jsi::Runtime& rt, uint64_t value) { return jsi::BigInt::fromUint64(rt, value); }

jsi::Value name_of(jsi::Runtime& rt, Names names, uint32_t number) {
  for (const Name& name : names) {
    if (name.number == number) return to_string(rt, name.name);
  }
  return jsi::Value::undefined();
}

Options::Options(jsi::Runtime& rt, const jsi::Value& argument, std::initializer_list<const char*> allowed) : rt_(rt) {
  if (argument.isUndefined()) return;
  if (!argument.isObject()) refuse(rt, "the options are not an object");
  object_ = argument.getObject(rt);
  const jsi::Array names = object_->getPropertyNames(rt);
  for (size_t i = 0; i < names.size(rt); ++i) {
    const std::string name = names.getValueAtIndex(rt, i).asString(rt).utf8(rt);
    const bool known = std::any_of(allowed.begin(), allowed.end(), [&](const char* other) { return name == other; });
    if (!known) refuse(rt, "there is no option " + name);
  }
}

jsi::Value Options::get(const char* name) const {
  return object_ ? object_->getProperty(rt_, name) : jsi::Value::undefined();
}

void Options::read(const char* name, double* value) const {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  if (!given.isNumber()) refuse(rt_, std::string(name) + " must be a number");
  *value = given.getNumber();
}

void Options::read(const char* name, std::string* value) const {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  if (!given.isString()) refuse(rt_, std::string(name) + " must be a string");
  *value = given.getString(rt_).utf8(rt_);
}

void Options::read(const char* name, Names names, uint32_t* value) const {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  const std::string wish = given.isString() ? given.getString(rt_).utf8(rt_) : "";
  const Name* found = std::find_if(names.begin(), names.end(), [&](const Name& known) { return wish == known.name; });
  if (found == names.end()) refuse(rt_, std::string(name) + " must be one of: " + wanted(names));
  *value = found->number;
}

bool Options::flag(const char* name) const {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return false;
  if (!given.isBool()) refuse(rt_, std::string(name) + " must be true or false");
  return given.getBool();
}

const uint8_t* Options::device_key() const {
  const jsi::Value given = get("deviceKey");
  if (given.isUndefined()) return nullptr;
  const std::string message = "deviceKey must be a Uint8Array of " + std::to_string(kKeyBytes) + " bytes";
  if (!given.isObject()) refuse(rt_, message);
  // By the properties of a typed array, which every engine has; JSI knows typed arrays themselves only since 0.84.
  const jsi::Object array = given.getObject(rt_);
  const jsi::Value buffer = array.getProperty(rt_, "buffer");
  const jsi::Value offset = array.getProperty(rt_, "byteOffset");
  const jsi::Value size = array.getProperty(rt_, "byteLength");
  if (!buffer.isObject() || !offset.isNumber() || !size.isNumber() || size.getNumber() != kKeyBytes) {
    refuse(rt_, message);
  }
  const jsi::Object memory = buffer.getObject(rt_);
  if (!memory.isArrayBuffer(rt_)) refuse(rt_, message);
  jsi::ArrayBuffer bytes = memory.getArrayBuffer(rt_);
  if (!(offset.getNumber() >= 0) || offset.getNumber() + kKeyBytes > static_cast<double>(bytes.size(rt_))) {
    refuse(rt_, message);
  }
  return bytes.data(rt_) + static_cast<size_t>(offset.getNumber());
}

uint64_t Options::epoch() const {
  const jsi::Value given = get("epoch");
  if (given.isUndefined()) return 0;
  if (given.isBigInt()) {
    const jsi::BigInt number = given.getBigInt(rt_);
    if (number.isUint64(rt_)) return number.getUint64(rt_);
  } else if (given.isNumber()) {
    const double number = given.getNumber();
    if (number >= 0 && number <= kLargestSafeInteger && number == std::floor(number)) {
      return static_cast<uint64_t>(number);
    }
  }
  refuse(rt_, "epoch must be an integer, 0 to 2^64 - 1");
}

std::optional<std::string> Options::lines(const char* name) const {
  const jsi::Value given = get(name);
  if (!given.isObject() || !given.getObject(rt_).isArray(rt_)) return std::nullopt;
  const jsi::Array list = given.getObject(rt_).getArray(rt_);
  std::string text;
  for (size_t i = 0; i < list.size(rt_); ++i) {
    const jsi::Value line = list.getValueAtIndex(rt_, i);
    const std::string value = line.isString() ? line.getString(rt_).utf8(rt_) : "\n";
    if (value.find('\n') != std::string::npos) {
      refuse(rt_, std::string(name) + " must be an array of strings, each without a line break");
    }
    text += (i == 0 ? "" : "\n") + value;
  }
  return text;
}

}  // namespace hushbit::react
