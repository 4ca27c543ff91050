// Reports tell how frequent words, emoji, answers and new words are. They are part of the C interface; include
// hushbit.h.
//
// A report is a number about one value of a text. For any two texts, of any length, and any report: the probabilities
// that it is released differ by a factor of at most e^epsilon (docs/proofs.md). Reports of many texts are counted
// (docs/counting.md).
#ifndef HUSHBIT_REPORTS_H_
#define HUSHBIT_REPORTS_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit.h"  // in the same folder, so that Swift finds it without a search path

#ifdef __cplusplus
extern "C" {
#endif

// Values, an epsilon and policies: what reports are made of.
typedef struct hushbit_reporter hushbit_reporter;

// What reports are about. Value 0 is "none", unless a list is used without it, and the others follow in order.
typedef enum hushbit_values {
  HUSHBIT_VALUES_WORDS = 1,      // the bundle's output words; a word is reported by its stand-in
  HUSHBIT_VALUES_EMOJI = 2,      // the emoji of the library's Unicode version
  HUSHBIT_VALUES_LIST = 3,       // a list of the caller: answers, screens, categories
  HUSHBIT_VALUES_NEW_WORDS = 4,  // words that the bundle lacks; values are buckets of a hash (docs/counting.md)
} hushbit_values;

typedef struct hushbit_reporter_options {
  uint64_t struct_size;  // set by the caller, before hushbit_reporter_options_init
  double epsilon;        // the epsilon of a whole text, 0.01 to 16
  uint32_t values;       // a hushbit_values; LIST: 2 to 2^24 values, "none" included
  uint32_t punctuation;  // a hushbit_punctuation_policy, for WORDS: PRIVATIZE reports punctuation that has a word id
  int32_t skin_tones;    // for EMOJI: 0: tones are left out; 1: emoji with skin tones are values of their own
  int32_t none;          // for LIST: 1: value 0 is "none", for texts that are not in the list; 0: they are an error
  const char* list;      // for LIST: one value a line, in UTF-8; copied
  size_t list_bytes;
  const char* pass_over;  // for WORDS: words that are never reported, one a line, spelled as in the vocabulary; copied.
  size_t pass_over_bytes;     // The list must be public. Words that the vocabulary lacks are ignored
  const uint8_t* device_key;  // NULL, or 32 secret bytes, as in hushbit_embedder_options: the same text has the same
                              // report within an epoch
  uint64_t epoch;
  hushbit_budget* budget;  // NULL: none. Otherwise epsilon is spent before a report is drawn, and one token is counted
  const char* audit_log;   // NULL: none. Otherwise the path of a file to which every report appends a line of JSON:
                           // cost, day and the hash of the values; UTF-8, NUL-terminated, copied
} hushbit_reporter_options;

typedef struct hushbit_reporter_info {
  uint64_t struct_size;  // set by the caller
  double requested_epsilon;
  double effective_epsilon;  // what the integers promise for a whole text, never above the requested one
  uint64_t reports;          // the number of different reports, which are numbered from 0
  uint64_t threshold;        // L: a report is of the set of its value if a uniform 64-bit integer is below this
  double probability;        // threshold / 2^64
  uint32_t values;           // a hushbit_values
  uint32_t value_count;      // N, the number of values, "none" included
  uint32_t prime;            // q, or N - 1 for randomized response
  uint32_t dimension;        // t; 2: randomized response
  uint32_t points;           // Z, the number of reports of a group
  uint32_t set_size;         // s, the number of reports of a group that are in the set of a value
  uint32_t groups;           // NEW_WORDS: one for each length of a beginning and each hash; otherwise 1
  uint32_t max_value_bytes;  // the length of the longest spelling of a value
  int32_t has_none;          // 1 if value 0 is "none"
  int32_t memoized;          // 1 if a device key was given
  uint8_t hash[32];          // identifies the values; reports about different values cannot be counted together
} hushbit_reporter_info;

// A report: what may be released of a whole text.
typedef struct hushbit_report {
  uint64_t struct_size;  // set by the caller
  uint64_t report;       // its number, 0 to hushbit_reporter_info.reports - 1
  double epsilon;        // the requested one, which counting needs
  uint8_t values[8];     // the first bytes of the hash of the values
} hushbit_report;

// Fills `*options`, whose struct_size is set, with the defaults: WORDS, epsilon 2, PUNCTUATION_DROP, no skin tones, no
// lists, no device key, no budget, no audit log. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_reporter_options_init(hushbit_reporter_options* options, hushbit_error* error);

// Makes a reporter. `bundle` may be NULL for EMOJI and LIST. On success the caller owns `*reporter` and must pass it to
// hushbit_reporter_destroy; it keeps its bundle and budget alive. INVALID_ARGUMENT for an epsilon out of range, an
// unknown kind or policy, or a list that has fewer than 2 values or a value that is empty, not UTF-8 or there twice.
// STORAGE_FAILED for an audit log that cannot be opened. CORRUPT_BUNDLE, OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_reporter_create(const hushbit_bundle* bundle,
                                                   const hushbit_reporter_options* options, hushbit_reporter** reporter,
                                                   hushbit_error* error);

// Wipes and closes a reporter. NULL is ignored. Must not be called while another thread is inside a call with the same
// handle.
HUSHBIT_API void hushbit_reporter_destroy(hushbit_reporter* reporter);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_reporter_get_info(const hushbit_reporter* reporter, hushbit_reporter_info* info,
                                                     hushbit_error* error);

// Copies the spelling of a value to `buffer` (not NUL-terminated), and its length to `*bytes`. "none" has 0 bytes.
// `value` is from 0 to the number of values - 1, and `capacity` at least max_value_bytes. INVALID_ARGUMENT also for
// buckets of new words. CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_reporter_value(const hushbit_reporter* reporter, uint32_t value, char* buffer,
                                                  size_t capacity, size_t* bytes, hushbit_error* error);

// Reports one text of any length: fills `*report`, whose struct_size is set. One of the words, emoji or unknown words
// that may be reported is drawn uniformly; if there are none, "none" is reported. With a LIST, the whole text is one
// value. Randomness comes from the operating system, unless there is a device key. With a budget, epsilon is spent
// before anything is drawn. Fails with INVALID_ARGUMENT, INVALID_TEXT, RANDOMNESS_FAILED, CORRUPT_BUNDLE, UNKNOWN_WORD
// for a text that is not in a LIST without "none", and with a budget or audit log like hushbit_budget_spend. After a
// failure nothing is released. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_report_text(const hushbit_reporter* reporter, const char* text, size_t text_bytes,
                                               hushbit_report* report, hushbit_error* error);

// Does the same for a value by its number, 0 to the number of values - 1. INVALID_ARGUMENT if there is no such value,
// and for buckets of new words.
HUSHBIT_API hushbit_status hushbit_report_value(const hushbit_reporter* reporter, uint32_t value,
                                                hushbit_report* report, hushbit_error* error);

// Does the same with NEW_WORDS for one word of which the caller knows that it is new. If it is not 2 to 24 letters,
// "none" is reported. INVALID_ARGUMENT if reports are not about new words.
HUSHBIT_API hushbit_status hushbit_report_word(const hushbit_reporter* reporter, const char* word, size_t word_bytes,
                                               hushbit_report* report, hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HUSHBIT_REPORTS_H_
