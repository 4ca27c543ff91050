// What JavaScript holds of the core: an object with functions and a handle, which is freed by `dispose` or by the
// garbage collector, whichever comes first.
#pragma once

#include <hushbit/hushbit.h>
#include <jsi/jsi.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "Values.h"

namespace hushbit::react {

class HandleObject;

// A function of an object of JavaScript.
struct Method {
  const char* name;
  unsigned arguments;
  jsi::Value (*call)(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count);
};

class HandleObject : public jsi::HostObject, public std::enable_shared_from_this<HandleObject> {
 public:
  jsi::Value get(jsi::Runtime& rt, const jsi::PropNameID& property) final {
    const std::string name = property.utf8(rt);
    if (name == "info") return info(rt);
    for (const Method& method : methods()) {
      if (name == method.name) return function(rt, property, method);
    }
    return jsi::Value::undefined();
  }

  std::vector<jsi::PropNameID> getPropertyNames(jsi::Runtime& rt) final {
    std::vector<jsi::PropNameID> names;
    names.push_back(jsi::PropNameID::forAscii(rt, "info"));
    for (const Method& method : methods()) names.push_back(jsi::PropNameID::forAscii(rt, method.name));
    return names;
  }

 protected:
  virtual std::span<const Method> methods() const = 0;
  virtual jsi::Value info(jsi::Runtime& rt) = 0;

 private:
  // The function keeps the object alive: it may be called after JavaScript forgot the object.
  jsi::Value function(jsi::Runtime& rt, const jsi::PropNameID& name, const Method& method) {
    return jsi::Function::createFromHostFunction(
        rt, name, method.arguments,
        [self = shared_from_this(), call = method.call](jsi::Runtime& runtime, const jsi::Value&,
                                                        const jsi::Value* arguments, size_t count) {
          return call(runtime, *self, arguments, count);
        });
  }
};

// A handle of the C interface. Every call holds a reference, so that it is closed only after the last call that uses
// it, on whatever thread JavaScript lets go of it.
template <typename T, void (*Close)(T*)>
class Owned {
 public:
  explicit Owned(T* handle) : handle_(handle, Close) {}

  // Throws INVALID_ARGUMENT if it is disposed.
  std::shared_ptr<T> open(jsi::Runtime& rt, const char* what) const {
    std::shared_ptr<T> handle;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      handle = handle_;
    }
    if (handle == nullptr) refuse(rt, "this " + std::string(what) + " is disposed; create another one");
    return handle;
  }

  void dispose() {
    std::shared_ptr<T> last;
    const std::lock_guard<std::mutex> lock(mutex_);
    last.swap(handle_);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<T> handle_;
};

}  // namespace hushbit::react
