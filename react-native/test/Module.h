// The module as JavaScript would use it, for tests.
#pragma once

#include <jsi/jsi.h>

#include <memory>
#include <string>

#include "HushbitModule.h"
#include "StandInRuntime.h"

namespace hushbit::testing {

namespace jsi = facebook::jsi;

// A runtime and the module in it.
class Module {
 public:
  Module() : runtime_(make_stand_in_runtime()), rt(*runtime_) {
    module_ = std::make_shared<facebook::react::HushbitModule>(nullptr);
  }

  jsi::Object open(const std::string& path) {
    jsi::Object module = jsi::Object::createFromHostObject(rt, module_);
    return call(module, "openBundle", string(path)).asObject(rt);
  }

  jsi::Value call(const jsi::Object& object, const char* name) {
    return object.getPropertyAsFunction(rt, name).call(rt);
  }
  jsi::Value call(const jsi::Object& object, const char* name, const jsi::Value& argument) {
    return object.getPropertyAsFunction(rt, name).call(rt, argument);
  }
  jsi::Object made(const jsi::Object& object, const char* name, const jsi::Object& options) {
    return call(object, name, jsi::Value(rt, options)).asObject(rt);
  }

  jsi::Value string(const std::string& utf8) { return jsi::Value(rt, jsi::String::createFromUtf8(rt, utf8)); }

  double number(const jsi::Object& object, const char* name) { return object.getProperty(rt, name).asNumber(); }
  bool boolean(const jsi::Object& object, const char* name) { return object.getProperty(rt, name).asBool(); }
  uint64_t integer(const jsi::Object& object, const char* name) {
    return object.getProperty(rt, name).asBigInt(rt).asUint64(rt);
  }
  std::string text(const jsi::Object& object, const char* name) {
    return object.getProperty(rt, name).asString(rt).utf8(rt);
  }
  jsi::Object object(const jsi::Object& object, const char* name) { return object.getProperty(rt, name).asObject(rt); }

 private:
  std::unique_ptr<jsi::Runtime> runtime_;
  std::shared_ptr<facebook::react::HushbitModule> module_;

 public:
  jsi::Runtime& rt;
};

}  // namespace hushbit::testing
