#include "HushbitModule.h"

#include <utility>

#include "BundleObject.h"
#include "Values.h"

namespace hushbit::react {

namespace {

jsi::Value open_bundle(jsi::Runtime& rt, facebook::react::TurboModule&, const jsi::Value* arguments, size_t count) {
  return jsi::Object::createFromHostObject(rt, BundleObject::open(rt, text_argument(rt, arguments, count, "the path")));
}

}  // namespace

HushbitModule::HushbitModule(std::shared_ptr<facebook::react::CallInvoker> invoker)
    : TurboModule(kModuleName, std::move(invoker)) {
  methodMap_["openBundle"] = {.argCount = 1, .invoker = open_bundle};
}

}  // namespace hushbit::react
