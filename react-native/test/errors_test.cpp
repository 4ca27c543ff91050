// What the module refuses, with which status; that no message holds what was passed in; and who frees what.
#include <string>
#include <thread>
#include <utility>

#include "Module.h"
#include "check.h"
#include "vector_files.h"

using namespace hushbit::testing;

namespace {

constexpr const char* kSecret = "xyzzysecret";

// The status of the error that a call throws, or "" if it throws none. Its message must not hold the secret.
template <typename Call>
std::string status_of(Module& module, Call call) {
  try {
    call();
  } catch (const jsi::JSError& error) {
    const jsi::Object value = error.value().asObject(module.rt);
    CHECK(error.getMessage().find(kSecret) == std::string::npos);
    CHECK(error.getMessage().size() > 10);
    CHECK(module.text(value, "name") == "HushbitError");
    CHECK(value.getProperty(module.rt, "position").isNumber());
    return module.text(value, "status");
  }
  return "";
}

template <typename Value>
jsi::Object option(Module& module, const char* name, Value value) {
  jsi::Object options(module.rt);
  options.setProperty(module.rt, name, std::move(value));
  return options;
}

void check_opening(Module& module) {
  CHECK(status_of(module, [&] { module.open("/no/such/file"); }) == "FILE_NOT_FOUND");
  CHECK(status_of(module, [&] { module.open(kVectors + "README.md"); }) == "CORRUPT_BUNDLE");
  CHECK(status_of(module, [&] { module.open(std::string("a\0b", 3)); }) == "INVALID_ARGUMENT");
}

void check_options(Module& module, const jsi::Object& bundle) {
  const auto refused = [&](const char* maker, const char* name, auto value) {
    const jsi::Object options = option(module, name, std::move(value));
    const std::string status = status_of(module, [&] { module.made(bundle, maker, options); });
    CHECK(status == "INVALID_ARGUMENT");
    if (status != "INVALID_ARGUMENT") std::cerr << "  for " << name << " of a " << maker << '\n';
  };
  for (const char* maker : {"privatizer", "reporter"}) {
    refused(maker, "epsilom", 1.0);
    refused(maker, "epsilon", module.string("1"));
    refused(maker, "epsilon", -1.0);
    refused(maker, "epoch", -1.0);
    refused(maker, "epoch", 0.5);
    refused(maker, "punctuation", module.string("keep"));
    refused(maker, "deviceKey", make_uint8_array(module.rt, std::string(31, 'k')));
    refused(maker, "deviceKey", module.string(std::string(32, 'k')));
  }
  refused("privatizer", "mechanism", module.string("none"));
  refused("privatizer", "mask", 1.0);
  refused("privatizer", "allowUnchanged", 1.0);
  refused("privatizer", "epsilon", 40.0);  // leaves nearly all words as they were
  refused("reporter", "values", module.string("all"));
  refused("reporter", "passOver", module.string("the"));
  jsi::Object outside = make_uint8_array(module.rt, std::string(32, 'k'));
  outside.setProperty(module.rt, "byteOffset", 6.0);
  refused("privatizer", "deviceKey", jsi::Value(module.rt, outside));
  CHECK(status_of(module, [&] { module.call(bundle, "privatizer", 1.0); }) == "INVALID_ARGUMENT");
  // A bundle without an embedding has no embedder.
  CHECK(status_of(module, [&] { module.call(bundle, "embedder"); }) == "INVALID_ARGUMENT");
}

void check_texts(Module& module, const jsi::Object& bundle) {
  const jsi::Object strict = module.made(bundle, "privatizer", option(module, "oov", module.string("error")));
  const std::string text = std::string("the \xf0\x9f\x98\x80 ") + kSecret;  // an emoji of two units before it
  try {
    module.call(strict, "privatize", module.string(std::string("the ") + kSecret));
    CHECK(false);
  } catch (const jsi::JSError& error) {
    CHECK(error.getMessage().find(kSecret) == std::string::npos);
    CHECK_EQ(module.number(error.value().asObject(module.rt), "position"), 4.0);
  }
  CHECK(status_of(module, [&] { module.call(strict, "privatize", module.string(text)); }) == "UNKNOWN_WORD");
  CHECK(status_of(module, [&] { module.call(strict, "privatize", 1.0); }) == "INVALID_ARGUMENT");
  CHECK(status_of(module, [&] { module.call(strict, "privatize"); }) == "INVALID_ARGUMENT");
  CHECK(status_of(module, [&] { module.call(bundle, "word", 1e9); }) == "INVALID_ARGUMENT");
  CHECK(status_of(module, [&] { module.call(bundle, "word", 0.5); }) == "INVALID_ARGUMENT");
  CHECK(module.call(bundle, "find", module.string(kSecret)).isNull());
  const jsi::Array tokens = module.call(bundle, "tokenize", module.string(text)).asObject(module.rt).asArray(module.rt);
  CHECK_EQ(tokens.size(module.rt), 3u);
  CHECK_EQ(module.number(tokens.getValueAtIndex(module.rt, 2).asObject(module.rt), "utf16Begin"), 7.0);
}

void check_ownership(Module& module) {
  const std::string path = kVectors + "words-64.hushbit";
  jsi::Object bundle = module.open(path);
  const jsi::Object privatizer = module.call(bundle, "privatizer").asObject(module.rt);
  const jsi::Function privatize = privatizer.getPropertyAsFunction(module.rt, "privatize");
  module.call(bundle, "dispose");
  module.call(bundle, "dispose");
  CHECK(status_of(module, [&] { module.call(bundle, "privatizer"); }) == "INVALID_ARGUMENT");
  CHECK(status_of(module, [&] { bundle.getProperty(module.rt, "info"); }) == "INVALID_ARGUMENT");
  // The privatizer still works, and so does one of its functions after JavaScript forgot the object.
  CHECK(status_of(module, [&] { privatize.call(module.rt, "the cat"); }).empty());
  module.call(privatizer, "dispose");
  CHECK(status_of(module, [&] { privatize.call(module.rt, "the cat"); }) == "INVALID_ARGUMENT");
  // A garbage collector may free an object on a thread of its own.
  auto forgotten = std::make_unique<jsi::Value>(module.open(path));
  std::thread([&forgotten] { forgotten.reset(); }).join();
  CHECK(forgotten == nullptr);
}

}  // namespace

int main() {
  Module module;
  check_opening(module);
  const jsi::Object bundle = module.open(kVectors + "words-64.hushbit");
  check_options(module, bundle);
  check_texts(module, bundle);
  check_ownership(module);
  return check_result();
}
