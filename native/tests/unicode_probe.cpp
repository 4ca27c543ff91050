// Lets tests/interface/test_unicode.py, which builds this as a shared library, see native/src/text/unicode.h.
#include <stddef.h>
#include <stdint.h>

#include "text/unicode.h"

#define PROBE extern "C" __attribute__((visibility("default")))

PROBE uint32_t probe_version() { return hushbit::unicode_version(); }

// For code points 0 to `count` - 1; `decomposed` has kMaxDecomposition entries for each, zero behind its decomposition.
PROBE void probe_table(uint32_t count, uint8_t* char_class, uint8_t* combining_class, uint8_t* traits, uint32_t* lower,
                       uint32_t* decomposed) {
  for (uint32_t code_point = 0; code_point < count; ++code_point) {
    const hushbit::CodePointInfo info = hushbit::code_point_info(code_point);
    char_class[code_point] = static_cast<uint8_t>(info.char_class);
    combining_class[code_point] = info.combining_class;
    traits[code_point] = info.traits;
    lower[code_point] = hushbit::simple_lower(code_point);
    uint32_t* parts = decomposed + size_t{code_point} * hushbit::kMaxDecomposition;
    for (size_t i = hushbit::decompose(code_point, parts); i < hushbit::kMaxDecomposition; ++i) parts[i] = 0;
  }
}

// Returns how many letters; `letters` has room for kMaxLigature.
PROBE size_t probe_ligature(uint32_t code_point, uint32_t* letters) {
  return hushbit::ligature_letters(code_point, letters);
}

PROBE size_t probe_nfc(uint32_t* code_points, size_t size, size_t capacity) {
  return hushbit::normalize_nfc(code_points, size, capacity);
}
