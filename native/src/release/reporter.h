// A text, a value or a new word in, one report out, at one epsilon for the whole text.
#ifndef HUSHBIT_REPORTER_H_
#define HUSHBIT_REPORTER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/buffer.h"
#include "base/function_ref.h"
#include "base/random.h"
#include "bundle/bundle.h"
#include "bundle/spellings.h"
#include "hushbit/hushbit.h"
#include "mechanism/report.h"
#include "release/value_list.h"
#include "release/whole_text.h"
#include "text/emoji.h"

namespace hushbit {

class Reporter {
 public:
  // `bundle`, which may be null where values do not need one, and `budget` if it is not null must outlive the reporter.
  // The budget of the options is not looked at.
  hushbit_status init(const Bundle* bundle, const hushbit_reporter_options& options, const Budget* budget,
                      hushbit_error* error);

  const hushbit_reporter_info& info() const { return info_; }
  const ReportMechanism& mechanism() const { return mechanism_; }

  // Do what hushbit_report_text, hushbit_report_value and hushbit_report_word say. `random` is for fresh draws.
  hushbit_status report_text(std::span<const uint8_t> text, RandomSource random, hushbit_report* report,
                             hushbit_error* error) const;
  hushbit_status report_value(uint32_t value, RandomSource random, hushbit_report* report, hushbit_error* error) const;
  hushbit_status report_word(std::span<const uint8_t> word, RandomSource random, hushbit_report* report,
                             hushbit_error* error) const;

  // Writes the spelling of a value to `out`, which has room for info().max_value_bytes. That of "none" is empty.
  // INVALID_ARGUMENT if there is no such value or if it has no spelling, CORRUPT_BUNDLE.
  hushbit_status spell(uint32_t value, uint8_t* out, size_t* size, hushbit_error* error) const;

 private:
  // What a text has to report: a value or, with new words, a word as typed, whose value depends on what is drawn.
  struct Reportable {
    uint32_t value = 0;
    std::span<const uint8_t> word = {};
  };
  // So many of a text are remembered. For one behind them the text is gone through again.
  static constexpr uint32_t kRemembered = 64;

  hushbit_status set_values(const hushbit_reporter_options& options, hushbit_error* error);
  hushbit_status set_words(const hushbit_reporter_options& options, hushbit_error* error);
  hushbit_status pass_over(std::span<const uint8_t> words, hushbit_error* error);
  void hash_values();
  void describe(uint64_t epoch, NoiseTerms* terms) const;
  void set_info(const hushbit_reporter_options& options);

  bool is_passed_over(uint32_t word) const;
  uint32_t value_of(const Reportable& reportable, uint32_t group) const;
  using Take = FunctionRef<void(const Reportable&)>;
  using Choose = FunctionRef<hushbit_status(uint32_t choice, uint32_t group, uint32_t* value)>;
  hushbit_status visit(std::span<const uint8_t> text, hushbit_error* error, Take take) const;
  hushbit_status visit_words(std::span<const uint8_t> text, hushbit_error* error, Take take) const;
  hushbit_status release(TextKey* key, RandomSource random, uint32_t choices, hushbit_report* report,
                         hushbit_error* error, Choose choose) const;

  const Bundle* bundle_ = nullptr;
  uint32_t kind_ = HUSHBIT_VALUES_WORDS;
  uint32_t punctuation_ = HUSHBIT_PUNCTUATION_DROP;
  bool has_none_ = true;
  uint32_t count_ = 0;   // of values
  uint32_t groups_ = 1;  // of new words
  Spellings spellings_;
  Buffer<uint32_t> passed_over_;  // ids, ascending
  EmojiTable emoji_;
  ValueList list_;
  ReportMechanism mechanism_;
  WholeText whole_;
  uint8_t hash_[32] = {};
  hushbit_reporter_info info_ = {};
};

}  // namespace hushbit

#endif  // HUSHBIT_REPORTER_H_
