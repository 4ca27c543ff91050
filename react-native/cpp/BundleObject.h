// An open bundle.
#pragma once

#include <memory>
#include <string>

#include "Handle.h"

namespace hushbit::react {

class BundleObject final : public HandleObject {
 public:
  // Maps the file at `path`, which must stay as it is until nothing uses the bundle.
  static std::shared_ptr<BundleObject> open(jsi::Runtime& rt, const std::string& path);

  explicit BundleObject(hushbit_bundle* bundle) : bundle_(bundle) {}

  std::shared_ptr<hushbit_bundle> handle(jsi::Runtime& rt) const { return bundle_.open(rt, "bundle"); }
  void dispose() { bundle_.dispose(); }

 protected:
  std::span<const Method> methods() const override;
  jsi::Value info(jsi::Runtime& rt) override;

 private:
  Owned<hushbit_bundle, hushbit_bundle_close> bundle_;
};

}  // namespace hushbit::react
