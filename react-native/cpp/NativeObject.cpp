#include "NativeObject.h"

#include <string>

namespace hushbit::react {

jsi::Value NativeObject::get(jsi::Runtime& rt, const jsi::PropNameID& property) {
  const std::string name = property.utf8(rt);
  if (name == "info" && kind_.info != nullptr) return kind_.info({rt, nullptr, 0}, open(rt).get());
  // The functions keep the object alive: they may be called after JavaScript forgot it.
  if (name == "dispose") {
    return jsi::Function::createFromHostFunction(
        rt, property, 0, [self = shared_from_this()](jsi::Runtime&, const jsi::Value&, const jsi::Value*, size_t) {
          self->dispose();
          return jsi::Value::undefined();
        });
  }
  for (const Method& method : kind_.methods) {
    if (name != method.name) continue;
    return jsi::Function::createFromHostFunction(
        rt, property, method.arguments,
        [self = shared_from_this(), function = method.call](jsi::Runtime& runtime, const jsi::Value&,
                                                            const jsi::Value* arguments, size_t count) {
          return function({runtime, arguments, count}, self->open(runtime).get());
        });
  }
  return jsi::Value::undefined();
}

std::vector<jsi::PropNameID> NativeObject::getPropertyNames(jsi::Runtime& rt) {
  std::vector<jsi::PropNameID> names;
  for (const char* name : {"info", "dispose"}) names.push_back(jsi::PropNameID::forAscii(rt, name));
  for (const Method& method : kind_.methods) names.push_back(jsi::PropNameID::forAscii(rt, method.name));
  return names;
}

std::shared_ptr<void> NativeObject::open(jsi::Runtime& rt) const {
  std::shared_ptr<void> handle;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    handle = handle_;
  }
  if (handle == nullptr) refuse(rt, "this " + std::string(kind_.name) + " is disposed; create another one");
  return handle;
}

void NativeObject::dispose() {
  std::shared_ptr<void> last;
  const std::lock_guard<std::mutex> lock(mutex_);
  last.swap(handle_);
}

}  // namespace hushbit::react
