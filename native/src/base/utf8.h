// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef HUSHBIT_UTF8_H_
#define HUSHBIT_UTF8_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

// Decodes one code point at `text`, of which `size` > 0 bytes may be read. Returns its length in bytes, or 0 if the
// bytes are not UTF-8.
inline size_t decode_utf8(const uint8_t* text, size_t size, uint32_t* code_point) {
  const uint8_t lead = text[0];
  if (lead < 0x80) {
    *code_point = lead;
    return 1;
  }
  const auto continuation = [&](size_t i) { return i < size && (text[i] & 0xC0) == 0x80; };
  if (lead >= 0xC2 && lead <= 0xDF && continuation(1)) {
    *code_point = (lead & 0x1Fu) << 6 | (text[1] & 0x3Fu);
    return 2;
  }
  if ((lead & 0xF0) == 0xE0 && continuation(1) && continuation(2)) {
    *code_point = (lead & 0x0Fu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu);
    return *code_point >= 0x800 && (*code_point < 0xD800 || *code_point > 0xDFFF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4 && continuation(1) && continuation(2) && continuation(3)) {
    *code_point = (lead & 0x07u) << 18 | (text[1] & 0x3Fu) << 12 | (text[2] & 0x3Fu) << 6 | (text[3] & 0x3Fu);
    return *code_point >= 0x10000 && *code_point <= 0x10FFFF ? 4 : 0;
  }
  return 0;
}

// Writes a code point to `out` (room for 4 bytes); returns its length in bytes.
inline size_t encode_utf8(uint32_t code_point, uint8_t* out) {
  if (code_point < 0x80) {
    out[0] = static_cast<uint8_t>(code_point);
    return 1;
  }
  const auto tail = [&](int shift) { return static_cast<uint8_t>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x800) {
    out[0] = static_cast<uint8_t>(0xC0 | code_point >> 6);
    out[1] = tail(0);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<uint8_t>(0xE0 | code_point >> 12);
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<uint8_t>(0xF0 | code_point >> 18);
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

// The offset of the first byte that is not UTF-8, or `size` if there is none.
inline size_t first_invalid_utf8(const uint8_t* text, size_t size) {
  size_t at = 0;
  while (at < size) {
    uint32_t code_point;
    const size_t length = decode_utf8(text + at, size - at, &code_point);
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace hushbit

#endif  // HUSHBIT_UTF8_H_
