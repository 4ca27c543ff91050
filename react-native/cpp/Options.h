// An object of options, read field by field into a struct of the C interface.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "Values.h"

namespace hushbit::react {

// Each function leaves the field as it is if the option is not given, and refuses a value of another type. What fields
// point to lives as long as this object. What is undefined counts as not given.
class Options {
 public:
  // Anything but undefined or an object is refused.
  Options(jsi::Runtime& rt, const jsi::Value& argument);

  // True if the option is given.
  bool read(const char* name, double* field);
  void read(const char* name, Names names, uint32_t* field);
  // An integer of 64 bits: a number, or a string of decimal digits.
  void integer(const char* name, uint64_t* field);
  template <typename Integer>
  void flag(const char* name, Integer* field) {
    const jsi::Value given = get(name);
    if (given.isUndefined()) return;
    if (!given.isBool()) refuse(rt_, std::string(name) + " must be true or false");
    *field = given.getBool() ? 1 : 0;
  }
  void text(const char* name, const char** field, size_t* bytes);
  // A list of strings, as the core reads it: one a line. True if the option is a list, which is refused if `required`.
  bool lines(const char* name, const char** field, size_t* bytes, bool required);

  // What privatizers, embedders and reporters share: punctuation, device key, epoch, budget, audit log.
  template <typename Struct>
  void shared(Struct* options) {
    read("punctuation", kPunctuation, &options->punctuation);
    integer("epoch", &options->epoch);
    options->device_key = device_key();
    options->budget = budget();
    size_t bytes = 0;
    text("auditLog", &options->audit_log, &bytes);
    if (bytes != 0 && std::string_view(options->audit_log, bytes).find('\0') != std::string_view::npos) {
      refuse(rt_, "auditLog contains U+0000");
    }
  }

  // Refuses options that were not asked for.
  void refuse_others() const;

 private:
  jsi::Value get(const char* name);
  const uint8_t* device_key();
  hushbit_budget* budget();

  jsi::Runtime& rt_;
  std::optional<jsi::Object> object_;
  std::vector<std::string> known_;
  std::deque<std::string> texts_;
  std::shared_ptr<void> budget_;
};

}  // namespace hushbit::react
