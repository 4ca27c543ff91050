// Makes texts private: a mechanism, an epsilon and policies for one bundle.
#pragma once

#include <memory>

#include "Handle.h"

namespace hushbit::react {

class PrivatizerObject final : public HandleObject {
 public:
  // Refuses options that are unknown or out of range. The bundle stays alive until the privatizer is disposed, too.
  static std::shared_ptr<PrivatizerObject> create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                  const jsi::Value& options);

  explicit PrivatizerObject(hushbit_privatizer* privatizer) : privatizer_(privatizer) {}

  std::shared_ptr<hushbit_privatizer> handle(jsi::Runtime& rt) const { return privatizer_.open(rt, "privatizer"); }
  void dispose() { privatizer_.dispose(); }

 protected:
  std::span<const Method> methods() const override;
  jsi::Value info(jsi::Runtime& rt) override;

 private:
  Owned<hushbit_privatizer, hushbit_privatizer_destroy> privatizer_;
};

}  // namespace hushbit::react
