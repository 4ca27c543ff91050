#include "EmbedderObject.h"

#include "Result.h"

namespace hushbit::react {

namespace {

jsi::Value to_embedding(jsi::Runtime& rt, const hushbit_embedding& embedding) {
  jsi::Array direction(rt, embedding.dimensions);
  for (uint32_t i = 0; i < embedding.dimensions; ++i) {
    direction.setValueAtIndex(rt, i, (embedding.signs >> i & 1) != 0 ? 1.0 : -1.0);
  }
  jsi::Object object(rt);
  object.setProperty(rt, "index", static_cast<double>(embedding.index));
  object.setProperty(rt, "direction", direction);
  object.setProperty(rt, "epsilon", embedding.epsilon);
  return object;
}

jsi::Value embed(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_embedder> embedder = static_cast<EmbedderObject&>(self).handle(rt);
  const Typed text(text_argument(rt, arguments, count, "the text"));
  const Result scratch(rt);
  hushbit_embedding embedding = sized<hushbit_embedding>();
  hushbit_error error = {};
  check(rt, hushbit_embed(embedder.get(), text.data(), text.size(), scratch, &embedding, &error), error);
  return to_embedding(rt, embedding);
}

jsi::Value dispose(jsi::Runtime&, HandleObject& self, const jsi::Value*, size_t) {
  static_cast<EmbedderObject&>(self).dispose();
  return jsi::Value::undefined();
}

constexpr Method kMethods[] = {{"embed", 1, embed}, {"dispose", 0, dispose}};

}  // namespace

std::shared_ptr<EmbedderObject> EmbedderObject::create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                       const jsi::Value& argument) {
  hushbit_error error = {};
  hushbit_embedder_options options = sized<hushbit_embedder_options>();
  check(rt, hushbit_embedder_options_init(&options, &error), error);
  const Options given(rt, argument, {"epsilon", "punctuation", "deviceKey", "epoch"});
  given.read("epsilon", &options.epsilon);
  given.read("punctuation", kPunctuation, &options.punctuation);
  options.epoch = given.epoch();
  options.device_key = given.device_key();
  hushbit_embedder* embedder = nullptr;
  check(rt, hushbit_embedder_create(bundle, &options, &embedder, &error), error);
  return std::make_shared<EmbedderObject>(embedder);
}

std::span<const Method> EmbedderObject::methods() const { return kMethods; }

jsi::Value EmbedderObject::info(jsi::Runtime& rt) {
  const std::shared_ptr<hushbit_embedder> embedder = handle(rt);
  hushbit_embedder_info info = sized<hushbit_embedder_info>();
  hushbit_error error = {};
  check(rt, hushbit_embedder_get_info(embedder.get(), &info, &error), error);
  jsi::Object object(rt);
  object.setProperty(rt, "requestedEpsilon", info.requested_epsilon);
  object.setProperty(rt, "effectiveEpsilon", info.effective_epsilon);
  object.setProperty(rt, "clamped", info.clamped != 0);
  object.setProperty(rt, "memoized", info.memoized != 0);
  object.setProperty(rt, "dimensions", static_cast<double>(info.dimensions));
  object.setProperty(rt, "directions", static_cast<double>(info.directions));
  object.setProperty(rt, "crowdDirections", static_cast<double>(info.crowd_directions));
  object.setProperty(rt, "crowdThreshold", to_bigint(rt, info.crowd_threshold));
  object.setProperty(rt, "crowdProbability", info.crowd_probability);
  object.setProperty(rt, "seed", to_bigint(rt, info.seed));
  object.setProperty(rt, "hash", hexadecimal(rt, info.hash, sizeof(info.hash)));
  return object;
}

}  // namespace hushbit::react
