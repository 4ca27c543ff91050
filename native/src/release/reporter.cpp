#include "release/reporter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "mechanism/coin.h"
#include "mechanism/new_words.h"
#include "release/tokens.h"
#include "search/sorting.h"
#include "text/letters.h"

namespace hushbit {
namespace {

constexpr char kValuesDomain[] = "hushbit values 1";  // hashed with its NUL
constexpr const char* kKindNames[] = {"", "words", "emoji", "list", "new-words"};

hushbit_status out_of_memory(hushbit_error* error) { return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory"); }

std::span<const uint8_t> as_bytes(const char* text, size_t size) {
  return {reinterpret_cast<const uint8_t*>(text), size};
}

hushbit_status check(const hushbit_reporter_options& options, const Bundle* bundle, hushbit_error* error) {
  if (options.values < HUSHBIT_VALUES_WORDS || options.values > HUSHBIT_VALUES_NEW_WORDS) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown kind of values %u", options.values);
  }
  if (!(options.epsilon >= kLeastReportEpsilon) || !(options.epsilon <= kMostReportEpsilon)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "epsilon is %g; that of a report must be %g to %g", options.epsilon,
                kLeastReportEpsilon, kMostReportEpsilon);
  }
  if (options.punctuation > HUSHBIT_PUNCTUATION_PRIVATIZE) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown punctuation policy %u", options.punctuation);
  }
  const bool needs_bundle = options.values == HUSHBIT_VALUES_WORDS || options.values == HUSHBIT_VALUES_NEW_WORDS;
  if (needs_bundle && bundle == nullptr) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "reports of words need a bundle");
  }
  const bool lacks_list = options.list == nullptr && options.list_bytes > 0;
  const bool lacks_words = options.pass_over == nullptr && options.pass_over_bytes > 0;
  if (lacks_list || lacks_words) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "a list of the options is NULL");
  return HUSHBIT_OK;
}

}  // namespace

hushbit_status Reporter::init(const Bundle* bundle, const hushbit_reporter_options& options, const Budget* budget,
                              hushbit_error* error) {
  hushbit_status status = check(options, bundle, error);
  if (status != HUSHBIT_OK) return status;
  bundle_ = bundle;
  kind_ = options.values;
  punctuation_ = options.punctuation;
  has_none_ = kind_ != HUSHBIT_VALUES_LIST || options.none != 0;
  status = set_values(options, error);
  if (status != HUSHBIT_OK) return status;
  if (count_ < 2 || count_ > kMostValues) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "there are %u values; a report needs 2 to %u", count_, kMostValues);
  }
  mechanism_.init(options.epsilon, count_);
  hash_values();
  NoiseTerms terms = {};
  describe(options.epoch, &terms);
  status = whole_.init(
      terms, mechanism_.epsilon(),
      {.device_key = options.device_key, .epoch = options.epoch, .budget = budget, .audit_log = options.audit_log},
      error);
  set_info(options);
  return status;
}

hushbit_status Reporter::set_values(const hushbit_reporter_options& options, hushbit_error* error) {
  switch (kind_) {
    case HUSHBIT_VALUES_WORDS:
      count_ = 1 + bundle_->outputs().count();
      return set_words(options, error);
    case HUSHBIT_VALUES_NEW_WORDS:
      count_ = 1 + kBuckets;
      groups_ = kNewWordGroups;
      return set_words(options, error);
    case HUSHBIT_VALUES_EMOJI:
      if (!emoji_.init(options.skin_tones != 0)) return out_of_memory(error);
      count_ = 1 + emoji_.count();
      return HUSHBIT_OK;
    default: {
      const hushbit_status status = list_.init(as_bytes(options.list, options.list_bytes), kMostValues, error);
      count_ = list_.count() + (has_none_ ? 1 : 0);
      return status;
    }
  }
}

hushbit_status Reporter::set_words(const hushbit_reporter_options& options, hushbit_error* error) {
  hushbit_status status = HUSHBIT_OK;
  if (bundle_->outputs().count() <= Spellings::kMostWords) {
    status = spellings_.init(bundle_->vocabulary(), bundle_->outputs(), error);
  }
  return status == HUSHBIT_OK ? pass_over(as_bytes(options.pass_over, options.pass_over_bytes), error) : status;
}

