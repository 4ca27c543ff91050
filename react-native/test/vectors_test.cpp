// The module against the golden vectors, which an independent reference wrote (tests/vectors/README.md).
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "Module.h"
#include "Seeds.h"
#include "check.h"
#include "json.h"
#include "vector_files.h"

using namespace hushbit::testing;

namespace {

// hushbit_status, by number.
const std::vector<std::string> kStatuses = {"OK",
                                            "INVALID_ARGUMENT",
                                            "FILE_NOT_FOUND",
                                            "READ_FAILED",
                                            "CORRUPT_BUNDLE",
                                            "UNSUPPORTED_BUNDLE",
                                            "OUT_OF_MEMORY",
                                            "RANDOMNESS_FAILED",
                                            "INVALID_TEXT",
                                            "UNKNOWN_WORD"};
constexpr size_t kInvalidText = 8, kUnknownWord = 9;

size_t units_before(const std::string& utf8, size_t byte) {
  size_t units = 0;
  for (size_t i = 0; i < byte; ++i) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    if ((first & 0xc0) != 0x80) units += first >= 0xf0 ? 2 : 1;
  }
  return units;
}

double finite_or(const Json& value) { return value.is_null() ? HUGE_VAL : value.number(); }

// The options that every case has.
jsi::Object shared_options(Module& module, const Json& item) {
  jsi::Object options(module.rt);
  options.setProperty(module.rt, "epsilon", item["epsilon"].number());
  options.setProperty(module.rt, "epoch", jsi::BigInt::fromUint64(module.rt, hexadecimal(item["epoch"])));
  if (item.has("punctuation")) options.setProperty(module.rt, "punctuation", item["punctuation"].text());
  if (!item["device_key"].is_null()) {
    options.setProperty(module.rt, "deviceKey", make_uint8_array(module.rt, item["device_key"].bytes()));
  }
  return options;
}

void set_randomness(const Json& item) {
  randomness() = {};
  if (!item["seed"].is_null()) {
    randomness().seed = item["seed"].bytes();
  } else if (item.has("stream") && !item["stream"].is_null()) {
    randomness().stream = item["stream"].bytes();
    randomness().streams = true;
  }
}

// Calls, and checks the status and position of the error that a case wants. True if nothing failed and nothing should.
bool succeeds(Module& module, const Json& item, const std::function<void()>& call) {
  const size_t status = item.has("status") ? item["status"].integer() : 0;
  set_randomness(item);
  try {
    call();
    CHECK_EQ(status, 0u);
  } catch (const jsi::JSError& error) {
    const jsi::Object value = error.value().asObject(module.rt);
    CHECK(module.text(value, "status") == kStatuses.at(status));
    if (status == kUnknownWord) {
      CHECK_EQ(module.number(value, "position"), units_before(item["text"].bytes(), item["position"].integer()));
    }
    return false;
  }
  CHECK_EQ(randomness().stream.size(), 0u);
  return status == 0;
}

void check_tokens(Module& module, const Json& item, const jsi::Array& tokens) {
  const std::vector<Json>& wanted = item["tokens"].items();
  const std::string output = item["output"].bytes();
  CHECK_EQ(tokens.size(module.rt), wanted.size());
  for (size_t i = 0; i < wanted.size() && i < tokens.size(module.rt); ++i) {
    const Json& want = wanted[i];
    const jsi::Object token = tokens.getValueAtIndex(module.rt, i).asObject(module.rt);
    CHECK(module.text(token, "kind") == want["kind"].text());
    const jsi::Value id = token.getProperty(module.rt, "wordId");
    CHECK(want["id"].is_null() ? id.isNull() : id.asNumber() == want["id"].number());
    CHECK_EQ(module.number(token, "utf16Begin"), want["utf16"].items()[0].number());
    CHECK_EQ(module.number(token, "utf16End"), want["utf16"].items()[1].number());
    if (want["output"].is_null()) {
      CHECK_EQ(module.number(token, "outputBegin"), module.number(token, "outputEnd"));
    } else {
      CHECK_EQ(module.number(token, "outputBegin"), units_before(output, want["output"].items()[0].integer()));
      CHECK_EQ(module.number(token, "outputEnd"), units_before(output, want["output"].items()[1].integer()));
    }
  }
}

