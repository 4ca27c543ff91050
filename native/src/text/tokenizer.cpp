#include "text/tokenizer.h"

#include <string.h>

#include <algorithm>

#include "base/error.h"

namespace hushbit {
namespace {

struct Contraction {
  uint8_t size;
  uint8_t bytes[kMaxContractionBytes];
};
constexpr Contraction kContractions[] = {
    {3, {'n', '\'', 't'}}, {2, {'\'', 's'}}, {3, {'\'', 'r', 'e'}}, {3, {'\'', 'v', 'e'}},
    {3, {'\'', 'l', 'l'}}, {2, {'\'', 'd'}}, {2, {'\'', 'm'}},
};

const Contraction* contraction_at_end(std::span<const uint8_t> form) {
  for (const Contraction& contraction : kContractions) {
    const size_t size = contraction.size;
    if (form.size() > size && memcmp(form.data() + form.size() - size, contraction.bytes, size) == 0) {
      return &contraction;
    }
  }
  return nullptr;
}

// A word with the units beside it, if they do too.
bool runs_on(const Unit& unit) { return unit.char_class == CharClass::kWord && !unit.unspaced; }

hushbit_token_kind kind_of(bool has_word_unit, uint32_t word) {
  if (!has_word_unit) return HUSHBIT_TOKEN_PUNCTUATION;
  return word == HUSHBIT_NO_WORD ? HUSHBIT_TOKEN_UNKNOWN : HUSHBIT_TOKEN_WORD;
}

hushbit_status damaged(hushbit_error* error) {
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0,
              "the words section of the bundle is damaged; replace it with a good copy");
}

void set_token(hushbit_token* token, bool has_word_unit, uint32_t word, TextPosition begin, TextPosition end) {
  *token = {};
  token->kind = kind_of(has_word_unit, word);
  token->word = word;
  token->byte_begin = begin.byte;
  token->byte_end = end.byte;
  token->utf16_begin = begin.utf16;
  token->utf16_end = end.utf16;
}

}  // namespace

// The state of one search for the longest candidate that fits.
struct Tokenizer::Search {
  std::span<const Unit> units;
  std::span<const uint8_t> form;
  size_t plain_units = 0;  // that run on, before the first boundary
  size_t plain_bytes = 0;  // of their normal form
  // The candidate looked at: its units, their normal form's length.
  size_t count = 0;
  size_t length = 0;
  // No word of the vocabulary that the window's form begins with is longer than this, among candidates not yet tried.
  size_t longest_word = 0;
  // The last lookup, which the next often repeats.
  Vocabulary::Position looked_up;
  size_t looked_up_bytes = SIZE_MAX;
  Match match;
};

Tokenizer::Tokenizer(const Vocabulary& vocabulary, std::span<const uint8_t> text, bool long_numbers,
                     const Spellings* spellings)
    : vocabulary_(vocabulary),
      window_(text, vocabulary.max_word_bytes() + kMaxContractionBytes),
      long_numbers_(long_numbers),
      spellings_(spellings) {}

hushbit_status Tokenizer::next(hushbit_token* token, bool* found, hushbit_error* error) {
  *found = true;
  if (contraction_units_ != 0) {
    take_units(contraction_units_, contraction_, token);
    contraction_units_ = 0;
    return HUSHBIT_OK;
  }
  if (window_.units().empty() && !window_.skip_spaces()) return invalid(error);
  if (!window_.fill()) return invalid(error);
  if (window_.at_end()) {
    *found = false;
    return HUSHBIT_OK;
  }
  Match best;
  if (!match(&best)) return damaged(error);
  if (best.units == 0) return take_unknown(token, error);
  take_units(best.units, best.word, token);
  contraction_units_ = best.contraction_units;
  contraction_ = best.contraction;
  return HUSHBIT_OK;
}

hushbit_status Tokenizer::invalid(hushbit_error* error) const {
  return fail(error, HUSHBIT_INVALID_TEXT, window_.invalid_at(),
              "the text is not UTF-8 at byte %llu; convert it to UTF-8 first",
              static_cast<unsigned long long>(window_.invalid_at()));
}

Vocabulary::Position Tokenizer::look_up(std::span<const uint8_t> form) const {
  const uint32_t id = spellings_ == nullptr ? HUSHBIT_NO_WORD : spellings_->find(form);
  if (id == HUSHBIT_NO_WORD) return vocabulary_.locate(form);
  const auto length = static_cast<uint32_t>(form.size());
  return {.id = id, .common = length, .length = length, .exact = true, .damaged = false};
}

// Looks up the first `form_bytes` of the window's form.
bool Tokenizer::locate(Search* search, size_t form_bytes, Vocabulary::Position* position) {
  Vocabulary::Position& known = search->looked_up;
  if (form_bytes != search->looked_up_bytes) {
    // The last lookup may have come upon the word that is asked for now, as a prefix of what it looked up.
    known.exact = known.length == form_bytes && known.common == form_bytes;
    if (!known.exact) known = look_up(search->form.first(form_bytes));
    search->looked_up_bytes = form_bytes;
  }
  *position = known;
  return !position->damaged;
}