// Words that the bundle lacks are passed over anyway.
hushbit_status Reporter::pass_over(std::span<const uint8_t> words, hushbit_error* error) {
  while (!words.empty()) {
    const auto end = std::find(words.begin(), words.end(), uint8_t{'\n'});
    const auto size = static_cast<size_t>(end - words.begin());
    const Vocabulary::Position found = bundle_->vocabulary().locate(words.first(size));
    if (found.damaged) return damaged_words(error);
    if (size > 0 && found.exact && !passed_over_.append(found.id)) return out_of_memory(error);
    words = words.subspan(std::min(size + 1, words.size()));
  }
  if (passed_over_.size() > 0) sort_ascending(passed_over_.data(), passed_over_.data() + passed_over_.size());
  return HUSHBIT_OK;
}

bool Reporter::is_passed_over(uint32_t word) const {
  const uint32_t* const ids = passed_over_.data();
  return bundle_->public_words().contains(word) || std::binary_search(ids, ids + passed_over_.size(), word);
}

void Reporter::hash_values() {
  Sha256 hash;
  hash.update(kValuesDomain, sizeof(kValuesDomain));
  hash.update(kKindNames[kind_], strlen(kKindNames[kind_]) + 1);
  const auto update_line = [&](const uint8_t* bytes, size_t size) {
    hash.update(bytes, size);
    hash.update("\n", 1);
  };
  if (kind_ == HUSHBIT_VALUES_WORDS || kind_ == HUSHBIT_VALUES_NEW_WORDS) hash.update(bundle_->info().hash, 32);
  if (kind_ == HUSHBIT_VALUES_NEW_WORDS) {
    for (const uint8_t length : kBeginnings) {
      char digits[4];
      const int size = snprintf(digits, sizeof(digits), "%u", length);
      update_line(reinterpret_cast<const uint8_t*>(digits), static_cast<size_t>(size));
    }
  }
  if (kind_ == HUSHBIT_VALUES_EMOJI || (kind_ == HUSHBIT_VALUES_LIST && has_none_)) hash.update("\n", 1);
  for (uint32_t i = 0; i < emoji_.count(); ++i) {
    uint8_t bytes[EmojiTable::kMaxBytes];
    update_line(bytes, emoji_.spell(i, bytes));
  }
  for (uint32_t i = 0; i < list_.count(); ++i) update_line(list_.value(i).data(), list_.value(i).size());
  hash.finish(hash_);
}

// What else a report depends on: with another design or other words to pass over, equal random numbers would together
// tell more than two reports cost.
void Reporter::describe(uint64_t epoch, NoiseTerms* terms) const {
  uint8_t numbers[12], digest[32];
  store_le32(numbers, mechanism_.design().prime);
  store_le32(numbers + 4, mechanism_.design().dimension);
  store_le32(numbers + 8, punctuation_);
  Sha256 hash;
  hash.update(numbers, sizeof(numbers));
  for (uint32_t i = 0; i < passed_over_.size(); ++i) {  // ids, so that a list is the same in any order and spelling
    if (i > 0 && passed_over_[i] == passed_over_[i - 1]) continue;
    uint8_t id[4];
    store_le32(id, passed_over_[i]);
    hash.update(id, sizeof(id));
  }
  hash.finish(digest);
  *terms = {.bundle_hash = hash_,
            .mechanism = HUSHBIT_REPORT,
            .parameters = {mechanism_.threshold(), load_le64(digest)},
            .epoch = epoch};
}

