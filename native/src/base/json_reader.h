// Reads JSON that has a known form, a value at a time (RFC 8259). It needs no memory of its own.
#ifndef HUSHBIT_JSON_READER_H_
#define HUSHBIT_JSON_READER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"

namespace hushbit {

// Each function skips white space first. Those that return a bool return false, and stop where they are, if something
// else comes; then the text is not what it should be.
class JsonReader {
 public:
  // Valid UTF-8, which must outlive this.
  explicit JsonReader(std::span<const uint8_t> text) : text_(text) {}

  // Takes the character if it comes next: one of {}[]:,
  [[nodiscard]] bool take(char wanted);
  // A string; its bytes, unescaped, are appended to `*bytes`.
  [[nodiscard]] bool string(Buffer<char>* bytes);
  // An integer of at most 18 digits, without fraction or exponent.
  [[nodiscard]] bool integer(int64_t* value);
  // Whether nothing follows.
  bool at_end();

  // The byte at which it stands.
  size_t position() const { return at_; }

 private:
  void skip_spaces();
  bool escaped(Buffer<char>* bytes);
  bool hexadecimal(uint32_t* value);

  std::span<const uint8_t> text_;
  size_t at_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_JSON_READER_H_