void check_cost(Module& module, const Json& wanted, const jsi::Object& cost) {
  CHECK(close(module.number(cost, "epsilon"), wanted["epsilon"].number()));
  CHECK(close(module.number(cost, "average"), finite_or(wanted["average"])));
  CHECK(close(module.number(cost, "worstCase"), finite_or(wanted["worst_case"])));
  for (const char* name : {"words", "unknown", "dropped", "verbatim"}) {
    CHECK_EQ(module.number(cost, name), wanted[name].number());
  }
  CHECK_EQ(module.number(cost, "publicWords"), wanted.has("public_words") ? wanted["public_words"].number() : 0);
}

void check_privatized(Module& module, const jsi::Object& bundle, const Json& item) {
  const Named named(item);
  jsi::Object options = shared_options(module, item);
  options.setProperty(module.rt, "mechanism", item["mechanism"].text());
  options.setProperty(module.rt, "beta", item["beta"].number());
  options.setProperty(module.rt, "oov", item["oov"].text());
  options.setProperty(module.rt, "mask", module.string(item["mask"].bytes()));
  options.setProperty(module.rt, "allowUnchanged", true);
  if (item.has("crowd") && !item["crowd"].is_null()) {
    options.setProperty(module.rt, "crowdSize", item["crowd"].text());
  }
  const jsi::Object privatizer = module.made(bundle, "privatizer", options);
  jsi::Value released;
  if (succeeds(module, item,
               [&] { released = module.call(privatizer, "privatize", module.string(item["text"].bytes())); })) {
    const jsi::Object object = released.asObject(module.rt);
    CHECK(module.text(object, "text") == item["output"].bytes());
    check_tokens(module, item, module.object(object, "tokens").asArray(module.rt));
    check_cost(module, item["cost"], module.object(object, "cost"));
    const jsi::Object info = module.object(privatizer, "info");
    CHECK(module.text(info, "mechanism") == item["mechanism"].text());
    CHECK_EQ(module.integer(info, "flipThreshold"), hexadecimal(item["flip_threshold"]));
    CHECK_EQ(module.number(info, "gamma"), item["gamma"].number());
    CHECK_EQ(module.boolean(info, "memoized"), !item["device_key"].is_null());
    if (item.has("crowd_threshold")) {
      CHECK_EQ(module.integer(info, "crowdThreshold"), hexadecimal(item["crowd_threshold"]));
      CHECK_EQ(module.number(info, "crowdMass"), item["crowd_mass"].number());
      CHECK_EQ(module.number(info, "outputMass"), item["output_mass"].number());
      CHECK(close(module.number(info, "meanCrowd"), item["mean_crowd"].number()));
    }
  }
  module.call(privatizer, "dispose");
}

void check_words(Module& module, const jsi::Object& bundle, const std::vector<Json>& words) {
  for (size_t id = 0; id < words.size(); ++id) {
    const std::string spelling = words[id].bytes();
    CHECK(module.call(bundle, "word", static_cast<double>(id)).asString(module.rt).utf8(module.rt) == spelling);
    CHECK_EQ(module.call(bundle, "find", module.string(spelling)).asNumber(), static_cast<double>(id));
  }
}

void check_privatizers(Module& module, const std::string& name) {
  const Json vectors = Json::read_file(kVectors + "privatize-" + name + ".json");
  const jsi::Object bundle = module.open(kVectors + vectors["bundle"].text());
  module.call(bundle, "verify");
  const jsi::Object info = module.object(bundle, "info");
  CHECK(module.text(info, "hash") == vectors["bundle_hash"].text());
  CHECK_EQ(module.number(info, "bits"), vectors["bits"].number());
  CHECK_EQ(module.number(info, "words"), static_cast<double>(vectors["words"].items().size()));
  CHECK_EQ(module.number(info, "maxDistance"), vectors["max_distance"].number());
  CHECK_EQ(module.number(info, "maxWordBytes"), vectors["max_word_bytes"].number());
  CHECK_EQ(module.number(info, "averageDistance"), vectors["average_distance"].number());
  check_words(module, bundle, vectors["words"].items());
  size_t cases = 0;
  for (const Json& item : vectors["cases"].items()) {
    if (item["status"].integer() == kInvalidText) continue;  // cannot come out of a string of JavaScript
    check_privatized(module, bundle, item);
    ++cases;
  }
  CHECK(cases > 0);
}