void Reporter::set_info(const hushbit_reporter_options& options) {
  const ReportDesign& design = mechanism_.design();
  uint32_t longest = list_.longest();
  if (kind_ == HUSHBIT_VALUES_WORDS) longest = bundle_->vocabulary().max_word_bytes();
  if (kind_ == HUSHBIT_VALUES_EMOJI) longest = EmojiTable::kMaxBytes;
  info_ = {.struct_size = sizeof(hushbit_reporter_info),
           .requested_epsilon = options.epsilon,
           .effective_epsilon = mechanism_.epsilon(),
           .reports = uint64_t{groups_} * design.reports,
           .threshold = mechanism_.threshold(),
           .probability = static_cast<double>(mechanism_.threshold()) * 0x1p-64,
           .values = kind_,
           .value_count = count_,
           .prime = design.prime,
           .dimension = design.dimension,
           .points = design.reports,
           .set_size = design.set_size,
           .groups = groups_,
           .max_value_bytes = longest,
           .has_none = has_none_ ? 1 : 0,
           .memoized = whole_.is_memoized() ? 1 : 0,
           .hash = {}};
  memcpy(info_.hash, hash_, sizeof(hash_));
}

hushbit_status Reporter::visit_words(std::span<const uint8_t> text, hushbit_error* error, Take take) const {
  return visit_tokens(*bundle_, &spellings_, text, error, [&](const hushbit_token& token) -> hushbit_status {
    if (kind_ == HUSHBIT_VALUES_NEW_WORDS) {
      Letters letters;
      const std::span<const uint8_t> word = typed(token, text);
      if (token.kind == HUSHBIT_TOKEN_UNKNOWN && letters.take(word)) take({.word = word});
      return HUSHBIT_OK;
    }
    if (!is_word_like(token, punctuation_) || token.word == HUSHBIT_NO_WORD || is_passed_over(token.word)) {
      return HUSHBIT_OK;
    }
    const uint32_t index = bundle_->outputs().stand_in(token.word);
    if (index == HUSHBIT_NO_WORD) return damaged_words(error);
    take({.value = 1 + index});
    return HUSHBIT_OK;
  });
}

// Calls `take` for everything in a text that may be reported.
hushbit_status Reporter::visit(std::span<const uint8_t> text, hushbit_error* error, Take take) const {
  if (kind_ == HUSHBIT_VALUES_LIST) {
    const uint32_t index = list_.find(text);
    if (index < list_.count()) take({.value = index + (has_none_ ? 1 : 0)});
    if (index < list_.count() || has_none_) return HUSHBIT_OK;
    return fail(error, HUSHBIT_UNKNOWN_WORD, 0, "the text is none of the values of the list; nothing was released");
  }
  if (kind_ != HUSHBIT_VALUES_EMOJI) return visit_words(text, error, take);
  const hushbit_status status = check_utf8(text, error);
  if (status != HUSHBIT_OK) return status;
  size_t at = 0;
  for (uint32_t emoji; emoji_.next(text, &at, &emoji);) take({.value = 1 + emoji});
  return HUSHBIT_OK;
}

// Spends and draws. `choose` is given a number below `choices` and, for new words, that of a group, and says which
// value is reported.
hushbit_status Reporter::release(TextKey* key, RandomSource random, uint32_t choices, hushbit_report* report,
                                 hushbit_error* error, Choose choose) const {
  uint32_t group = 0, point = 0;
  const hushbit_status status = whole_.release(key, random, error, [&](RandomSource source) -> hushbit_status {
    uint64_t drawn[2 + ReportMechanism::kDrawnNumbers];
    uint64_t* next = drawn;
    const size_t numbers = (choices > 0 ? 1 : 0) + (groups_ > 1 ? 1 : 0) + ReportMechanism::kDrawnNumbers;
    uint32_t choice = 0, value = 0;
    const bool ok = source.fill(source.state, drawn, numbers * sizeof(uint64_t)) &&
                    (choices == 0 || draw_below(choices, *next++, source, &choice)) &&
                    (groups_ == 1 || draw_below(groups_, *next++, source, &group));
    hushbit_status chosen = ok ? choose(choice, group, &value) : HUSHBIT_RANDOMNESS_FAILED;
    if (chosen == HUSHBIT_OK && !mechanism_.draw(value, next, source, &point)) chosen = HUSHBIT_RANDOMNESS_FAILED;
    wipe(drawn, sizeof(drawn));
    if (chosen != HUSHBIT_RANDOMNESS_FAILED) return chosen;
    return fail(error, chosen, 0, "the operating system provided no randomness; nothing was released");
  });
  if (status != HUSHBIT_OK) return status;
  *report = {.struct_size = sizeof(hushbit_report),
             .report = uint64_t{group} * mechanism_.design().reports + point,
             .epsilon = mechanism_.requested_epsilon(),
             .values = {}};
  memcpy(report->values, hash_, sizeof(report->values));
  return HUSHBIT_OK;
}

