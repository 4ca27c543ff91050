// Hushbit: text made private on the device, before it leaves it.
//
// HOW TO USE
//   1. hushbit_bundle_open       map a `.hushbit` file
//   2. hushbit_options_init      take the bundle's defaults, change what you like
//   3. hushbit_privatizer_create fix mechanism, epsilon and policies
//   4. hushbit_result_create     one reusable result for each thread
//   5. hushbit_privatize         text in, privatized text in the result; read it with hushbit_result_*
//   6. close and destroy what was created, in any order
// A keyboard is used every day: hushbit_options.device_key makes repeats repeat their noise, and hushbit_options.budget
// bounds what all releases cost together (docs/repetition-and-budget.md).
//
// OWNERSHIP. Every `*_open` and `*_create` hands its object to the caller, who gives it back to the matching
// `*_close` or `*_destroy`; both accept NULL. A privatizer keeps its bundle and budget alive by itself. Pointers that
// an accessor returns belong to the object asked, and stay valid until that object changes or is given back.
//
// THREADS. Bundles, privatizers and budgets: any number of threads may use one at once, except while it is closed. A
// result belongs to one thread at a time.
//
// STRUCTS WITH A struct_size can grow: later versions append fields. Set struct_size to sizeof of the struct before you
// hand it over, also where it is only filled: `hushbit_cost cost = {.struct_size = sizeof(cost)};`. A caller that was
// built against an earlier header gives a smaller size: of what is filled it gets the fields it knows, and what its
// options lack has the default of hushbit_options_init. A size that no version up to this one had is an
// INVALID_ARGUMENT, and nothing is written. Structs without a struct_size never change.
// Before version 1.0 the binary interface may still break between minor versions; build the library and its callers
// from the same header, and read the changelog.
//
// STACK. Calls that take text, words or codes need up to 90 KB of it, and overwrite what they used before they return.
//
// ERRORS. Functions that can fail return a hushbit_status and take a `hushbit_error*`, which may be NULL and is
// written only on failure. On failure every out-parameter is left as it was. Messages never contain text that was
// to be privatized. Nothing is thrown, and nothing is written to a file but the budget and the audit log that the
// caller asks for; there is no global state.
//
// TEXT is UTF-8 with an explicit length in bytes; it may contain NUL. Lengths are in bytes, offsets are counted from
// the start of the text, ranges are half open. EPSILON is a budget in the unit of the
// mechanism, a hushbit_epsilon_unit: numbers of different units cannot be compared.
//
// A COST compares two texts with as many tokens, the same of them left out, passed through or public. With a device key
// the two must also have the same pattern of equal words: "cat cat" and "cat dog" can then always be told apart,
// whatever worst_case says. Of texts that differ otherwise a cost says nothing, so it is no local-DP epsilon between
// any two texts: how many tokens were typed is not hidden, and "don't" is two of them, an e-mail address several.
#ifndef HUSHBIT_HUSHBIT_H_
#define HUSHBIT_HUSHBIT_H_

#include <stddef.h>
#include <stdint.h>

#include "types.h"  // beside this file, so that Swift finds it without a search path

// The version of this source tree; the one place where it is written.
#define HUSHBIT_VERSION "0.1.0"

// On Windows, define HUSHBIT_SHARED in every source that uses Hushbit as a DLL, and HUSHBIT_BUILD as well while the DLL
// itself is compiled. A static library needs neither.
#if defined(_WIN32) && defined(HUSHBIT_SHARED) && defined(HUSHBIT_BUILD)
#define HUSHBIT_API __declspec(dllexport)
#elif defined(_WIN32) && defined(HUSHBIT_SHARED)
#define HUSHBIT_API __declspec(dllimport)
#elif defined(_WIN32)
#define HUSHBIT_API
#else
#define HUSHBIT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Library ---------------------------------------------------------------------------------------------------

