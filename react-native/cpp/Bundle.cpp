// An open bundle.
#include "Objects.h"
#include "Result.h"

namespace hushbit::react {

namespace {

hushbit_bundle_info info_of(jsi::Runtime& rt, const hushbit_bundle* bundle) {
  return told<hushbit_bundle_info>(rt, hushbit_bundle_get_info, bundle);
}

jsi::Value info(const Call& call, hushbit_bundle* bundle) {
  const hushbit_bundle_info info = info_of(call.rt, bundle);
  const auto version = [](std::initializer_list<uint32_t> parts) {
    std::string text;
    for (const uint32_t part : parts) text += (text.empty() ? "" : ".") + std::to_string(part);
    return text;
  };
  const uint32_t unicode = info.unicode_version;
  jsi::Object object =
      to_object(call.rt, {HUSHBIT_FIELD(info, bits), HUSHBIT_FIELD(info, words), HUSHBIT_FIELD(info, output_words),
                          HUSHBIT_FIELD(info, public_words), HUSHBIT_FIELD(info, max_word_bytes),
                          HUSHBIT_FIELD(info, max_distance), HUSHBIT_FIELD(info, average_distance),
                          HUSHBIT_NAME(info, default_mechanism, kMechanisms), HUSHBIT_FIELD(info, default_epsilon),
                          HUSHBIT_NAME(info, default_epsilon_unit, kUnits), HUSHBIT_FIELD(info, default_epsilon_brr),
                          HUSHBIT_FIELD(info, default_epsilon_tem), HUSHBIT_NAME(info, default_crowd_size, kCrowdSizes),
                          HUSHBIT_FIELD(info, file_bytes), HUSHBIT_FIELD(info, hash)});
  object.setProperty(call.rt, "formatVersion", to_string(call.rt, version({info.format_major, info.format_minor})));
  object.setProperty(call.rt, "unicodeVersion",
                     to_string(call.rt, version({unicode >> 16, unicode >> 8 & 0xff, unicode & 0xff})));
  return object;
}

jsi::Value meta(const Call& call, hushbit_bundle* bundle) {
  size_t length = 0;
  const char* text = hushbit_bundle_meta(bundle, &length);
  return to_string(call.rt, {text, length});
}

jsi::Value tokenize(const Call& call, hushbit_bundle* bundle) {
  const SecretText text(call.text(0, "the text"));
  const Result result(call.rt);
  check(call.rt, hushbit_tokenize, bundle, text.data(), text.size(), result.get());
  return to_tokens(call.rt, result.get());
}

jsi::Value find(const Call& call, hushbit_bundle* bundle) {
  const SecretText word(call.text(0, "the word"));
  uint32_t id = 0;
  hushbit_error error = {};
  const hushbit_status status = hushbit_bundle_find(bundle, word.data(), word.size(), &id, &error);
  if (status == HUSHBIT_UNKNOWN_WORD) return jsi::Value::null();
  if (status != HUSHBIT_OK) fail(call.rt, status, error.message, static_cast<double>(error.position));
  return static_cast<double>(id);
}

jsi::Value word(const Call& call, hushbit_bundle* bundle) {
  const hushbit_bundle_info info = info_of(call.rt, bundle);
  const uint32_t id = call.integer(0, "the word id", info.words - 1);
  std::string spelling(info.max_word_bytes, '\0');
  size_t bytes = 0;
  check(call.rt, hushbit_bundle_word, bundle, id, spelling.data(), spelling.size(), &bytes);
  return to_string(call.rt, std::string_view(spelling).substr(0, bytes));
}

jsi::Value verify(const Call& call, hushbit_bundle* bundle) {
  check(call.rt, hushbit_bundle_verify, bundle);
  return jsi::Value::undefined();
}

constexpr Method kMethods[] = {{"privatizer", 1, untyped<make_privatizer>},
                               {"embedder", 1, untyped<make_embedder>},
                               {"reporter", 1, untyped<make_reporter>},
                               {"meta", 0, untyped<meta>},
                               {"tokenize", 1, untyped<tokenize>},
                               {"find", 1, untyped<find>},
                               {"word", 1, untyped<word>},
                               {"verify", 0, untyped<verify>}};
constexpr Kind kBundle = {"bundle", untyped<info>, kMethods};

}  // namespace

// The file must stay as it is until nothing uses the bundle.
jsi::Value open_bundle(const Call& call) {
  hushbit_bundle* bundle = nullptr;
  check(call.rt, hushbit_bundle_open, call.path(0).c_str(), &bundle);
  return made(call.rt, kBundle, bundle, hushbit_bundle_close);
}

}  // namespace hushbit::react
