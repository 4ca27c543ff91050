// What a whole text is about, released as one public direction.
#pragma once

#include <memory>

#include "Handle.h"

namespace hushbit::react {

class EmbedderObject final : public HandleObject {
 public:
  // Refuses options that are unknown or out of range. The bundle stays alive until the embedder is disposed, too.
  static std::shared_ptr<EmbedderObject> create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                const jsi::Value& options);

  explicit EmbedderObject(hushbit_embedder* embedder) : embedder_(embedder) {}

  std::shared_ptr<hushbit_embedder> handle(jsi::Runtime& rt) const { return embedder_.open(rt, "embedder"); }
  void dispose() { embedder_.dispose(); }

 protected:
  std::span<const Method> methods() const override;
  jsi::Value info(jsi::Runtime& rt) override;

 private:
  Owned<hushbit_embedder, hushbit_embedder_destroy> embedder_;
};

}  // namespace hushbit::react
