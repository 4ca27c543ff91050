// What JavaScript holds of the core: an object with functions and a handle, which is freed by `dispose` or by the
// garbage collector, whichever comes first.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "Values.h"

namespace hushbit::react {

using Function = jsi::Value (*)(const Call& call, void* handle);

struct Method {
  const char* name;
  unsigned arguments;
  Function call;
};

// A kind of object, such as bundles: the property `info`, if it has one, and its functions beside `dispose`.
struct Kind {
  const char* name;
  Function info;
  std::span<const Method> methods;
};

// A function whose handle has a type, for these tables.
template <typename Handle>
Handle* handle_of(jsi::Value (*)(const Call&, Handle*));
template <auto Typed>
jsi::Value untyped(const Call& call, void* handle) {
  return Typed(call, static_cast<decltype(handle_of(Typed))>(handle));
}

class NativeObject final : public jsi::HostObject, public std::enable_shared_from_this<NativeObject> {
 public:
  NativeObject(const Kind& kind, std::shared_ptr<void> handle) : kind_(kind), handle_(std::move(handle)) {}

  jsi::Value get(jsi::Runtime& rt, const jsi::PropNameID& property) override;
  std::vector<jsi::PropNameID> getPropertyNames(jsi::Runtime& rt) override;

  bool is(const Kind& kind) const { return &kind_ == &kind; }

  // Throws INVALID_ARGUMENT if it is disposed. Every call holds this reference, so that the handle is closed only after
  // the last call that uses it, on whatever thread JavaScript lets go of it.
  std::shared_ptr<void> open(jsi::Runtime& rt) const;
  void dispose();

 private:
  const Kind& kind_;
  mutable std::mutex mutex_;
  std::shared_ptr<void> handle_;
};

// An object of JavaScript that owns a new handle.
template <typename Handle>
jsi::Value made(jsi::Runtime& rt, const Kind& kind, Handle* handle, void (*close)(Handle*)) {
  std::shared_ptr<void> owned(handle, [close](void* it) { close(static_cast<Handle*>(it)); });
  return jsi::Object::createFromHostObject(rt, std::make_shared<NativeObject>(kind, std::move(owned)));
}

}  // namespace hushbit::react
