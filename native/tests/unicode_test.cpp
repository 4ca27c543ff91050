// What holds for every code point, and known facts.
// tests/interface/test_unicode.py compares every code point with Python's.
#include "text/unicode.h"

#include <stdint.h>

#include <initializer_list>
#include <vector>

#include "check.h"

namespace {

using hushbit::CharClass;
using CodePoints = std::vector<uint32_t>;

CodePoints nfc(CodePoints code_points) {
  const size_t size = code_points.size();
  const size_t capacity = size * hushbit::kMaxDecomposition;
  code_points.resize(capacity);
  code_points.resize(hushbit::normalize_nfc(code_points.data(), size, capacity));
  return code_points;
}

void check_nfc(std::initializer_list<uint32_t> from, std::initializer_list<uint32_t> to) {
  CHECK(nfc(CodePoints(from)) == CodePoints(to));
}

void check_class(CharClass char_class, std::initializer_list<uint32_t> code_points) {
  for (const uint32_t code_point : code_points) CHECK(hushbit::code_point_info(code_point).char_class == char_class);
}

void test_classes() {
  check_class(CharClass::kWord, {'a', 'Z', '0', 0xAA, 0x301, 0x5D0, 0x663, 0x3042, 0xAC00, 0x20E3, 0xFE0F, 0x1D7CE});
  check_class(CharClass::kOther, {'\'', '-', '_', '@', 0x2BC, 0x2019, 0x2764, 0xFF07, 0x1F3FB});
  // Unassigned, surrogate, private, none at all.
  check_class(CharClass::kOther, {0x378, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000, UINT32_MAX});
  check_class(CharClass::kSpace, {9, 13, 32, 0x85, 0xA0, 0x1680, 0x2000, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F});
  // Controls and format characters.
  check_class(CharClass::kSpace, {0, 0x1C, 0x7F, 0x9F, 0xAD, 0x600, 0x200B, 0x200D, 0x202E, 0xFEFF, 0xE0041});
  for (const uint32_t format : {0xADu, 0x200Du, 0x202Eu, 0xFEFFu, 0xE0041u}) {
    CHECK(hushbit::code_point_info(format).is_format());
  }
  for (const uint32_t separator : {0u, 0x20u, 0x200Bu, 0x3000u}) {
    CHECK(!hushbit::code_point_info(separator).is_format());
  }
}

void test_every_code_point() {
  int extending = 0;
  for (uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const auto info = hushbit::code_point_info(code_point);
    uint32_t parts[hushbit::kMaxDecomposition];
    const size_t count = hushbit::decompose(code_point, parts);
    CHECK(count >= 1 && count <= hushbit::kMaxDecomposition);
    CHECK(count > 1 || parts[0] != code_point || nfc({code_point}) == CodePoints{code_point});
    // Fully decomposed, into what is put together again the same way.
    for (size_t i = 0; i < count; ++i) {
      uint32_t more[hushbit::kMaxDecomposition];
      CHECK(hushbit::decompose(parts[i], more) == 1 && more[0] == parts[i]);
    }
    CHECK(nfc(CodePoints(parts, parts + count)) == nfc({code_point}));
    // The tokenizer counts on these.
    if (info.extends()) CHECK(info.char_class == CharClass::kWord || info.is_format());
    if (info.digit() || info.unspaced() || info.joined()) CHECK(info.char_class == CharClass::kWord);
    CHECK(!info.digit() || (!info.extends() && !info.unspaced()));
    if (info.combining_class != 0) CHECK(info.extends());
    const uint32_t lower = hushbit::simple_lower(code_point);
    CHECK_EQ(hushbit::simple_lower(lower), lower);
    CHECK_EQ(hushbit::code_point_info(lower).extends(), info.extends());
    CHECK(hushbit::code_point_info(lower).char_class == info.char_class);
    extending += info.extends();
  }
  CHECK(extending > 2000);
}

void test_lower() {
  CHECK_EQ(hushbit::simple_lower('A'), uint32_t{'a'});
  CHECK_EQ(hushbit::simple_lower(0x130), uint32_t{'i'});
  CHECK_EQ(hushbit::simple_lower(0x3A3), 0x3C3u);
  CHECK_EQ(hushbit::simple_lower(0xDF), 0xDFu);
  CHECK_EQ(hushbit::simple_lower(0x1E9E), 0xDFu);
  CHECK_EQ(hushbit::simple_lower(0x10400), 0x10428u);
}

void test_scripts() {
  for (const uint32_t c : {0x4E00u, 0x3005u, 0x3042u, 0x30FCu, 0xFF76u, 0xE01u, 0xE31u, 0xE81u, 0x1780u, 0x1000u}) {
    CHECK(hushbit::code_point_info(c).unspaced());
  }
  // Digits of these scripts, their punctuation, and scripts that have spaces.
  for (const uint32_t c : {0xE50u, 0xE3Fu, 0x3002u, 0x30FBu, 0xAC00u, 0x3105u, 0xF40u, uint32_t{'a'}}) {
    CHECK(!hushbit::code_point_info(c).unspaced());
  }
  for (const uint32_t c : {0x627u, 0x915u, 0xD4Du, 0x1820u}) CHECK(hushbit::code_point_info(c).joined());
  for (const uint32_t c : {uint32_t{'a'}, 0x5D0u, 0xE01u, 0x1780u, 0x200Du}) {
    CHECK(!hushbit::code_point_info(c).joined());
  }
  for (const uint32_t c : {uint32_t{'0'}, 0x669u, 0xE50u, 0xFF19u, 0x1D7CEu})
    CHECK(hushbit::code_point_info(c).digit());
  for (const uint32_t c : {uint32_t{'a'}, 0xB2u, 0xBDu, 0x2463u}) CHECK(!hushbit::code_point_info(c).digit());
}

void test_ligatures() {
  uint32_t letters[hushbit::kMaxLigature];
  CHECK_EQ(hushbit::ligature_letters(0xFB04, letters), size_t{3});
  CHECK(letters[0] == 'f' && letters[1] == 'f' && letters[2] == 'l');
  CHECK_EQ(hushbit::ligature_letters(0xFB05, letters), size_t{2});
  CHECK(letters[0] == 's' && letters[1] == 't');
  for (const uint32_t c : {uint32_t{'f'}, 0x153u, 0xDFu, 0x1C4u, 0xFB07u}) {
    CHECK_EQ(hushbit::ligature_letters(c, letters), size_t{0});
  }
}

void test_nfc() {
  check_nfc({}, {});
  check_nfc({'e', 0x301}, {0xE9});
  check_nfc({0xE9}, {0xE9});
  check_nfc({0x212B}, {0xC5});                          // Angstrom sign
  check_nfc({'a', 0x323, 0x302}, {0x1EAD});             // two marks, both composing
  check_nfc({'a', 0x302, 0x323}, {0x1EAD});             // the same, out of order
  check_nfc({'q', 0x307, 0x323}, {'q', 0x323, 0x307});  // reordered, nothing to compose
  check_nfc({'a', 0x300, 0x301}, {0xE0, 0x301});        // the second is blocked by nothing, but has no composite
  check_nfc({'a', 0x5AE, 0x300}, {0xE0, 0x5AE});        // a lower class does not block
  check_nfc({'a', 0x310, 0x301}, {'a', 0x310, 0x301});  // an equal class does
  check_nfc({0x958}, {0x915, 0x93C});                   // a composition exclusion grows
  check_nfc({0x1D160}, {0x1D158, 0x1D165, 0x1D16E});
  check_nfc({0x344}, {0x308, 0x301});
  check_nfc({0x301, 'e', 0x301}, {0x301, 0xE9});  // a lone mark in front
  check_nfc({0x1100, 0x1161}, {0xAC00});
  check_nfc({0x1100, 0x1161, 0x11A8}, {0xAC01});
  check_nfc({0xAC00, 0x11A8}, {0xAC01});
  check_nfc({0xAC00, 0x11A7}, {0xAC00, 0x11A7});  // not a final consonant
  check_nfc({0xAC01, 0x11A8}, {0xAC01, 0x11A8});
  check_nfc({0x1100, 0x301, 0x1161}, {0x1100, 0x301, 0x1161});
  CHECK_EQ(hushbit::compose(0x1100, 0x11A8), 0u);
  CHECK_EQ(hushbit::compose(0x308, 0x301), 0u);
  CHECK_EQ(hushbit::compose('e', 0x301), 0xE9u);
}

void test_capacity() {
  uint32_t code_points[4] = {0x1D160, 0x1D160};
  CHECK_EQ(hushbit::normalize_nfc(code_points, 1, 2), size_t{0});
  CHECK_EQ(hushbit::normalize_nfc(code_points, 2, 4), size_t{0});
  CHECK_EQ(code_points[0], 0x1D160u);  // left alone
  CHECK_EQ(hushbit::normalize_nfc(code_points, 1, 3), size_t{3});
}

}  // namespace

int main() {
  CHECK(hushbit::unicode_version() >= 14u << 16);
  test_classes();
  test_every_code_point();
  test_lower();
  test_scripts();
  test_ligatures();
  test_nfc();
  test_capacity();
  return check_result();
}