// The version of this library, "major.minor.patch". Static storage. Cannot fail. Any thread.
HUSHBIT_API const char* hushbit_version(void);
// A status as a short English phrase. Static storage; unknown values give "unknown status". Any thread.
HUSHBIT_API const char* hushbit_status_name(hushbit_status status);
// The name of a hushbit_mechanism, "brr" or "tem", as in an audit log; "unknown" for others. Static storage. Any
// thread.
HUSHBIT_API const char* hushbit_mechanism_name(uint32_t mechanism);
// The name of the `index`-th of the sets of instructions that this processor can search with, the fastest first and the
// one in use: "avx512", "avx2", "neon", "simd128" (WebAssembly), "scalar". NULL beyond the last. Static storage. Any
// thread.
HUSHBIT_API const char* hushbit_kernel_name(uint32_t index);
// The Unicode version of the tokenizer's tables, packed as in hushbit_bundle_info. Cannot fail. Any thread.
HUSHBIT_API uint32_t hushbit_unicode_version(void);

// ---- Bundles ---------------------------------------------------------------------------------------------------

// Maps the bundle at `path` (NUL-terminated; any bytes, UTF-8 on Windows) read-only and checks its structure: header,
// section table, counts against lengths. Bulk pages are not touched; call hushbit_bundle_verify for that. On success
// `*bundle` is the caller's, to hushbit_bundle_close. The file must not be changed while it is open; replace it by
// renaming. Fails with INVALID_ARGUMENT, FILE_NOT_FOUND, IO_ERROR, CORRUPT_BUNDLE, UNSUPPORTED_BUNDLE, OUT_OF_MEMORY.
// Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_open(const char* path, hushbit_bundle** bundle, hushbit_error* error);

// The same for `length` bytes of an open file from `offset` on, neither of which needs to be page aligned: an Android
// asset, a section of a larger file. The descriptor stays the caller's and may be closed at once. Not on Windows.
HUSHBIT_API hushbit_status hushbit_bundle_open_fd(int fd, uint64_t offset, uint64_t length, hushbit_bundle** bundle,
                                                  hushbit_error* error);

// The same for memory, which stays the caller's and must stay unchanged until every user of the bundle is closed.
// `data` must be aligned to 8 bytes, else INVALID_ARGUMENT.
HUSHBIT_API hushbit_status hushbit_bundle_open_memory(const void* data, size_t length, hushbit_bundle** bundle,
                                                      hushbit_error* error);

// Gives a bundle back; it is unmapped when its last privatizer is closed too. NULL is ignored. Not while another thread
// is inside a call with this same handle.
HUSHBIT_API void hushbit_bundle_close(hushbit_bundle* bundle);

// Reads every byte: section hashes, zero padding, word order, what opening left unchecked. OK, or CORRUPT_BUNDLE with
// the section and byte. Slow: for 400,000 words tens of milliseconds, a second with a multi-index hash. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_verify(const hushbit_bundle* bundle, hushbit_error* error);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_get_info(const hushbit_bundle* bundle, hushbit_bundle_info* info,
                                                   hushbit_error* error);

// The bundle's JSON description, UTF-8, not NUL-terminated, `*length` bytes; the bundle's memory. Any thread.
HUSHBIT_API const char* hushbit_bundle_meta(const hushbit_bundle* bundle, size_t* length);

// Number of sections, and the `index`-th of them in `*section`, whose struct_size is set. INVALID_ARGUMENT if out of
// range. Any thread.
HUSHBIT_API uint32_t hushbit_bundle_section_count(const hushbit_bundle* bundle);
HUSHBIT_API hushbit_status hushbit_bundle_section(const hushbit_bundle* bundle, uint32_t index,
                                                  hushbit_section_info* section, hushbit_error* error);

// The id of a word, exactly as spelled (no normalization): its rank in byte order, 0 to words - 1. UNKNOWN_WORD if it
// is not in the vocabulary, CORRUPT_BUNDLE if the section is damaged. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_find(const hushbit_bundle* bundle, const char* word, size_t word_bytes,
                                               uint32_t* id, hushbit_error* error);

// The word of an id, copied to `buffer` (not NUL-terminated), its length to `*word_bytes`. `capacity` must be at least
// the bundle's max_word_bytes, else INVALID_ARGUMENT. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_word(const hushbit_bundle* bundle, uint32_t id, char* buffer, size_t capacity,
                                               size_t* word_bytes, hushbit_error* error);

