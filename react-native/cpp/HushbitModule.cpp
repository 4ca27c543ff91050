#include "HushbitModule.h"

#include <utility>

#include "Objects.h"

namespace hushbit::react {

namespace {

template <jsi::Value (*Function)(const Call&)>
jsi::Value invoke(jsi::Runtime& rt, facebook::react::TurboModule&, const jsi::Value* arguments, size_t count) {
  return Function({rt, arguments, count});
}

}  // namespace

HushbitModule::HushbitModule(std::shared_ptr<facebook::react::CallInvoker> invoker)
    : TurboModule(kModuleName, std::move(invoker)) {
  methodMap_ = {{"openBundle", {.argCount = 1, .invoker = invoke<open_bundle>}},
                {"openProjection", {.argCount = 2, .invoker = invoke<open_projection>}},
                {"openBudget", {.argCount = 2, .invoker = invoke<open_budget>}},
                {"resetBudget", {.argCount = 1, .invoker = invoke<reset_budget>}}};
}

}  // namespace hushbit::react
