#include "Result.h"

namespace hushbit::react {

namespace {

// Converts offsets in UTF-8, in ascending order, to offsets in UTF-16.
class Units {
 public:
  explicit Units(std::string_view utf8) : utf8_(utf8) {}

  double before(uint64_t byte) {
    for (; at_ < byte && at_ < utf8_.size(); ++at_) {
      const auto first = static_cast<unsigned char>(utf8_[at_]);
      const bool continues = (first & 0xc0) == 0x80;
      units_ += continues ? 0 : first >= 0xf0 ? 2 : 1;
    }
    return static_cast<double>(units_);
  }

 private:
  std::string_view utf8_;
  size_t at_ = 0;
  uint64_t units_ = 0;
};

constexpr Names kKinds = {
    {"word", HUSHBIT_TOKEN_WORD}, {"unknown", HUSHBIT_TOKEN_UNKNOWN}, {"punctuation", HUSHBIT_TOKEN_PUNCTUATION}};

jsi::Object to_token(jsi::Runtime& rt, const hushbit_token& token, Units& units) {
  jsi::Object object(rt);
  object.setProperty(rt, "kind", name_of(rt, kKinds, token.kind));
  object.setProperty(rt, "wordId",
                     token.word == HUSHBIT_NO_WORD ? jsi::Value::null() : jsi::Value(static_cast<double>(token.word)));
  object.setProperty(rt, "utf16Begin", static_cast<double>(token.utf16_begin));
  object.setProperty(rt, "utf16End", static_cast<double>(token.utf16_end));
  object.setProperty(rt, "outputBegin", units.before(token.output_begin));
  object.setProperty(rt, "outputEnd", units.before(token.output_end));
  return object;
}

jsi::Object to_cost(jsi::Runtime& rt, const hushbit_result* result) {
  hushbit_cost cost = sized<hushbit_cost>();
  hushbit_error error = {};
  check(rt, hushbit_result_get_cost(result, &cost, &error), error);
  jsi::Object object(rt);
  object.setProperty(rt, "epsilon", cost.epsilon);
  object.setProperty(rt, "epsilonUnit", name_of(rt, kUnits, cost.epsilon_unit));
  object.setProperty(rt, "average", cost.average);
  object.setProperty(rt, "worstCase", cost.worst_case);
  object.setProperty(rt, "words", static_cast<double>(cost.words));
  object.setProperty(rt, "unknown", static_cast<double>(cost.unknown));
  object.setProperty(rt, "dropped", static_cast<double>(cost.dropped));
  object.setProperty(rt, "verbatim", static_cast<double>(cost.verbatim));
  object.setProperty(rt, "publicWords", static_cast<double>(cost.public_words));
  return object;
}

std::string_view text_of(const hushbit_result* result) {
  size_t length = 0;
  const char* text = hushbit_result_text(result, &length);
  return {text, length};
}

}  // namespace

Result::Result(jsi::Runtime& rt) {
  hushbit_error error = {};
  check(rt, hushbit_result_create(&result_, &error), error);
}

jsi::Value to_tokens(jsi::Runtime& rt, const hushbit_result* result) {
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  Units units(text_of(result));
  jsi::Array array(rt, count);
  for (size_t i = 0; i < count; ++i) array.setValueAtIndex(rt, i, to_token(rt, tokens[i], units));
  return array;
}

jsi::Value to_privatized_text(jsi::Runtime& rt, const hushbit_result* result) {
  jsi::Object privatized(rt);
  privatized.setProperty(rt, "text", to_string(rt, text_of(result)));
  privatized.setProperty(rt, "tokens", to_tokens(rt, result));
  privatized.setProperty(rt, "cost", to_cost(rt, result));
  return privatized;
}

double units_before(std::string_view utf8, uint64_t byte) { return Units(utf8).before(byte); }

}  // namespace hushbit::react
