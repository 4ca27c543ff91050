#include "ReporterObject.h"

#include "Result.h"

namespace hushbit::react {

namespace {

constexpr Names kValues = {
    {"words", HUSHBIT_VALUES_WORDS}, {"emoji", HUSHBIT_VALUES_EMOJI}, {"new-words", HUSHBIT_VALUES_NEW_WORDS}};

hushbit_reporter_info info_of(jsi::Runtime& rt, const hushbit_reporter* reporter) {
  hushbit_reporter_info info = sized<hushbit_reporter_info>();
  hushbit_error error = {};
  check(rt, hushbit_reporter_get_info(reporter, &info, &error), error);
  return info;
}

jsi::Value to_report(jsi::Runtime& rt, const hushbit_report& report) {
  jsi::Object object(rt);
  object.setProperty(rt, "report", static_cast<double>(report.report));  // below 2^53
  object.setProperty(rt, "values", hexadecimal(rt, report.values, sizeof(report.values)));
  object.setProperty(rt, "epsilon", report.epsilon);
  object.setProperty(rt, "version", 1.0);
  return object;
}

using Release = hushbit_status (*)(const hushbit_reporter*, const char*, size_t, hushbit_report*, hushbit_error*);

template <Release Draw>
jsi::Value release(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_reporter> reporter = static_cast<ReporterObject&>(self).handle(rt);
  const Typed text(text_argument(rt, arguments, count, "the text"));
  hushbit_report report = sized<hushbit_report>();
  hushbit_error error = {};
  check(rt, Draw(reporter.get(), text.data(), text.size(), &report, &error), error);
  return to_report(rt, report);
}

jsi::Value report_value(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_reporter> reporter = static_cast<ReporterObject&>(self).handle(rt);
  const uint32_t last = info_of(rt, reporter.get()).value_count - 1;
  const uint32_t value = integer_argument(rt, arguments, count, "the value", last);
  hushbit_report report = sized<hushbit_report>();
  hushbit_error error = {};
  check(rt, hushbit_report_value(reporter.get(), value, &report, &error), error);
  return to_report(rt, report);
}

jsi::Value spelling(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_reporter> reporter = static_cast<ReporterObject&>(self).handle(rt);
  const hushbit_reporter_info info = info_of(rt, reporter.get());
  const uint32_t value = integer_argument(rt, arguments, count, "the value", info.value_count - 1);
  std::string text(info.max_value_bytes, '\0');
  size_t bytes = 0;
  hushbit_error error = {};
  check(rt, hushbit_reporter_value(reporter.get(), value, text.data(), text.size(), &bytes, &error), error);
  return to_string(rt, std::string_view(text).substr(0, bytes));
}

jsi::Value dispose(jsi::Runtime&, HandleObject& self, const jsi::Value*, size_t) {
  static_cast<ReporterObject&>(self).dispose();
  return jsi::Value::undefined();
}

constexpr Method kMethods[] = {{"report", 1, release<hushbit_report_text>},
                               {"reportValue", 1, report_value},
                               {"reportWord", 1, release<hushbit_report_word>},
                               {"value", 1, spelling},
                               {"dispose", 0, dispose}};

}  // namespace

std::shared_ptr<ReporterObject> ReporterObject::create(jsi::Runtime& rt, const hushbit_bundle* bundle,
                                                       const jsi::Value& argument) {
  hushbit_error error = {};
  hushbit_reporter_options options = sized<hushbit_reporter_options>();
  check(rt, hushbit_reporter_options_init(&options, &error), error);
  const Options given(rt, argument,
                      {"values", "epsilon", "punctuation", "skinTones", "none", "passOver", "deviceKey", "epoch"});
  const std::optional<std::string> list = given.lines("values");
  if (list) {
    options.values = HUSHBIT_VALUES_LIST;
    options.list = list->data();
    options.list_bytes = list->size();
  } else {
    given.read("values", kValues, &options.values);
  }
  const std::optional<std::string> pass_over = given.lines("passOver");
  if (pass_over) {
    options.pass_over = pass_over->data();
    options.pass_over_bytes = pass_over->size();
  } else if (given.has("passOver")) {
    refuse(rt, "passOver must be an array of strings");
  }
  given.read("epsilon", &options.epsilon);
  given.read("punctuation", kPunctuation, &options.punctuation);
  if (given.has("skinTones")) options.skin_tones = given.flag("skinTones") ? 1 : 0;
  if (given.has("none")) options.none = given.flag("none") ? 1 : 0;
  options.epoch = given.epoch();
  options.device_key = given.device_key();
  hushbit_reporter* reporter = nullptr;
  check(rt, hushbit_reporter_create(bundle, &options, &reporter, &error), error);
  return std::make_shared<ReporterObject>(reporter);
}

std::span<const Method> ReporterObject::methods() const { return kMethods; }

jsi::Value ReporterObject::info(jsi::Runtime& rt) {
  const std::shared_ptr<hushbit_reporter> reporter = handle(rt);
  const hushbit_reporter_info info = info_of(rt, reporter.get());
  jsi::Object object(rt);
  object.setProperty(rt, "requestedEpsilon", info.requested_epsilon);
  object.setProperty(rt, "effectiveEpsilon", info.effective_epsilon);
  object.setProperty(rt, "memoized", info.memoized != 0);
  object.setProperty(rt, "valueCount", static_cast<double>(info.value_count));
  object.setProperty(rt, "hasNone", info.has_none != 0);
  object.setProperty(rt, "reports", static_cast<double>(info.reports));
  object.setProperty(rt, "threshold", to_bigint(rt, info.threshold));
  object.setProperty(rt, "probability", info.probability);
  object.setProperty(rt, "hash", hexadecimal(rt, info.hash, sizeof(info.hash)));
  return object;
}

}  // namespace hushbit::react
