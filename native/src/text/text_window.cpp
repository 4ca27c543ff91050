#include "text/text_window.h"

#include <string.h>

#include "base/utf8.h"

namespace hushbit {
namespace {

uint8_t utf16_units(uint32_t code_point) { return code_point < 0x10000 ? 1 : 2; }

constexpr uint32_t kNonJoiner = 0x200C, kJoiner = 0x200D;
constexpr uint8_t kVirama = 9;  // Canonical_Combining_Class

uint32_t straighten(uint32_t code_point) {
  switch (code_point) {
    case 0x2018:
    case 0x2019:
    case 0x02BC:
    case 0xFF07:
      return '\'';
    default:
      return code_point;
  }
}

// Takes the format characters out of a unit in NFC, in place, but for the joiners that its script spells with.
size_t drop_format(uint32_t* code_points, size_t size, bool joined_after) {
  size_t kept = 0;
  CodePointInfo before;
  for (size_t i = 0; i < size; ++i) {
    const uint32_t code_point = code_points[i];
    const CodePointInfo info = code_point_info(code_point);
    bool keep = !info.is_format();
    if (before.joined() && (code_point == kJoiner || code_point == kNonJoiner)) {
      keep = i + 1 < size ? code_point_info(code_points[i + 1]).joined() : joined_after;
      keep |= code_point == kJoiner && before.combining_class == kVirama;
    }
    if (keep) code_points[kept++] = code_point;
    before = info;
  }
  return kept;
}

// Puts the letters of a ligature, with which a unit can only begin, in its place.
size_t spell_ligature(uint32_t* code_points, size_t size) {
  if (size == 0) return 0;
  uint32_t letters[kMaxLigature];
  const size_t count = ligature_letters(code_points[0], letters);
  if (count == 0) return size;
  memmove(code_points + count, code_points + 1, (size - 1) * sizeof(uint32_t));
  memcpy(code_points, letters, count * sizeof(uint32_t));
  return size - 1 + count;
}

// The normal form of a unit's code points, in place; returns its size.
size_t normalize_unit(uint32_t* code_points, size_t size, bool joined_after) {
  constexpr size_t kCapacity = kMaxUnitCodePoints * kMaxDecomposition;
  size = normalize_nfc(code_points, spell_ligature(code_points, size), kCapacity);
  if (const size_t kept = drop_format(code_points, size, joined_after); kept < size) {
    size = normalize_nfc(code_points, kept, kCapacity);  // what they stood between may compose
  }
  bool lowered = false;
  for (size_t i = 0; i < size; ++i) {
    const uint32_t lower = simple_lower(straighten(code_points[i]));
    lowered |= lower != code_points[i];
    code_points[i] = lower;
  }
  // Lower case may compose where upper case did not: H, U+0331.
  return lowered && size > 1 ? normalize_nfc(code_points, size, kCapacity) : size;
}

}  // namespace

bool TextWindow::peek(uint64_t at, CodePoint* code_point) {
  const size_t offset = static_cast<size_t>(at);
  code_point->bytes =
      static_cast<uint8_t>(decode_utf8(text_.data() + offset, text_.size() - offset, &code_point->value));
  if (code_point->bytes == 0) {
    invalid_at_ = at;
    return false;
  }
  code_point->info = code_point_info(code_point->value);
  return true;
}

bool TextWindow::fill() {
  for (;;) {
    if (end_.byte == text_.size()) {
      next_ = kEndOfText;
      return true;
    }
    if (add_ascii()) continue;
    CodePoint next;
    if (!peek(end_.byte, &next)) return false;
    next_ = next.info;
    if (next_.char_class == CharClass::kSpace || form_bytes_ == max_form_bytes_) return true;
    TypedUnit typed;
    if (!read_unit(&typed)) return false;
    if (!add(&typed)) return true;
  }
}

// The common case, without tables of code points: an ASCII byte that nothing extends. False if it is not that.
bool TextWindow::add_ascii() {
  const size_t at = static_cast<size_t>(end_.byte);
  const uint8_t byte = text_[at];
  if (byte >= 0x80 || (at + 1 < text_.size() && text_[at + 1] >= 0x80) || form_bytes_ == max_form_bytes_) return false;
  const CodePointInfo info = code_point_info(byte);
  if (info.char_class == CharClass::kSpace) return false;
  make_room();
  form_[first_form_byte_ + form_bytes_++] = byte >= 'A' && byte <= 'Z' ? static_cast<uint8_t>(byte + 32) : byte;
  units_[first_unit_ + unit_count_++] = {info.char_class, 1, 1, info.digit(), false, 1};
  end_ = {end_.byte + 1, end_.utf16 + 1};
  return true;
}

// Reads the unit at the end of the window, without moving on. Stops early in a unit without a normal form.
bool TextWindow::read_unit(TypedUnit* typed) {
  typed->size = 0;
  typed->joined_after = false;
  typed->unit = {};
  uint64_t at = end_.byte;
  while (at < text_.size()) {
    CodePoint next;
    if (!peek(at, &next)) return false;
    if (typed->size == 0) {
      typed->unit.char_class = next.info.char_class;
      typed->unit.digit = next.info.digit();
      typed->unit.unspaced = next.info.unspaced();
    } else if (!next.info.extends()) {
      typed->joined_after = next.info.joined();
      break;
    }
    if (typed->size == kMaxUnitCodePoints) {
      ++typed->size;
      break;
    }
    typed->code_points[typed->size++] = next.value;
    typed->unit.bytes = static_cast<uint8_t>(typed->unit.bytes + next.bytes);
    typed->unit.utf16 = static_cast<uint8_t>(typed->unit.utf16 + utf16_units(next.value));
    at += next.bytes;
  }
  return true;
}

// Adds a unit if it has a normal form that fits.
bool TextWindow::add(TypedUnit* typed) {
  if (typed->size > kMaxUnitCodePoints) return false;
  make_room();
  const size_t size = normalize_unit(typed->code_points, typed->size, typed->joined_after);
  size_t form_bytes = form_bytes_;
  for (size_t i = 0; i < size; ++i) {
    uint8_t bytes[4];
    const size_t count = encode_utf8(typed->code_points[i], bytes);
    if (form_bytes + count > max_form_bytes_) return false;
    memcpy(form_ + first_form_byte_ + form_bytes, bytes, count);
    form_bytes += count;
  }
  typed->unit.form_bytes = static_cast<uint16_t>(form_bytes - form_bytes_);
  form_bytes_ = form_bytes;
  units_[first_unit_ + unit_count_++] = typed->unit;
  end_ = {end_.byte + typed->unit.bytes, end_.utf16 + typed->unit.utf16};
  return true;
}

// Makes sure that a full window fits behind the first unit. A unit has a byte of normal form at least, so there are
// never more units than bytes.
void TextWindow::make_room() {
  if (first_form_byte_ <= kMaxWindowBytes) return;
  memmove(units_, units_ + first_unit_, unit_count_ * sizeof(Unit));
  memmove(form_, form_ + first_form_byte_, form_bytes_);
  first_unit_ = 0;
  first_form_byte_ = 0;
}

void TextWindow::drop(size_t units) {
  for (size_t i = 0; i < units; ++i) {
    const Unit& unit = units_[first_unit_ + i];
    begin_ = {begin_.byte + unit.bytes, begin_.utf16 + unit.utf16};
    first_form_byte_ += unit.form_bytes;
    form_bytes_ -= unit.form_bytes;
  }
  first_unit_ += units;
  unit_count_ -= units;
}

void TextWindow::advance(const CodePoint& code_point) {
  end_ = {end_.byte + code_point.bytes, end_.utf16 + utf16_units(code_point.value)};
  begin_ = end_;
}

bool TextWindow::skip_spaces() {
  CodePoint next;
  while (end_.byte < text_.size()) {
    if (!peek(end_.byte, &next)) return false;
    if (next.info.char_class != CharClass::kSpace) break;
    advance(next);
  }
  return true;
}

bool TextWindow::skip_words() {
  CodePoint next;
  while (end_.byte < text_.size()) {
    if (!peek(end_.byte, &next)) return false;
    if (!next.info.extends() && !next.info.runs_on()) break;
    advance(next);
  }
  return true;
}

bool TextWindow::skip_unit() {
  CodePoint next;
  for (bool first = true; end_.byte < text_.size(); first = false) {
    if (!peek(end_.byte, &next)) return false;
    if (!first && !next.info.extends()) break;
    advance(next);
  }
  return true;
}

}  // namespace hushbit
