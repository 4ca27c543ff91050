// The units of a text with their normal forms (docs/tokenizer.md), a window of them at a time.
#ifndef HUSHBIT_TEXT_WINDOW_H_
#define HUSHBIT_TEXT_WINDOW_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "bundle/vocabulary.h"
#include "text/unicode.h"

namespace hushbit {

inline constexpr size_t kMaxUnitCodePoints = 32;   // as typed; a longer unit has no normal form
inline constexpr size_t kMaxContractionBytes = 3;  // the longest contraction is n't
inline constexpr size_t kMaxWindowBytes = kMaxWordBytes + kMaxContractionBytes;

struct Unit {
  CharClass char_class;
  uint8_t bytes;      // as typed, at most 4 * kMaxUnitCodePoints
  uint8_t utf16;      // as typed, in UTF-16 code units
  uint8_t digit : 1;  // these two: of its first code point
  uint8_t unspaced : 1;
  uint16_t form_bytes;  // of its normal form, at most kMaxWindowBytes
};

struct TextPosition {
  uint64_t byte = 0;
  uint64_t utf16 = 0;
};

// The window holds units that follow one another without spaces between them. Dropping units from its front and
// filling it again reads every unit about once, whatever the text.
class TextWindow {
 public:
  // The normal forms in the window are at most `max_form_bytes` <= kMaxWindowBytes long together.
  TextWindow(std::span<const uint8_t> text, size_t max_form_bytes) : text_(text), max_form_bytes_(max_form_bytes) {}

  // All that read return false on bytes that are not UTF-8; then invalid_at() says where, and the window is spent.

  // Adds units until a space or the end of the text comes, or until the next one does not fit or has no normal
  // form.
  bool fill();
  // What `fill` stopped at: the first code point of the unit that was not added; a space at the end of the text too.
  const CodePointInfo& next() const { return next_; }

  std::span<const Unit> units() const { return {units_ + first_unit_, unit_count_}; }
  std::span<const uint8_t> form() const { return {form_ + first_form_byte_, form_bytes_}; }

  // The byte at which the first unit of the window begins.
  TextPosition begin() const { return begin_; }
  void drop(size_t units);

  // Only while the window is empty: move over spaces, over the rest of a run of word units, over one unit.
  bool skip_spaces();
  bool skip_words();
  bool skip_unit();

  bool at_end() const { return unit_count_ == 0 && end_.byte == text_.size(); }
  uint64_t invalid_at() const { return invalid_at_; }

 private:
  struct CodePoint {
    uint32_t value;
    uint8_t bytes;
    CodePointInfo info;
  };
  // The text as typed of one unit; `size` is more than kMaxUnitCodePoints if it has no normal form.
  struct TypedUnit {
    uint32_t code_points[kMaxUnitCodePoints * kMaxDecomposition];
    size_t size;
    bool joined_after;  // CodePointInfo::joined of what follows it
    Unit unit;
  };

  static constexpr CodePointInfo kEndOfText = {.char_class = CharClass::kSpace};

  bool peek(uint64_t at, CodePoint* code_point);
  bool read_unit(TypedUnit* typed);
  bool add_ascii();
  bool add(TypedUnit* typed);
  void advance(const CodePoint& code_point);
  void make_room();

  std::span<const uint8_t> text_;
  size_t max_form_bytes_;
  TextPosition begin_;  // of the first unit in the window
  TextPosition end_;    // of the last: where reading goes on
  CodePointInfo next_ = kEndOfText;
  uint64_t invalid_at_ = 0;

  // The window moves on in its arrays, twice as long as it can be, and back to their start only when it must.
  size_t first_unit_ = 0, unit_count_ = 0;
  size_t first_form_byte_ = 0, form_bytes_ = 0;
  Unit units_[2 * kMaxWindowBytes];
  uint8_t form_[2 * kMaxWindowBytes];
};

}  // namespace hushbit

#endif  // HUSHBIT_TEXT_WINDOW_H_
