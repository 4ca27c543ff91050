// Reads the JSON of tests/vectors: plain ASCII, no escapes. Anything else ends the program, since a test that cannot
// read its vectors must not pass.
#ifndef HUSHBIT_TESTS_JSON_H_
#define HUSHBIT_TESTS_JSON_H_

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hex.h"

class Json {
 public:
  bool is_null() const { return kind_ == Kind::kNull; }
  bool boolean() const { return expect(Kind::kBoolean).text_ == "true"; }
  double number() const { return std::strtod(expect(Kind::kNumber).text_.c_str(), nullptr); }
  uint64_t integer() const { return std::strtoull(expect(Kind::kNumber).text_.c_str(), nullptr, 10); }
  const std::string& text() const { return expect(Kind::kString).text_; }
  const std::vector<Json>& items() const { return expect(Kind::kArray).items_; }
  bool has(const std::string& key) const { return expect(Kind::kObject).members_.count(key) != 0; }
  const Json& operator[](const std::string& key) const {
    const auto found = expect(Kind::kObject).members_.find(key);
    if (found == members_.end()) die("no key " + key);
    return found->second;
  }

  // A string of hexadecimal digits as the bytes it stands for.
  std::string bytes() const {
    const std::string& digits = text();
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
      die("not hexadecimal: " + digits);
    }
    return hushbit::testing::from_hex(digits);
  }

  static Json read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) die("cannot read " + path);
    std::stringstream content;
    content << file.rdbuf();
    return parse(content.str());
  }
  static Json parse(const std::string& text) {
    Parser parser{text};
    return parser.document();
  }

 private:
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };

  struct Parser {
    std::string input;
    size_t at = 0;

    Json document() {
      Json result = value();
      if (peek() != '\0') die("text after the JSON value");
      return result;
    }

    char peek() {
      while (at < input.size() && std::string(" \n\r\t").find(input[at]) != std::string::npos) ++at;
      return at < input.size() ? input[at] : '\0';
    }

    bool take(char wanted) {
      if (peek() != wanted) return false;
      ++at;
      return true;
    }

    void need(char wanted) {
      if (!take(wanted)) die(std::string("expected ") + wanted + " at byte " + std::to_string(at));
    }

    std::string string() {
      need('"');
      const size_t end = input.find('"', at);
      if (end == std::string::npos) die("open string");
      std::string result = input.substr(at, end - at);
      if (result.find('\\') != std::string::npos) die("escapes are not supported: " + result);
      at = end + 1;
      return result;
    }

    Json value() {
      Json result;
      if (peek() == '"') {
        result.kind_ = Kind::kString;
        result.text_ = string();
      } else if (take('[')) {
        array(&result);
      } else if (take('{')) {
        object(&result);
      } else {
        literal(&result);
      }
      return result;
    }

    void array(Json* result) {
      result->kind_ = Kind::kArray;
      if (take(']')) return;
      do result->items_.push_back(value());
      while (take(','));
      need(']');
    }

    void object(Json* result) {
      result->kind_ = Kind::kObject;
      if (take('}')) return;
      do {
        const std::string key = string();
        need(':');
        result->members_[key] = value();
      } while (take(','));
      need('}');
    }

    void literal(Json* result) {
      const size_t end = input.find_first_of(",]} \n", at);
      result->text_ = input.substr(at, end - at);
      at = end;
      if (result->text_ == "null") return;
      const bool boolean = result->text_ == "true" || result->text_ == "false";
      result->kind_ = boolean ? Kind::kBoolean : Kind::kNumber;
      if (!boolean && result->text_.find_first_not_of("0123456789+-.e") != std::string::npos) {
        die("not a value: " + result->text_);
      }
    }
  };

  [[noreturn]] static void die(const std::string& what) {
    std::cerr << "vectors: " << what << '\n';
    std::exit(1);
  }

  const Json& expect(Kind kind) const {
    if (kind_ != kind) die("a value of another type than expected: " + text_);
    return *this;
  }

  Kind kind_ = Kind::kNull;
  std::string text_;
  std::vector<Json> items_;
  std::map<std::string, Json> members_;
};

#endif  // HUSHBIT_TESTS_JSON_H_
