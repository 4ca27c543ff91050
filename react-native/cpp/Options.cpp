#include "Options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "Objects.h"

namespace hushbit::react {

namespace {

constexpr size_t kKeyBytes = 32;
constexpr double kLargestSafeInteger = 9007199254740991.0;  // Number.MAX_SAFE_INTEGER

std::string wanted(Names names) {
  std::string text;
  for (const Name& name : names) text += (text.empty() ? "" : ", ") + std::string(name.name);
  return text;
}

bool parse(const std::string& digits, uint64_t* value) {
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, *value);
  return error == std::errc() && stopped == end;
}

}  // namespace

Options::Options(jsi::Runtime& rt, const jsi::Value& argument) : rt_(rt) {
  if (argument.isUndefined()) return;
  if (!argument.isObject()) refuse(rt, "the options are not an object");
  object_ = argument.getObject(rt);
}

jsi::Value Options::get(const char* name) {
  known_.emplace_back(name);
  return object_ ? object_->getProperty(rt_, name) : jsi::Value::undefined();
}

void Options::refuse_others() const {
  if (!object_) return;
  const jsi::Array names = object_->getPropertyNames(rt_);
  for (size_t i = 0; i < names.size(rt_); ++i) {
    const std::string name = names.getValueAtIndex(rt_, i).asString(rt_).utf8(rt_);
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) refuse(rt_, "there is no option " + name);
  }
}

bool Options::read(const char* name, double* field) {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return false;
  if (!given.isNumber()) refuse(rt_, std::string(name) + " must be a number");
  *field = given.getNumber();
  return true;
}

void Options::read(const char* name, Names names, uint32_t* field) {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  const std::string wish = given.isString() ? given.getString(rt_).utf8(rt_) : "";
  const Name* found = std::find_if(names.begin(), names.end(), [&](const Name& known) { return wish == known.name; });
  if (found == names.end()) refuse(rt_, std::string(name) + " must be one of: " + wanted(names));
  *field = found->number;
}

void Options::integer(const char* name, uint64_t* field) {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  if (given.isNumber()) {
    const double number = given.getNumber();
    if (number >= 0 && number <= kLargestSafeInteger && number == std::floor(number)) {
      *field = static_cast<uint64_t>(number);
      return;
    }
  } else if (given.isString() && parse(given.getString(rt_).utf8(rt_), field)) {
    return;
  }
  refuse(rt_, std::string(name) + " must be an integer, 0 to 2^64 - 1; above 2^53 - 1, a bigint");
}

void Options::text(const char* name, const char** field, size_t* bytes) {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return;
  if (!given.isString()) refuse(rt_, std::string(name) + " must be a string");
  const std::string& kept = texts_.emplace_back(given.getString(rt_).utf8(rt_));
  *field = kept.c_str();
  *bytes = kept.size();
}

bool Options::lines(const char* name, const char** field, size_t* bytes, bool required) {
  const jsi::Value given = get(name);
  if (given.isUndefined()) return false;
  const bool is_list = given.isObject() && given.getObject(rt_).isArray(rt_);
  const auto refused = [&] { refuse(rt_, std::string(name) + " must be an array of strings without line breaks"); };
  if (!is_list && required) refused();
  if (!is_list) return false;
  const jsi::Array list = given.getObject(rt_).getArray(rt_);
  std::string& text = texts_.emplace_back();
  for (size_t i = 0; i < list.size(rt_); ++i) {
    const jsi::Value line = list.getValueAtIndex(rt_, i);
    const std::string value = line.isString() ? line.getString(rt_).utf8(rt_) : "\n";
    if (value.find('\n') != std::string::npos) refused();
    text += (i == 0 ? "" : "\n") + value;
  }
  *field = text.data();
  *bytes = text.size();
  return true;
}

const uint8_t* Options::device_key() {
  const jsi::Value given = get("deviceKey");
  if (given.isUndefined()) return nullptr;
  const Bytes key = bytes_of(rt_, given);
  if (key.size() != kKeyBytes) {
    refuse(rt_, "deviceKey must be a Uint8Array of " + std::to_string(kKeyBytes) + " bytes");
  }
  return key.data();
}

hushbit_budget* Options::budget() {
  const jsi::Value given = get("budget");
  if (given.isUndefined()) return nullptr;
  if (!given.isObject() || !given.getObject(rt_).isHostObject<NativeObject>(rt_))
    refuse(rt_, "budget must be a Budget");
  const std::shared_ptr<NativeObject> object = given.getObject(rt_).getHostObject<NativeObject>(rt_);
  if (!object->is(kBudget)) refuse(rt_, "budget must be a Budget");
  budget_ = object->open(rt_);
  return static_cast<hushbit_budget*>(budget_.get());
}

}  // namespace hushbit::react