void check_embedded(Module& module, const jsi::Object& bundle, const Json& item) {
  const Named named(item);
  const jsi::Object embedder = module.made(bundle, "embedder", shared_options(module, item));
  jsi::Value value;
  if (!succeeds(module, item, [&] { value = module.call(embedder, "embed", module.string(item["text"].bytes())); })) {
    return;
  }
  const jsi::Object embedding = value.asObject(module.rt), info = module.object(embedder, "info");
  CHECK_EQ(module.number(embedding, "index"), item["index"].number());
  CHECK_EQ(module.number(embedding, "epsilon"), module.number(info, "effectiveEpsilon"));
  CHECK_EQ(module.integer(info, "crowdThreshold"), hexadecimal(item["crowd_threshold"]));
  CHECK_EQ(module.number(info, "crowdDirections"), item["crowd_directions"].number());
  CHECK(close(module.number(info, "effectiveEpsilon"), item["effective_epsilon"].number()));
  const jsi::Array direction = module.object(embedding, "direction").asArray(module.rt);
  CHECK_EQ(static_cast<double>(direction.size(module.rt)), module.number(info, "dimensions"));
  uint64_t signs = 0;
  for (size_t i = 0; i < direction.size(module.rt); ++i) {
    const double sign = direction.getValueAtIndex(module.rt, i).asNumber();
    CHECK(sign == 1 || sign == -1);
    signs |= uint64_t{sign == 1} << i;
  }
  CHECK_EQ(signs, hexadecimal(item["signs"]));
}

void check_embedders(Module& module, const std::string& name) {
  const Json vectors = Json::read_file(kVectors + name + ".json");
  const jsi::Object bundle = module.open(kVectors + vectors["bundle"].text());
  const jsi::Object info = module.object(module.made(bundle, "embedder", jsi::Object(module.rt)), "info");
  CHECK(module.text(info, "hash") == vectors["bundle_hash"].text());
  CHECK_EQ(module.number(info, "dimensions"), vectors["dimensions"].number());
  CHECK_EQ(module.number(info, "directions"), vectors["directions"].number());
  CHECK_EQ(module.integer(info, "seed"), hexadecimal(vectors["seed"]));
  size_t cases = 0;
  for (const Json& item : vectors["cases"].items()) {
    if (item["status"].integer() == kInvalidText) continue;
    check_embedded(module, bundle, item);
    ++cases;
  }
  CHECK(cases > 0);
}

// What is between line breaks, as an array of strings.
jsi::Array lines_of(Module& module, const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  jsi::Array array(module.rt, lines.size());
  for (size_t i = 0; i < lines.size(); ++i) array.setValueAtIndex(module.rt, i, module.string(lines[i]));
  return array;
}

void check_reported(Module& module, const Json& item) {
  const Named named(item);
  // Reports of emoji and of a list do not depend on the bundle.
  const std::string file = item["bundle"].is_null() ? "words-64.hushbit" : item["bundle"].text();
  const jsi::Object bundle = module.open(kVectors + file);
  jsi::Object options = shared_options(module, item);
  if (item["values"].text() == "list") {
    options.setProperty(module.rt, "values", lines_of(module, item["list"].bytes()));
    options.setProperty(module.rt, "none", item["none"].boolean());
  } else {
    options.setProperty(module.rt, "values", item["values"].text());
    options.setProperty(module.rt, "skinTones", item["skin_tones"].boolean());
  }
  options.setProperty(module.rt, "passOver", lines_of(module, item["pass_over"].bytes()));
  const jsi::Object reporter = module.made(bundle, "reporter", options);
  module.call(bundle, "dispose");  // the reporter keeps it alive
  jsi::Value report;
  const bool ok = succeeds(module, item, [&] {
    report = item.has("value")  ? module.call(reporter, "reportValue", item["value"].number())
             : item.has("word") ? module.call(reporter, "reportWord", module.string(item["word"].bytes()))
                                : module.call(reporter, "report", module.string(item["text"].bytes()));
  });
  if (!ok) return;
  CHECK_EQ(module.number(report.asObject(module.rt), "report"), item["report"].number());
  CHECK(module.text(report.asObject(module.rt), "values") == item["hash"].text().substr(0, 16));
  CHECK(module.text(module.object(reporter, "info"), "hash") == item["hash"].text());
}

}  // namespace

int main() {
  Module module;
  for (const char* name :
       {"words-64", "words-256", "twins-128", "single-512", "crowds-64", "outputs-128", "crowds-by-codes"}) {
    check_privatizers(module, name);
  }
  for (const char* name : {"embed-64", "embed-128"}) check_embedders(module, name);
  const Json reports = Json::read_file(kVectors + "reports.json");
  CHECK(!reports["cases"].items().empty());
  for (const Json& item : reports["cases"].items()) check_reported(module, item);
  return check_result();
}
