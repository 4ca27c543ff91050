// Makes texts private: a mechanism, an epsilon and policies for one bundle.
#include "Objects.h"
#include "Options.h"
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
  const auto info = told<hushbit_bundle_info>(rt, hushbit_bundle_get_info, bundle);
  if (mechanism == info.default_mechanism) return info.default_epsilon;
  if (mechanism == HUSHBIT_BRR && info.default_epsilon_brr > 0) return info.default_epsilon_brr;
  if (mechanism == HUSHBIT_TEM && info.default_epsilon_tem > 0) return info.default_epsilon_tem;
  refuse(rt, "the bundle has no epsilon for this mechanism; give one");
}

jsi::Value privatize(const Call& call, hushbit_privatizer* privatizer) {
  const SecretText text(call.text(0, "the text"));
  const Result result(call.rt);
  hushbit_error error = {};
  const hushbit_status status = hushbit_privatize(privatizer, text.data(), text.size(), result.get(), &error);
  if (status == HUSHBIT_UNKNOWN_WORD) {  // with the place of the token in UTF-16 units
    const double place = units_before({text.data(), text.size()}, error.position);
    const std::string at = std::to_string(static_cast<uint64_t>(place));
    fail(call.rt, status,
         "the token at " + at + " is not in the vocabulary, and the policy is error; nothing was released", place);
  }
  if (status != HUSHBIT_OK) fail(call.rt, status, error.message, static_cast<double>(error.position));
  return to_privatized_text(call.rt, result.get());
}

jsi::Value crowd(const Call& call, hushbit_privatizer* privatizer) {
  const uint32_t word = call.integer(0, "the word id", UINT32_MAX);
  uint32_t count = 0;
  check(call.rt, hushbit_privatizer_crowd, privatizer, word, nullptr, 0u, &count);
  std::vector<hushbit_crowd_member> members(count);
  check(call.rt, hushbit_privatizer_crowd, privatizer, word, members.data(), count, &count);
  jsi::Array array(call.rt, count);
  for (uint32_t i = 0; i < count; ++i) {
    const hushbit_crowd_member& member = members[i];
    array.setValueAtIndex(
        call.rt, i,
        to_object(call.rt, {{"word_id", member.word}, HUSHBIT_FIELD(member, share), HUSHBIT_FIELD(member, weight)}));
  }
  return array;
}

jsi::Value info(const Call& call, hushbit_privatizer* privatizer) {
  const auto info = told<hushbit_privatizer_info>(call.rt, hushbit_privatizer_get_info, privatizer);
  return to_object(
      call.rt,
      {HUSHBIT_NAME(info, mechanism, kMechanisms), HUSHBIT_FIELD(info, requested_epsilon),
       HUSHBIT_FIELD(info, effective_epsilon), HUSHBIT_NAME(info, epsilon_unit, kUnits),
       HUSHBIT_FIELD(info, average_per_token), HUSHBIT_FIELD(info, worst_case_per_token), HUSHBIT_FIELD(info, clamped),
       HUSHBIT_FIELD(info, memoized), HUSHBIT_BITS64(info, flip_threshold), HUSHBIT_FIELD(info, flip_probability),
       HUSHBIT_FIELD(info, gamma), HUSHBIT_NAME(info, crowd_size, kCrowdSizes), HUSHBIT_FIELD(info, crowd_probability),
       HUSHBIT_BITS64(info, crowd_threshold), HUSHBIT_FIELD(info, crowd_mass), HUSHBIT_FIELD(info, output_mass),
       HUSHBIT_FIELD(info, mean_crowd), HUSHBIT_FIELD(info, output_words), HUSHBIT_FIELD(info, public_words)});
}

constexpr Method kMethods[] = {{"privatize", 1, untyped<privatize>}, {"crowd", 1, untyped<crowd>}};
constexpr Kind kPrivatizer = {"privatizer", untyped<info>, kMethods};

}  // namespace

jsi::Value make_privatizer(const Call& call, hushbit_bundle* bundle) {
  hushbit_privatizer_options options = sized<hushbit_privatizer_options>();
  check(call.rt, hushbit_privatizer_options_init, bundle, &options);
  Options given(call.rt, call.argument(0));
  given.read("mechanism", kMechanisms, &options.mechanism);
  if (!given.read("epsilon", &options.epsilon)) {
    options.epsilon = default_epsilon(call.rt, bundle, options.mechanism);
  }
  given.read("crowdSize", kCrowdSizes, &options.crowd_size);
  given.read("beta", &options.beta);
  given.read("oov", kOov, &options.oov);
  given.text("mask", &options.mask, &options.mask_bytes);
  given.flag("allowUnchanged", &options.allow_unchanged);
  given.shared(&options);
  given.refuse_others();
  hushbit_privatizer* privatizer = nullptr;
  check(call.rt, hushbit_privatizer_create, bundle, &options, &privatizer);
  return made(call.rt, kPrivatizer, privatizer, hushbit_privatizer_destroy);
}

}  // namespace hushbit::react
