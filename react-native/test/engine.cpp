// Runs the tests of this package in a real engine: the JSI of JavaScriptCore that React Native ships, with the module
// in it. It gives JavaScript what the tests need beside that (harness.ts), and loads run.js, which does the rest.
//
//   engine SCRIPTS VECTORS TEMPORARY
#include <jsc/JSCRuntime.h>
#include <jsi/jsi.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "HushbitModule.h"
#include "Seeds.h"

namespace jsi = facebook::jsi;

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return contents.str();
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// Adds a function to `object`. Its arguments are strings, and missing ones are empty.
template <typename Call>
void add(jsi::Runtime& rt, jsi::Object& object, const char* name, Call call) {
  const auto function = [call](jsi::Runtime& runtime, const jsi::Value&, const jsi::Value* given, size_t count) {
    const auto text = [&](size_t i) { return i < count ? given[i].asString(runtime).utf8(runtime) : std::string(); };
    return call(runtime, text(0), text(1));
  };
  object.setProperty(rt, name,
                     jsi::Function::createFromHostFunction(rt, jsi::PropNameID::forAscii(rt, name), 2, function));
}

jsi::Object host_of(jsi::Runtime& rt, const char* const* arguments) {
  jsi::Object host(rt);
  host.setProperty(rt, "scripts", arguments[1]);
  host.setProperty(rt, "vectors", arguments[2]);
  host.setProperty(rt, "temporary", arguments[3]);
  add(rt, host, "readFile", [](jsi::Runtime& runtime, const std::string& path, const std::string&) {
    return jsi::Value(jsi::String::createFromUtf8(runtime, read_file(path)));
  });
  add(rt, host, "writeFile", [](jsi::Runtime&, const std::string& path, const std::string& contents) {
    std::ofstream(path, std::ios::binary) << contents;
    return jsi::Value();
  });
  add(rt, host, "print", [](jsi::Runtime&, const std::string& line, const std::string&) {
    std::cout << line << '\n';
    return jsi::Value();
  });
  add(rt, host, "setRandomness", [](jsi::Runtime&, const std::string& seed, const std::string& stream) {
    hushbit::testing::randomness() = {bytes_of(seed), bytes_of(stream), seed.empty() && !stream.empty()};
    return jsi::Value();
  });
  add(rt, host, "randomnessLeft", [](jsi::Runtime&, const std::string&, const std::string&) {
    return jsi::Value(static_cast<double>(hushbit::testing::randomness().stream.size()));
  });
  return host;
}

// What the garbage collector of an engine may do: it frees an object on a thread of its own, after the engine is gone.
void free_elsewhere(std::shared_ptr<jsi::HostObject> object) {
  std::thread([&object] { object.reset(); }).join();
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 4) return 2;
  std::unique_ptr<jsi::Runtime> runtime = facebook::jsc::makeJSCRuntime();
  std::shared_ptr<jsi::HostObject> bundle;
  double failed = 1;
  {
    jsi::Runtime& rt = *runtime;
    const auto module = std::make_shared<facebook::react::HushbitModule>(nullptr);
    rt.global().setProperty(rt, "hushbit", jsi::Object::createFromHostObject(rt, module));
    rt.global().setProperty(rt, "host", host_of(rt, arguments));
    const std::string script = std::string(arguments[1]) + "/test/run.js";
    rt.evaluateJavaScript(std::make_shared<jsi::StringBuffer>(read_file(script)), script);
    // Everything the tests wait for is done by now: the engine runs promises when the script ends.
    const jsi::Value value = rt.global().getProperty(rt, "failed");
    if (!value.isNumber()) throw std::runtime_error("the tests did not end");
    failed = value.getNumber();
    bundle = rt.global().getPropertyAsObject(rt, "forgotten").getHostObject(rt);
  }
  runtime.reset();
  free_elsewhere(std::move(bundle));
  return failed == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
