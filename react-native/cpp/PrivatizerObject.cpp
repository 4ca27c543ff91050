#include "PrivatizerObject.h"

#include "Result.h"

namespace hushbit::react {

namespace {

constexpr Names kOov = {{"random", HUSHBIT_OOV_RANDOM},
                        {"drop", HUSHBIT_OOV_DROP},
                        {"mask", HUSHBIT_OOV_MASK},
                        {"error", HUSHBIT_OOV_ERROR},
                        {"verbatim-unsafe", HUSHBIT_OOV_VERBATIM_UNSAFE}};

// The epsilon of a bundle is meant for its default mechanism; for others it may have one of their own.
double default_epsilon(jsi::Runtime& rt, const hushbit_bundle* bundle, uint32_t mechanism) {
  hushbit_bundle_info info = sized<hushbit_bundle_info>();
  hushbit_error error = {};
  check(rt, hushbit_bundle_get_info(bundle, &info, &error), error);
  if (mechanism == info.default_mechanism) return info.default_epsilon;
  if (mechanism == HUSHBIT_BRR && info.default_epsilon_brr > 0) return info.default_epsilon_brr;
  if (mechanism == HUSHBIT_TEM && info.default_epsilon_tem > 0) return info.default_epsilon_tem;
  refuse(rt, "the bundle has no epsilon for this mechanism; give one");
}

// UNKNOWN_WORD with the place of the token in UTF-16 units, in place of its byte.
[[noreturn]] void fail_at_token(jsi::Runtime& rt, const Typed& text, uint64_t byte) {
  const double place = units_before(text.view(), byte);
  fail(rt, HUSHBIT_UNKNOWN_WORD,
       "the token at " + std::to_string(static_cast<uint64_t>(place)) +
           " is not in the vocabulary, and the policy is error; nothing was released",
       place);
}

jsi::Value privatize(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_privatizer> privatizer = static_cast<PrivatizerObject&>(self).handle(rt);
  const Typed text(text_argument(rt, arguments, count, "the text"));
  const Result result(rt);
  hushbit_error error = {};
  const hushbit_status status = hushbit_privatize(privatizer.get(), text.data(), text.size(), result, &error);
  if (status == HUSHBIT_UNKNOWN_WORD) fail_at_token(rt, text, error.position);
  check(rt, status, error);
  return to_privatized_text(rt, result);
}

jsi::Value dispose(jsi::Runtime&, HandleObject& self, const jsi::Value*, size_t) {
  static_cast<PrivatizerObject&>(self).dispose();
  return jsi::Value::undefined();
}

constexpr Method kMethods[] = {{"privatize", 1, privatize}, {"dispose", 0, dispose}};

}  // namespace

std::shared_ptr<PrivatizerObject> PrivatizerObject::create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                           const jsi::Value& argument) {
  hushbit_error error = {};
  hushbit_privatizer_options options = sized<hushbit_privatizer_options>();
  check(rt, hushbit_privatizer_options_init(bundle, &options, &error), error);
  const Options given(rt, argument,
                      {"mechanism", "epsilon", "crowdSize", "beta", "oov", "punctuation", "mask", "deviceKey", "epoch",
                       "allowUnchanged"});
  given.read("mechanism", kMechanisms, &options.mechanism);
  double epsilon = -1;
  given.read("epsilon", &epsilon);
  options.epsilon = given.has("epsilon") ? epsilon : default_epsilon(rt, bundle, options.mechanism);
  given.read("crowdSize", kCrowdSizes, &options.crowd_size);
  given.read("beta", &options.beta);
  given.read("oov", kOov, &options.oov);
  given.read("punctuation", kPunctuation, &options.punctuation);
  std::string mask(options.mask, options.mask_bytes);
  given.read("mask", &mask);
  options.mask = mask.data();
  options.mask_bytes = mask.size();
  options.allow_unchanged = given.flag("allowUnchanged") ? 1 : 0;
  options.epoch = given.epoch();
  options.device_key = given.device_key();
  hushbit_privatizer* privatizer = nullptr;
  check(rt, hushbit_privatizer_create(bundle, &options, &privatizer, &error), error);
  return std::make_shared<PrivatizerObject>(privatizer);
}

std::span<const Method> PrivatizerObject::methods() const { return kMethods; }

jsi::Value PrivatizerObject::info(jsi::Runtime& rt) {
  const std::shared_ptr<hushbit_privatizer> privatizer = handle(rt);
  hushbit_privatizer_info info = sized<hushbit_privatizer_info>();
  hushbit_error error = {};
  check(rt, hushbit_privatizer_get_info(privatizer.get(), &info, &error), error);
  jsi::Object object(rt);
  object.setProperty(rt, "mechanism", name_of(rt, kMechanisms, info.mechanism));
  object.setProperty(rt, "requestedEpsilon", info.requested_epsilon);
  object.setProperty(rt, "effectiveEpsilon", info.effective_epsilon);
  object.setProperty(rt, "epsilonUnit", name_of(rt, kUnits, info.epsilon_unit));
  object.setProperty(rt, "averagePerToken", info.average_per_token);
  object.setProperty(rt, "worstCasePerToken", info.worst_case_per_token);
  object.setProperty(rt, "clamped", info.clamped != 0);
  object.setProperty(rt, "memoized", info.memoized != 0);
  object.setProperty(rt, "flipThreshold", to_bigint(rt, info.flip_threshold));
  object.setProperty(rt, "flipProbability", info.flip_probability);
  object.setProperty(rt, "gamma", static_cast<double>(info.gamma));
  object.setProperty(rt, "crowdSize", name_of(rt, kCrowdSizes, info.crowd_size));
  object.setProperty(rt, "crowdProbability", info.crowd_probability);
  object.setProperty(rt, "crowdThreshold", to_bigint(rt, info.crowd_threshold));
  object.setProperty(rt, "crowdMass", static_cast<double>(info.crowd_mass));
  object.setProperty(rt, "outputMass", static_cast<double>(info.output_mass));
  object.setProperty(rt, "meanCrowd", info.mean_crowd);
  object.setProperty(rt, "outputWords", static_cast<double>(info.output_words));
  object.setProperty(rt, "publicWords", static_cast<double>(info.public_words));
  return object;
}

}  // namespace hushbit::react