uint32_t Reporter::value_of(const Reportable& reportable, uint32_t group) const {
  if (kind_ != HUSHBIT_VALUES_NEW_WORDS) return reportable.value;
  Letters letters;
  return letters.take(reportable.word) ? 1 + bucket_of(letters, group) : 0;
}

hushbit_status Reporter::report_text(std::span<const uint8_t> text, RandomSource random, hushbit_report* report,
                                     hushbit_error* error) const {
  Reportable found[kRemembered];
  uint32_t count = 0;
  hushbit_status status = visit(text, error, [&](const Reportable& reportable) {
    if (count < kRemembered) found[count] = reportable;
    count += count < UINT32_MAX ? 1 : 0;
  });
  if (status != HUSHBIT_OK) return status;
  TextKey key(whole_.memo());
  key.add_word(text);
  return release(&key, random, std::max(count, 1u), report, error,
                 [&](uint32_t choice, uint32_t group, uint32_t* value) -> hushbit_status {
                   if (count == 0) return HUSHBIT_OK;
                   if (choice < kRemembered) {
                     *value = value_of(found[choice], group);
                     return HUSHBIT_OK;
                   }
                   uint32_t place = 0;
                   return visit(text, error, [&](const Reportable& reportable) {
                     if (place++ == choice) *value = value_of(reportable, group);
                   });
                 });
}

hushbit_status Reporter::report_value(uint32_t value, RandomSource random, hushbit_report* report,
                                      hushbit_error* error) const {
  if (value >= count_ || (kind_ == HUSHBIT_VALUES_NEW_WORDS && value > 0)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "there is no such value; nothing was released");
  }
  TextKey key(whole_.memo());
  const int32_t number = static_cast<int32_t>(value);
  key.add_numbers({&number, 1});
  return release(&key, random, 0, report, error, [&](uint32_t, uint32_t, uint32_t* chosen) {
    *chosen = value;
    return HUSHBIT_OK;
  });
}

hushbit_status Reporter::report_word(std::span<const uint8_t> word, RandomSource random, hushbit_report* report,
                                     hushbit_error* error) const {
  if (kind_ != HUSHBIT_VALUES_NEW_WORDS) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "only a reporter of new words reports a word");
  }
  const hushbit_status status = check_utf8(word, error);
  if (status != HUSHBIT_OK) return status;
  TextKey key(whole_.memo());
  key.add_new_word(word);
  return release(&key, random, 1, report, error, [&](uint32_t, uint32_t group, uint32_t* value) {
    *value = value_of({.word = word}, group);
    return HUSHBIT_OK;
  });
}

hushbit_status Reporter::spell(uint32_t value, uint8_t* out, size_t* size, hushbit_error* error) const {
  if (value >= count_) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "value %u is out of range; there are %u", value, count_);
  }
  if (kind_ == HUSHBIT_VALUES_NEW_WORDS && value > 0) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "buckets of new words have no spelling");
  }
  if (has_none_ && value == 0) {
    *size = 0;
    return HUSHBIT_OK;
  }
  const uint32_t index = value - (has_none_ ? 1 : 0);
  if (kind_ == HUSHBIT_VALUES_WORDS) {
    const uint32_t id = bundle_->outputs().id(index);
    *size = id == HUSHBIT_NO_WORD ? 0 : bundle_->vocabulary().word(id, out);
    return *size > 0 ? HUSHBIT_OK : damaged_words(error);
  }
  if (kind_ == HUSHBIT_VALUES_EMOJI) {
    *size = emoji_.spell(index, out);
    return HUSHBIT_OK;
  }
  const std::span<const uint8_t> found = list_.value(index);
  memcpy(out, found.data(), found.size());
  *size = found.size();
  return HUSHBIT_OK;
}

}  // namespace hushbit
