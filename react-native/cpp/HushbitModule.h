// The Turbo Module `Hushbit`: Hushbit's core for JavaScript in React Native.
#pragma once

#include <ReactCommon/TurboModule.h>

#include <memory>

namespace hushbit::react {

// Its functions are those of Objects.h: openBundle, openProjection, openBudget, resetBudget. Every failure is an Error
// of JavaScript with a `status`. Like all of JSI it is used on the thread of its runtime alone; what it opens may be
// freed on any thread.
class HushbitModule : public facebook::react::TurboModule {
 public:
  static constexpr const char* kModuleName = "Hushbit";

  explicit HushbitModule(std::shared_ptr<facebook::react::CallInvoker> invoker);
};

}  // namespace hushbit::react

namespace facebook::react {
using HushbitModule = hushbit::react::HushbitModule;  // where React Native's autolinking looks
}  // namespace facebook::react