// The id of the `index`-th of the output words, which alone may come out, in the order of ids; `index` is below
// output_words. INVALID_ARGUMENT if it is not, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_output_word(const hushbit_bundle* bundle, uint32_t index, uint32_t* id,
                                                      hushbit_error* error);

// The output word, by its id, that stands in for a word, which is released by its code and its crowd. Of an output
// word, the word itself. INVALID_ARGUMENT if the id is out of range, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_stand_in(const hushbit_bundle* bundle, uint32_t id, uint32_t* stand_in,
                                                   hushbit_error* error);

// The code of an id, bits / 8 bytes to `code`: bit i is bit i % 8, from the least significant on, of byte i / 8.
// INVALID_ARGUMENT if the id is out of range, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_code(const hushbit_bundle* bundle, uint32_t id, uint8_t* code,
                                               hushbit_error* error);

// For each of `count` codes of bits / 8 bytes, one after another, its nearest words, exactly. Many at once take less
// time than one by one. Fails with INVALID_ARGUMENT, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_nearest(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
                                                  hushbit_nearest* nearest, hushbit_error* error);

// The `k` nearest words of one code, sorted by distance, then by id; `k` from 1 to the number of words. `ids` and
// `distances` have room for `k`. Fails with INVALID_ARGUMENT, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_neighbors(const hushbit_bundle* bundle, const uint8_t* code, size_t k,
                                                    uint32_t* ids, uint32_t* distances, hushbit_error* error);

// The largest distance between a word at a place of [first, last) and any word at the same or a higher place, or
// `floor` if none is larger: P_max when all ranges were asked and `floor` carried along. Places are those of the
// bundle's own order, which is not that of ids. INVALID_ARGUMENT if first > last or last > words. Takes time: first to
// last times the vocabulary. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_farthest(const hushbit_bundle* bundle, uint32_t first, uint32_t last,
                                                   uint32_t floor, uint32_t* distance, hushbit_error* error);

// ---- Privatizers -----------------------------------------------------------------------------------------------

// Fills `*options`, whose struct_size is set, with the bundle's defaults: its mechanism and epsilon, beta 0.001,
// OOV_RANDOM, PUNCTUATION_DROP, mask "[unk]", no device key, no budget, no audit log, SEARCH_AUTO. Fails with
// INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_options_init(const hushbit_bundle* bundle, hushbit_options* options,
                                                hushbit_error* error);

// Binds options to a bundle. On success `*privatizer` is the caller's, to hushbit_privatizer_close.
// INVALID_ARGUMENT for an epsilon that is negative, NaN or infinite, a beta outside (0, 1) with TEM, an unknown
// mechanism, policy or search, a mask that is empty, too long or not UTF-8; STORAGE_ERROR for an audit log that cannot
// be opened; OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_create(const hushbit_bundle* bundle, const hushbit_options* options,
                                                     hushbit_privatizer** privatizer, hushbit_error* error);

// Wipes a privatizer and gives it back. NULL is ignored. Not while another thread is inside a call with this same
// handle.
HUSHBIT_API void hushbit_privatizer_close(hushbit_privatizer* privatizer);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_get_info(const hushbit_privatizer* privatizer,
                                                       hushbit_privatizer_info* info, hushbit_error* error);

// ---- Budgets ---------------------------------------------------------------------------------------------------

// Fills `*limits`, whose struct_size is set, with no caps at all. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_limits_init(hushbit_budget_limits* limits, hushbit_error* error);

// Opens the ledger at `path` (as in hushbit_bundle_open), or creates an empty one. Beside it `PATH.lock` and, for
// moments, `PATH.new` are written. The caps are the caller's: the file holds what was spent, not what may be. On
// success `*budget` is the caller's, to hushbit_budget_close. Reach a ledger by one path only, on a local disk, and
// keep it out of backups: restoring an old one would give back what was spent. Fails with INVALID_ARGUMENT (a cap that
// is negative or NaN), CORRUPT_BUDGET, UNSUPPORTED_BUDGET, STORAGE_ERROR, OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_open(const char* path, const hushbit_budget_limits* limits,
                                               hushbit_budget** budget, hushbit_error* error);

