#include "Values.h"

#include <cmath>

namespace hushbit::react {

namespace {

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

std::string camel_case(const char* name) {
  std::string text;
  for (bool upper = false; *name != '\0'; ++name) {
    if (*name != '_') text += upper ? static_cast<char>(*name - 'a' + 'A') : *name;
    upper = *name == '_';
  }
  return text;
}

// Makes a value of JavaScript of each kind of Scalar.
struct ToValue {
  jsi::Runtime& rt;

  jsi::Value operator()(double number) const { return number; }
  jsi::Value operator()(bool flag) const { return flag; }
  jsi::Value operator()(Null) const { return jsi::Value::null(); }
  jsi::Value operator()(Bits64 bits) const { return to_string(rt, std::to_string(bits.value)); }
  jsi::Value operator()(const NameOf& one) const {
    for (const Name& name : one.names) {
      if (name.number == one.number) return to_string(rt, name.name);
    }
    return jsi::Value::undefined();
  }
  jsi::Value operator()(Bytes bytes) const {
    std::string text;
    for (const uint8_t byte : bytes) text += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    return to_string(rt, text);
  }
};

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

jsi::Value Call::argument(size_t index) const {
  return index < count ? jsi::Value(rt, arguments[index]) : jsi::Value::undefined();
}

std::string Call::text(size_t index, const char* what) const {
  if (index >= count || !arguments[index].isString()) refuse(rt, std::string(what) + " is not a string");
  return arguments[index].getString(rt).utf8(rt);
}

std::string Call::path(size_t index) const {
  std::string path = text(index, "the path");
  if (path.find('\0') != std::string::npos) refuse(rt, "the path contains U+0000");
  return path;
}

double Call::number(size_t index, const char* what) const {
  if (index >= count || !arguments[index].isNumber()) refuse(rt, std::string(what) + " is not a number");
  return arguments[index].getNumber();
}

uint32_t Call::integer(size_t index, const char* what, uint32_t last) const {
  const double value = index >= count || !arguments[index].isNumber() ? -1 : arguments[index].getNumber();
  if (!(value >= 0 && value <= last) || value != std::floor(value)) {
    refuse(rt, std::string(what) + " must be an integer, 0 to " + std::to_string(last));
  }
  return static_cast<uint32_t>(value);
}

jsi::Array Call::list(size_t index, const char* what) const {
  const jsi::Value given = argument(index);
  if (!given.isObject() || !given.getObject(rt).isArray(rt)) {
    refuse(rt, std::string(what) + " is not an array of numbers");
  }
  return given.getObject(rt).getArray(rt);
}

// By the properties of a typed array, which every engine has; JSI knows typed arrays themselves only since 0.84.
Bytes bytes_of(jsi::Runtime& rt, const jsi::Value& value) {
  if (!value.isObject()) return {};
  const jsi::Object array = value.getObject(rt);
  const jsi::Value buffer = array.getProperty(rt, "buffer");
  const jsi::Value offset = array.getProperty(rt, "byteOffset"), size = array.getProperty(rt, "byteLength");
  if (!buffer.isObject() || !offset.isNumber() || !size.isNumber()) return {};
  const jsi::Object memory = buffer.getObject(rt);
  if (!memory.isArrayBuffer(rt)) return {};
  jsi::ArrayBuffer bytes = memory.getArrayBuffer(rt);
  const double from = offset.getNumber(), length = size.getNumber();
  if (!(from >= 0 && length >= 0 && from + length <= static_cast<double>(bytes.size(rt)))) return {};
  return {bytes.data(rt) + static_cast<size_t>(from), static_cast<size_t>(length)};
}

jsi::String to_string(jsi::Runtime& rt, std::string_view utf8) {
  return jsi::String::createFromUtf8(rt, reinterpret_cast<const uint8_t*>(utf8.data()), utf8.size());
}

jsi::Object to_object(jsi::Runtime& rt, std::initializer_list<std::pair<const char*, Scalar>> fields) {
  jsi::Object object(rt);
  for (const auto& [name, scalar] : fields) {
    object.setProperty(rt, camel_case(name).c_str(), std::visit(ToValue{rt}, scalar.value));
  }
  return object;
}

}  // namespace hushbit::react
