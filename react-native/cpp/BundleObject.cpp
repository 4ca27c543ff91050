#include "BundleObject.h"

#include "EmbedderObject.h"
#include "PrivatizerObject.h"
#include "ReporterObject.h"
#include "Result.h"

namespace hushbit::react {

namespace {

BundleObject& self_of(HandleObject& self) { return static_cast<BundleObject&>(self); }

hushbit_bundle_info info_of(jsi::Runtime& rt, const hushbit_bundle* bundle) {
  hushbit_bundle_info info = sized<hushbit_bundle_info>();
  hushbit_error error = {};
  check(rt, hushbit_bundle_get_info(bundle, &info, &error), error);
  return info;
}

std::string unicode_version(uint32_t packed) {
  return std::to_string(packed >> 16) + "." + std::to_string(packed >> 8 & 0xff) + "." + std::to_string(packed & 0xff);
}

// A new object of JavaScript for the bundle, with the options of the first argument.
template <typename Object>
jsi::Value create(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_bundle> bundle = self_of(self).handle(rt);
  const jsi::Value none;
  return jsi::Object::createFromHostObject(rt, Object::create(rt, bundle.get(), count < 1 ? none : arguments[0]));
}

jsi::Value tokenize(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_bundle> bundle = self_of(self).handle(rt);
  const Typed text(text_argument(rt, arguments, count, "the text"));
  const Result result(rt);
  hushbit_error error = {};
  check(rt, hushbit_tokenize(bundle.get(), text.data(), text.size(), result, &error), error);
  return to_tokens(rt, result);
}

jsi::Value find(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_bundle> bundle = self_of(self).handle(rt);
  const Typed word(text_argument(rt, arguments, count, "the word"));
  uint32_t id = 0;
  hushbit_error error = {};
  const hushbit_status status = hushbit_bundle_find(bundle.get(), word.data(), word.size(), &id, &error);
  if (status == HUSHBIT_UNKNOWN_WORD) return jsi::Value::null();
  check(rt, status, error);
  return static_cast<double>(id);
}

jsi::Value word(jsi::Runtime& rt, HandleObject& self, const jsi::Value* arguments, size_t count) {
  const std::shared_ptr<hushbit_bundle> bundle = self_of(self).handle(rt);
  const hushbit_bundle_info info = info_of(rt, bundle.get());
  const uint32_t id = integer_argument(rt, arguments, count, "the word id", info.words - 1);
  std::string spelling(info.max_word_bytes, '\0');
  size_t bytes = 0;
  hushbit_error error = {};
  check(rt, hushbit_bundle_word(bundle.get(), id, spelling.data(), spelling.size(), &bytes, &error), error);
  return to_string(rt, std::string_view(spelling).substr(0, bytes));
}

jsi::Value verify(jsi::Runtime& rt, HandleObject& self, const jsi::Value*, size_t) {
  const std::shared_ptr<hushbit_bundle> bundle = self_of(self).handle(rt);
  hushbit_error error = {};
  check(rt, hushbit_bundle_verify(bundle.get(), &error), error);
  return jsi::Value::undefined();
}

jsi::Value dispose(jsi::Runtime&, HandleObject& self, const jsi::Value*, size_t) {
  self_of(self).dispose();
  return jsi::Value::undefined();
}

constexpr Method kMethods[] = {
    {"privatizer", 1, create<PrivatizerObject>},
    {"embedder", 1, create<EmbedderObject>},
    {"reporter", 1, create<ReporterObject>},
    {"tokenize", 1, tokenize},
    {"find", 1, find},
    {"word", 1, word},
    {"verify", 0, verify},
    {"dispose", 0, dispose},
};

}  // namespace

std::shared_ptr<BundleObject> BundleObject::open(jsi::Runtime& rt, const std::string& path) {
  if (path.find('\0') != std::string::npos) refuse(rt, "the path contains U+0000");
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  check(rt, hushbit_bundle_open(path.c_str(), &bundle, &error), error);
  return std::make_shared<BundleObject>(bundle);
}

std::span<const Method> BundleObject::methods() const { return kMethods; }

jsi::Value BundleObject::info(jsi::Runtime& rt) {
  const std::shared_ptr<hushbit_bundle> bundle = handle(rt);
  const hushbit_bundle_info info = info_of(rt, bundle.get());
  jsi::Object object(rt);
  object.setProperty(rt, "formatVersion",
                     to_string(rt, std::to_string(info.format_major) + "." + std::to_string(info.format_minor)));
  object.setProperty(rt, "bits", static_cast<double>(info.bits));
  object.setProperty(rt, "words", static_cast<double>(info.words));
  object.setProperty(rt, "outputWords", static_cast<double>(info.output_words));
  object.setProperty(rt, "publicWords", static_cast<double>(info.public_words));
  object.setProperty(rt, "maxWordBytes", static_cast<double>(info.max_word_bytes));
  object.setProperty(rt, "maxDistance", static_cast<double>(info.max_distance));
  object.setProperty(rt, "averageDistance", info.average_distance);
  object.setProperty(rt, "defaultMechanism", name_of(rt, kMechanisms, info.default_mechanism));
  object.setProperty(rt, "defaultEpsilon", info.default_epsilon);
  object.setProperty(rt, "defaultEpsilonUnit", name_of(rt, kUnits, info.default_epsilon_unit));
  object.setProperty(rt, "defaultEpsilonBrr", info.default_epsilon_brr);
  object.setProperty(rt, "defaultEpsilonTem", info.default_epsilon_tem);
  object.setProperty(rt, "defaultCrowdSize", name_of(rt, kCrowdSizes, info.default_crowd_size));
  object.setProperty(rt, "unicodeVersion", to_string(rt, unicode_version(info.unicode_version)));
  object.setProperty(rt, "fileBytes", static_cast<double>(info.file_bytes));
  object.setProperty(rt, "hash", hexadecimal(rt, info.hash, sizeof(info.hash)));
  return object;
}

}  // namespace hushbit::react
