// Reports about one value of a whole text: a word, an emoji, an answer, a new word.
#include "Objects.h"
#include "Options.h"

namespace hushbit::react {

namespace {

constexpr Names kValues = {
    {"words", HUSHBIT_VALUES_WORDS}, {"emoji", HUSHBIT_VALUES_EMOJI}, {"new-words", HUSHBIT_VALUES_NEW_WORDS}};

hushbit_reporter_info info_of(jsi::Runtime& rt, const hushbit_reporter* reporter) {
  return told<hushbit_reporter_info>(rt, hushbit_reporter_get_info, reporter);
}

jsi::Value to_report(jsi::Runtime& rt, const hushbit_report& report) {  // its number is below 2^53
  return to_object(
      rt,
      {HUSHBIT_FIELD(report, report), HUSHBIT_FIELD(report, values), HUSHBIT_FIELD(report, epsilon), {"version", 1u}});
}

using Release = hushbit_status (*)(const hushbit_reporter*, const char*, size_t, hushbit_report*, hushbit_error*);

template <Release Draw>
jsi::Value release(const Call& call, hushbit_reporter* reporter) {
  const SecretText text(call.text(0, "the text"));
  hushbit_report report = sized<hushbit_report>();
  check(call.rt, Draw, reporter, text.data(), text.size(), &report);
  return to_report(call.rt, report);
}

jsi::Value report_value(const Call& call, hushbit_reporter* reporter) {
  const uint32_t value = call.integer(0, "the value", info_of(call.rt, reporter).value_count - 1);
  hushbit_report report = sized<hushbit_report>();
  check(call.rt, hushbit_report_value, reporter, value, &report);
  return to_report(call.rt, report);
}

jsi::Value spelling(const Call& call, hushbit_reporter* reporter) {
  const hushbit_reporter_info info = info_of(call.rt, reporter);
  const uint32_t value = call.integer(0, "the value", info.value_count - 1);
  std::string text(info.max_value_bytes, '\0');
  size_t bytes = 0;
  check(call.rt, hushbit_reporter_value, reporter, value, text.data(), text.size(), &bytes);
  return to_string(call.rt, std::string_view(text).substr(0, bytes));
}

jsi::Value info(const Call& call, hushbit_reporter* reporter) {
  const hushbit_reporter_info info = info_of(call.rt, reporter);
  return to_object(
      call.rt,
      {HUSHBIT_FIELD(info, requested_epsilon), HUSHBIT_FIELD(info, effective_epsilon), HUSHBIT_FIELD(info, memoized),
       HUSHBIT_FIELD(info, value_count), HUSHBIT_FIELD(info, has_none), HUSHBIT_FIELD(info, reports),
       HUSHBIT_BITS64(info, threshold), HUSHBIT_FIELD(info, probability), HUSHBIT_FIELD(info, hash)});
}

constexpr Method kMethods[] = {{"report", 1, untyped<release<hushbit_report_text>>},
                               {"reportValue", 1, untyped<report_value>},
                               {"reportWord", 1, untyped<release<hushbit_report_word>>},
                               {"value", 1, untyped<spelling>}};
constexpr Kind kReporter = {"reporter", untyped<info>, kMethods};

}  // namespace

jsi::Value make_reporter(const Call& call, hushbit_bundle* bundle) {
  hushbit_reporter_options options = sized<hushbit_reporter_options>();
  check(call.rt, hushbit_reporter_options_init, &options);
  Options given(call.rt, call.argument(0));
  if (given.lines("values", &options.list, &options.list_bytes, false)) {
    options.values = HUSHBIT_VALUES_LIST;
  } else {
    given.read("values", kValues, &options.values);
  }
  given.lines("passOver", &options.pass_over, &options.pass_over_bytes, true);
  given.read("epsilon", &options.epsilon);
  given.flag("skinTones", &options.skin_tones);
  given.flag("none", &options.none);
  given.shared(&options);
  given.refuse_others();
  hushbit_reporter* reporter = nullptr;
  check(call.rt, hushbit_reporter_create, bundle, &options, &reporter);
  return made(call.rt, kReporter, reporter, hushbit_reporter_destroy);
}

}  // namespace hushbit::react
