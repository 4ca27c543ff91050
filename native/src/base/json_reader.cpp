#include "base/json_reader.h"

#include <string.h>

namespace hushbit {
namespace {

constexpr int kMostDigits = 18;

constexpr char kSpaces[] = {' ', '\t', '\r', '\n'};
constexpr char kOfFractions[] = {'.', 'e', 'E'};

bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

bool append_utf8(uint32_t code_point, Buffer<char>* bytes) {
  const auto byte = [](uint32_t value) { return static_cast<char>(static_cast<uint8_t>(value)); };
  if (code_point < 0x80) return bytes->append(byte(code_point));
  if (code_point < 0x800) {
    return bytes->append(byte(0xC0 | code_point >> 6)) && bytes->append(byte(0x80 | (code_point & 0x3F)));
  }
  const bool three = code_point < 0x10000;
  if (!bytes->append(byte(three ? 0xE0 | code_point >> 12 : 0xF0 | code_point >> 18))) return false;
  if (!three && !bytes->append(byte(0x80 | (code_point >> 12 & 0x3F)))) return false;
  return bytes->append(byte(0x80 | (code_point >> 6 & 0x3F))) && bytes->append(byte(0x80 | (code_point & 0x3F)));
}

}  // namespace

void JsonReader::skip_spaces() {
  while (at_ < text_.size() && memchr(kSpaces, text_[at_], sizeof(kSpaces)) != nullptr) ++at_;
}

bool JsonReader::at_end() {
  skip_spaces();
  return at_ == text_.size();
}

bool JsonReader::take(char wanted) {
  skip_spaces();
  if (at_ == text_.size() || text_[at_] != static_cast<uint8_t>(wanted)) return false;
  ++at_;
  return true;
}

bool JsonReader::integer(int64_t* value) {
  skip_spaces();
  const size_t begin = at_;
  const bool negative = at_ < text_.size() && text_[at_] == '-';
  if (negative) ++at_;
  const size_t first = at_;
  int64_t magnitude = 0;
  while (at_ < text_.size() && is_digit(text_[at_]) && at_ - first < kMostDigits) {
    magnitude = 10 * magnitude + (text_[at_++] - '0');
  }
  const bool ends = at_ == text_.size() ||
                    (!is_digit(text_[at_]) && memchr(kOfFractions, text_[at_], sizeof(kOfFractions)) == nullptr);
  const bool is_plain = at_ == first + 1 || (at_ > first && text_[first] != '0');
  if (!ends || !is_plain) {
    at_ = begin;
    return false;
  }
  *value = negative ? -magnitude : magnitude;
  return true;
}

bool JsonReader::string(Buffer<char>* bytes) {
  if (!take('"')) return false;
  for (; at_ < text_.size(); ++at_) {
    const uint8_t c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c < 0x20) return false;
    if (c == '\\' ? !escaped(bytes) : !bytes->append(static_cast<char>(c))) return false;
  }
  return false;
}

// Starts at the backslash and stops at the last character of the escape.
bool JsonReader::escaped(Buffer<char>* bytes) {
  if (++at_ == text_.size()) return false;
  static constexpr char kNames[] = "\"\\/bfnrt";
  static constexpr char kValues[] = "\"\\/\b\f\n\r\t";
  const void* name = text_[at_] == 0 ? nullptr : memchr(kNames, text_[at_], sizeof(kNames) - 1);
  if (name != nullptr) return bytes->append(kValues[static_cast<const char*>(name) - kNames]);
  uint32_t code_point = 0, low = 0;
  if (text_[at_] != 'u' || !hexadecimal(&code_point)) return false;
  if (code_point >= 0xDC00 && code_point < 0xE000) return false;  // half of a pair alone
  if (code_point >= 0xD800 && code_point < 0xDC00) {
    if (text_.size() - at_ < 3 || text_[at_ + 1] != '\\' || text_[at_ + 2] != 'u') return false;
    at_ += 2;
    if (!hexadecimal(&low) || low < 0xDC00 || low >= 0xE000) return false;
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
  }
  return append_utf8(code_point, bytes);
}

// The four digits after the character where it stands; stops at the last.
bool JsonReader::hexadecimal(uint32_t* value) {
  if (text_.size() - at_ < 5) return false;
  *value = 0;
  for (int i = 0; i < 4; ++i) {
    const uint8_t c = text_[++at_];
    const auto lower = static_cast<uint8_t>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
    *value = *value << 4 | static_cast<uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return true;
}

}  // namespace hushbit
