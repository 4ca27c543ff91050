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
  const Scalar word = token.word == HUSHBIT_NO_WORD ? Scalar(Null()) : Scalar(token.word);
  const double begin = units.before(token.output_begin), end = units.before(token.output_end);
  return to_object(rt, {HUSHBIT_NAME(token, kind, kKinds),
                        {"word_id", word},
                        HUSHBIT_FIELD(token, utf16_begin),
                        HUSHBIT_FIELD(token, utf16_end),
                        {"output_begin", begin},
                        {"output_end", end}});
}

jsi::Object to_cost(jsi::Runtime& rt, const hushbit_result* result) {
  const auto cost = told<hushbit_cost>(rt, hushbit_result_get_cost, result);
  return to_object(
      rt, {HUSHBIT_FIELD(cost, epsilon), HUSHBIT_NAME(cost, epsilon_unit, kUnits), HUSHBIT_FIELD(cost, average),
           HUSHBIT_FIELD(cost, worst_case), HUSHBIT_FIELD(cost, words), HUSHBIT_FIELD(cost, unknown),
           HUSHBIT_FIELD(cost, dropped), HUSHBIT_FIELD(cost, verbatim), HUSHBIT_FIELD(cost, public_words)});
}

std::string_view text_of(const hushbit_result* result) {
  size_t length = 0;
  const char* text = hushbit_result_text(result, &length);
  return {text, length};
}

}  // namespace

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
