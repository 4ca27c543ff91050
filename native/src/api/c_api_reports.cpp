// The C interface of reports.
#include "api/handles.h"
#include "api/holding.h"
#include "api/sized.h"
#include "base/clean_stack.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "hushbit/hushbit.h"

using hushbit::check_size;
using hushbit::fail;
using hushbit::give;
using hushbit::null_argument;
using hushbit::run_and_wipe;
using hushbit::system_random;

namespace {

constexpr hushbit_reporter_options kDefaultOptions = {.struct_size = sizeof(hushbit_reporter_options),
                                                      .epsilon = 2,
                                                      .values = HUSHBIT_VALUES_WORDS,
                                                      .punctuation = HUSHBIT_PUNCTUATION_DROP,
                                                      .skin_tones = 0,
                                                      .none = 0,
                                                      .list = nullptr,
                                                      .list_bytes = 0,
                                                      .pass_over = nullptr,
                                                      .pass_over_bytes = 0,
                                                      .device_key = nullptr,
                                                      .epoch = 0,
                                                      .budget = nullptr,
                                                      .audit_log = nullptr};

// Fills `*report` by `make_report`, a function of the whole struct.
hushbit_status report_to(hushbit_report* report, hushbit_error* error,
                         hushbit::FunctionRef<hushbit_status(hushbit_report*)> make_report) {
  // This comes before anything is spent.
  hushbit_status status = check_size(*report, "the report", error);
  if (status != HUSHBIT_OK) return status;
  hushbit_report whole = {};
  status = run_and_wipe<hushbit::kTokenizerStackBytes>([&] { return make_report(&whole); });
  return status == HUSHBIT_OK ? give(whole, "the report", report, error) : status;
}

}  // namespace

hushbit_status hushbit_reporter_options_init(hushbit_reporter_options* options, hushbit_error* error) {
  return options == nullptr ? null_argument(error) : give(kDefaultOptions, "the options", options, error);
}

hushbit_status hushbit_reporter_create(const hushbit_bundle* bundle, const hushbit_reporter_options* options,
                                       hushbit_reporter** reporter, hushbit_error* error) {
  if (options == nullptr || reporter == nullptr) return null_argument(error);
  const auto init = [&](hushbit_reporter* made, const hushbit_reporter_options& whole, const hushbit::Budget* budget) {
    const hushbit::Bundle* words = bundle == nullptr ? nullptr : &bundle->bundle;
    return made->reporter.init(words, whole, budget, error);
  };
  return hushbit::create_holding(bundle, kDefaultOptions, *options, reporter, error, init);
}

void hushbit_reporter_destroy(hushbit_reporter* reporter) {
  if (reporter != nullptr) hushbit::destroy_holding(reporter);
}

hushbit_status hushbit_reporter_get_info(const hushbit_reporter* reporter, hushbit_reporter_info* info,
                                         hushbit_error* error) {
  if (reporter == nullptr || info == nullptr) return null_argument(error);
  return give(reporter->reporter.info(), "the reporter info", info, error);
}

hushbit_status hushbit_reporter_value(const hushbit_reporter* reporter, uint32_t value, char* buffer, size_t capacity,
                                      size_t* bytes, hushbit_error* error) {
  if (reporter == nullptr || bytes == nullptr || (buffer == nullptr && capacity > 0)) return null_argument(error);
  const uint32_t longest = reporter->reporter.info().max_value_bytes;
  if (capacity < longest) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the buffer has %zu bytes; values have up to %u", capacity,
                longest);
  }
  return reporter->reporter.spell(value, reinterpret_cast<uint8_t*>(buffer), bytes, error);
}

hushbit_status hushbit::report_text_checked(const hushbit_reporter* reporter, const char* text, size_t text_bytes,
                                            RandomSource random, hushbit_report* report, hushbit_error* error) {
  if (reporter == nullptr || report == nullptr || (text == nullptr && text_bytes > 0)) return null_argument(error);
  return report_to(report, error, [&](hushbit_report* whole) {
    return reporter->reporter.report_text(as_bytes(text, text_bytes), random, whole, error);
  });
}

hushbit_status hushbit::report_value_checked(const hushbit_reporter* reporter, uint32_t value, RandomSource random,
                                             hushbit_report* report, hushbit_error* error) {
  if (reporter == nullptr || report == nullptr) return null_argument(error);
  return report_to(report, error,
                   [&](hushbit_report* whole) { return reporter->reporter.report_value(value, random, whole, error); });
}

hushbit_status hushbit::report_word_checked(const hushbit_reporter* reporter, const char* word, size_t word_bytes,
                                            RandomSource random, hushbit_report* report, hushbit_error* error) {
  if (reporter == nullptr || report == nullptr || (word == nullptr && word_bytes > 0)) return null_argument(error);
  return report_to(report, error, [&](hushbit_report* whole) {
    return reporter->reporter.report_word(as_bytes(word, word_bytes), random, whole, error);
  });
}

hushbit_status hushbit_report_text(const hushbit_reporter* reporter, const char* text, size_t text_bytes,
                                   hushbit_report* report, hushbit_error* error) {
  return hushbit::report_text_checked(reporter, text, text_bytes, system_random(), report, error);
}

hushbit_status hushbit_report_value(const hushbit_reporter* reporter, uint32_t value, hushbit_report* report,
                                    hushbit_error* error) {
  return hushbit::report_value_checked(reporter, value, system_random(), report, error);
}

hushbit_status hushbit_report_word(const hushbit_reporter* reporter, const char* word, size_t word_bytes,
                                   hushbit_report* report, hushbit_error* error) {
  return hushbit::report_word_checked(reporter, word, word_bytes, system_random(), report, error);
}