bool Tokenizer::match(Match* match) {
  Search search;
  search.units = window_.units();
  search.form = window_.form();
  if (search.units.empty()) return true;
  for (const Unit& unit : search.units) {
    if (!runs_on(unit)) break;
    ++search.plain_units;
    search.plain_bytes += unit.form_bytes;
  }

  const size_t longest = std::min<size_t>(search.form.size(), vocabulary_.max_word_bytes());
  Vocabulary::Position position;
  if (!locate(&search, longest, &position)) return false;
  search.longest_word = position.exact ? longest : position.common;

  // Neither a word nor a base with its contraction can be longer.
  const size_t bound = std::max(search.longest_word, search.plain_bytes) + kMaxContractionBytes;
  while (search.count < search.units.size() && search.length + search.units[search.count].form_bytes <= bound) {
    search.length += search.units[search.count++].form_bytes;
  }
  for (; search.count > 0 && search.match.units == 0; search.length -= search.units[--search.count].form_bytes) {
    const bool last = search.count == search.units.size();
    const bool after = last ? window_.next().runs_on() : runs_on(search.units[search.count]);
    if (after && runs_on(search.units[search.count - 1])) continue;  // no boundary
    if (!match_word(&search)) return false;
    if (search.match.units == 0 && !match_contraction(&search)) return false;
  }
  *match = search.match;
  return true;
}

bool Tokenizer::match_word(Search* search) {
  if (search->length > search->longest_word) return true;
  Vocabulary::Position position;
  if (!locate(search, search->length, &position)) return false;
  if (!position.exact) {
    search->longest_word = position.common;
  } else if (may_be_word(*search, search->count)) {
    search->match.units = search->count;
    search->match.word = position.id;
  }
  return true;
}

// Whether so many units can be a token that is a word.
bool Tokenizer::may_be_word(const Search& search, size_t units) const {
  if (long_numbers_) return true;
  size_t digits = 0;
  for (const Unit& unit : search.units.first(units)) digits += unit.digit;
  return digits < kLongNumberDigits;
}

bool Tokenizer::match_contraction(Search* search) {
  const Contraction* contraction = contraction_at_end(search->form.first(search->length));
  if (contraction == nullptr) return true;
  const size_t base_bytes = search->length - contraction->size;
  size_t base_units = search->count;
  for (size_t bytes = search->length; bytes > base_bytes;) bytes -= search->units[--base_units].form_bytes;

  uint32_t base = HUSHBIT_NO_WORD;
  if (base_bytes <= search->longest_word) {
    Vocabulary::Position position;
    if (!locate(search, base_bytes, &position)) return false;
    if (position.exact && may_be_word(*search, base_units)) base = position.id;
  }
  if (base == HUSHBIT_NO_WORD && base_units > search->plain_units) return true;

  const Vocabulary::Position position = look_up({contraction->bytes, contraction->size});
  if (position.damaged) return false;
  if (position.exact) search->match = {base_units, base, search->count - base_units, position.id};
  return true;
}

void Tokenizer::take_units(size_t units, uint32_t word, hushbit_token* token) {
  bool has_word_unit = false;
  for (const Unit& unit : window_.units().first(units)) has_word_unit |= unit.char_class == CharClass::kWord;
  const TextPosition begin = window_.begin();
  window_.drop(units);
  set_token(token, has_word_unit, word, begin, window_.begin());
}

// No candidate fits. The token may be longer than the window, or its first unit may be too long for it.
hushbit_status Tokenizer::take_unknown(hushbit_token* token, hushbit_error* error) {
  const TextPosition begin = window_.begin();
  const std::span<const Unit> units = window_.units();
  const bool is_word = (units.empty() ? window_.next().char_class : units[0].char_class) == CharClass::kWord;
  const bool is_run = units.empty() ? window_.next().unspaced() : units[0].unspaced;
  bool sound = true, valid = true;
  if (is_run) {
    valid = take_unknown_run(&sound);
  } else if (is_word) {
    size_t count = 0;
    while (count < units.size() && runs_on(units[count])) ++count;
    const bool whole_window = count == units.size();
    window_.drop(count);
    if (whole_window) valid = window_.skip_words();
  } else {
    valid = skip_unit();
  }
  if (!sound) return damaged(error);
  if (!valid) return invalid(error);
  set_token(token, is_word, HUSHBIT_NO_WORD, begin, window_.begin());
  return HUSHBIT_OK;
}

// In a script without spaces: on to the next unit where a word begins, or the script ends. False on invalid UTF-8;
// `*sound` becomes false if the vocabulary is damaged.
bool Tokenizer::take_unknown_run(bool* sound) {
  for (;;) {
    if (!skip_unit() || !window_.fill()) return false;
    const std::span<const Unit> units = window_.units();
    if (!(units.empty() ? window_.next().unspaced() : units[0].unspaced)) return true;
    Match ahead;
    *sound = match(&ahead);
    if (!*sound || ahead.units != 0) return true;
  }
}

bool Tokenizer::skip_unit() {
  if (window_.units().empty()) return window_.skip_unit();
  window_.drop(1);
  return true;
}

}  // namespace hushbit
