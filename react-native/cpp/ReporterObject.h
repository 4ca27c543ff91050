// Reports about one value of a whole text: a word, an emoji, an answer, a new word.
#pragma once

#include <memory>

#include "Handle.h"

namespace hushbit::react {

class ReporterObject final : public HandleObject {
 public:
  // Refuses options that are unknown or out of range. The bundle stays alive until the reporter is disposed, too.
  static std::shared_ptr<ReporterObject> create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                const jsi::Value& options);

  explicit ReporterObject(hushbit_reporter* reporter) : reporter_(reporter) {}

  std::shared_ptr<hushbit_reporter> handle(jsi::Runtime& rt) const { return reporter_.open(rt, "reporter"); }
  void dispose() { reporter_.dispose(); }

 protected:
  std::span<const Method> methods() const override;
  jsi::Value info(jsi::Runtime& rt) override;

 private:
  Owned<hushbit_reporter, hushbit_reporter_destroy> reporter_;
};

}  // namespace hushbit::react