// Gives a budget back; it stays alive until its last privatizer is closed too. NULL is ignored. Not while another
// thread is inside a call with this same handle.
HUSHBIT_API void hushbit_budget_close(hushbit_budget* budget);

// Spends `worst_case` and `tokens`, if no cap stands against it: OK once that is on the disk. An infinite cost needs
// both caps on costs to be INFINITY. Exact under threads and processes that spend at once, who wait for each other;
// after a crash at any instant the ledger holds at least what was answered with OK. Fails with BUDGET_EXHAUSTED
// (nothing was spent), CORRUPT_BUDGET, UNSUPPORTED_BUDGET, STORAGE_ERROR (it may be spent or not), INVALID_ARGUMENT (a
// cost that is negative or NaN); then nothing may be released. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_try_spend(hushbit_budget* budget, double worst_case, uint64_t tokens,
                                                    hushbit_error* error);

// Fills `*state`, whose struct_size is set, with what is spent as of now. Fails like hushbit_budget_try_spend, without
// BUDGET_EXHAUSTED. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_get_state(const hushbit_budget* budget, hushbit_budget_state* state,
                                                    hushbit_error* error);

// The same for the ledger at `path`, which is only read: no lock, and FILE_NOT_FOUND if there is none. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_read(const char* path, hushbit_budget_state* state, hushbit_error* error);

// Makes the ledger at `path` an empty one, damaged or not: what was spent is forgotten, and with it the promise of its
// caps. Waits for those who spend. INVALID_ARGUMENT if the file there is clearly something else; STORAGE_ERROR. Any
// thread.
HUSHBIT_API hushbit_status hushbit_budget_reset(const char* path, hushbit_error* error);

// ---- Privatizing -----------------------------------------------------------------------------------------------

// An empty result, the caller's, to hushbit_result_destroy. Fails with OUT_OF_MEMORY only. Any thread.
HUSHBIT_API hushbit_status hushbit_result_create(hushbit_result** result, hushbit_error* error);
// Wipes and frees a result. NULL is ignored.
HUSHBIT_API void hushbit_result_destroy(hushbit_result* result);

// Privatizes `text` into `result`, replacing what it held. Replacements are joined by single spaces. Fresh randomness
// from the operating system for every token, unless there is a device key. With a budget the text's worst case is spent
// before any noise is drawn, which waits for the disk; a failure after that leaves it spent. Memory is allocated only
// if `result` never held a text this long. Fails with INVALID_ARGUMENT, INVALID_UTF8, UNKNOWN_WORD, RANDOMNESS_FAILED,
// OUT_OF_MEMORY, CORRUPT_BUNDLE, and with a budget or audit log as hushbit_budget_try_spend does; then the result is
// empty and nothing is released. Any thread, one result a thread.
HUSHBIT_API hushbit_status hushbit_privatize(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                             hushbit_result* result, hushbit_error* error);

// Only tokenizes: fills the result's tokens (output ranges empty), leaves its text empty and its cost zero. Same
// failures, without RANDOMNESS_FAILED and UNKNOWN_WORD. Any thread, one result a thread.
HUSHBIT_API hushbit_status hushbit_tokenize(const hushbit_bundle* bundle, const char* text, size_t text_bytes,
                                            hushbit_result* result, hushbit_error* error);

// The privatized text, UTF-8, not NUL-terminated, `*length` bytes. The result's memory, until its next use. Never NULL
// for a non-NULL result.
HUSHBIT_API const char* hushbit_result_text(const hushbit_result* result, size_t* length);
// The tokens in text order, `*count` of them. The result's memory, until its next use. NULL if there are none.
// Tokens describe the text as typed: they are for the app's own use and must not be sent along.
HUSHBIT_API const hushbit_token* hushbit_result_tokens(const hushbit_result* result, size_t* count);
// Fills `*cost`, whose struct_size is set, with what the release cost. Fails with INVALID_ARGUMENT only. No allocation.
HUSHBIT_API hushbit_status hushbit_result_get_cost(const hushbit_result* result, hushbit_cost* cost,
                                                   hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HUSHBIT_HUSHBIT_H_
