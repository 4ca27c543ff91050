// Hushbit makes text private on the device, before it leaves the device.
//
// HOW TO USE
//   1. hushbit_bundle_open       map a `.hushbit` file
//   2. hushbit_privatizer_options_init  start from the bundle's defaults and change what you want
//   3. hushbit_privatizer_create fix mechanism, epsilon and policies
//   4. hushbit_result_create     one reusable result for each thread
//   5. hushbit_privatize         text in, privatized text in the result; read it with hushbit_result_*
//   6. close and destroy what was created, in any order
// To learn what texts are about, release one embedding of each instead of its words: hushbit_embedder_create, then
// hushbit_embed, which costs one small epsilon for the whole text (docs/proofs.md).
// To count what many people type, release one report of each text: hushbit_reporter_create, then hushbit_report_text.
// A keyboard is used every day: with hushbit_privatizer_options.device_key a repeated word gets the same noise again,
// and hushbit_privatizer_options.budget limits the total cost of all releases (docs/repetition-and-budget.md).
//
// OWNERSHIP. Every `*_open` and `*_create` gives the caller ownership of its object. The caller must pass it to the
// matching `*_close` or `*_destroy`; both accept NULL. A privatizer or an embedder keeps its bundle and budget alive, a
// classifier its embedder. Pointers that an accessor returns belong to the object. They stay valid until the object
// changes or is closed or destroyed.
//
// THREADS. Any number of threads may use the same bundle, privatizer, embedder, classifier or budget at once, except
// while it is being closed. A result belongs to one thread at a time. "Any thread" below means that any thread may call
// the function.
//
// STRUCTS WITH A struct_size can grow: later versions append fields. Set struct_size to the sizeof of the struct before
// you pass it, even if the function only fills it: `hushbit_cost cost = {.struct_size = sizeof(cost)};`. A caller that
// was built against an earlier header passes a smaller size. Of an output struct it gets only the fields that it knows.
// Fields that its options lack have the defaults of hushbit_privatizer_options_init. A size that neither this version
// nor an earlier one had is an INVALID_ARGUMENT, and nothing is written. Structs without a struct_size never change.
// Before version 1.0 the binary interface may still break between minor versions; build the library and its callers
// from the same header, and read the changelog.
//
// STACK. Calls that take text, words or codes need up to 90 KB of stack. They overwrite what they used before they
// return.
//
// ERRORS. Functions that can fail return a hushbit_status and take a `hushbit_error*`, which may be NULL and is written
// only on failure. On failure every output parameter keeps its value. Messages never contain text that was passed in to
// be privatized. Nothing is thrown. No file is written except the budget and the audit log that the caller requests.
// There is no global state.
//
// TEXT is UTF-8 with an explicit length in bytes; it may contain NUL. Lengths are in bytes, offsets are counted from
// the start of the text, and ranges are half open. EPSILON is in the unit of the mechanism, a hushbit_epsilon_unit.
// Values in different units cannot be compared.
//
// A COST compares two texts with the same number of tokens, of which the same are left out, passed through or public.
// With a device key the two texts must also have the same pattern of equal words: "cat cat" and "cat dog" can then
// always be distinguished, whatever worst_case says. A cost says nothing about texts that differ in other ways, so it
// is not a local-DP epsilon between any two texts, as that of an embedding is. The number of typed tokens is not
// hidden; "don't" is two tokens, and an e-mail address is several.
#ifndef HUSHBIT_HUSHBIT_H_
#define HUSHBIT_HUSHBIT_H_

#include <stddef.h>
#include <stdint.h>

#include "types.h"  // in the same folder, so that Swift finds it without a search path

// The version of this source tree. It is written only here.
#define HUSHBIT_VERSION "0.1.0"

// Define HUSHBIT_SHARED in every source that uses Hushbit as a shared library. Also define HUSHBIT_BUILD when the
// shared library itself is compiled. A static library needs neither, and what links it does not export these functions.
// CMake's hushbit::core and pkg-config define what is needed.
#if !defined(HUSHBIT_SHARED)
#define HUSHBIT_API
#elif !defined(_WIN32)
#define HUSHBIT_API __attribute__((visibility("default")))
#elif defined(HUSHBIT_BUILD)
#define HUSHBIT_API __declspec(dllexport)
#else
#define HUSHBIT_API __declspec(dllimport)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Library ---------------------------------------------------------------------------------------------------

// Returns the version of this library, "major.minor.patch". Static storage. Cannot fail. Any thread.
HUSHBIT_API const char* hushbit_version(void);
// Returns a status as a short English phrase, or "unknown status" for unknown values. Static storage. Any thread.
HUSHBIT_API const char* hushbit_status_name(hushbit_status status);
// Returns the name of a hushbit_mechanism, "brr", "tem" or "crowd", or of a hushbit_text_mechanism, "embedding" or
// "report", as in an audit log; "unknown" for other values. Static storage. Any thread.
HUSHBIT_API const char* hushbit_mechanism_name(uint32_t mechanism);
// Returns the name of the `index`-th instruction set that the search can use on this processor: "avx512", "avx2",
// "neon", "simd128" (WebAssembly), "scalar". The fastest comes first, and it is the one in use. NULL beyond the last.
// Static storage. Any thread.
HUSHBIT_API const char* hushbit_kernel_name(uint32_t index);
// Returns the Unicode version of the tokenizer's tables, packed as in hushbit_bundle_info. Cannot fail. Any thread.
HUSHBIT_API uint32_t hushbit_unicode_version(void);

// ---- Bundles ---------------------------------------------------------------------------------------------------

// Maps the bundle at `path` (NUL-terminated; any bytes, UTF-8 on Windows) read-only and checks its structure: header,
// section table, counts against lengths. The bulk data is not read; call hushbit_bundle_verify to check it. On success
// the caller owns `*bundle` and must pass it to hushbit_bundle_close. The file must not be changed while it is open;
// replace it by renaming. Windows does not replace a file that is mapped, not even by renaming: close the bundle and
// its privatizers first. Fails with INVALID_ARGUMENT, FILE_NOT_FOUND, READ_FAILED, CORRUPT_BUNDLE, UNSUPPORTED_BUNDLE,
// OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_open(const char* path, hushbit_bundle** bundle, hushbit_error* error);

// Does the same for `length` bytes of an open file starting at `offset`, such as an Android asset or a section of a
// larger file. Neither number needs to be page aligned. The caller keeps the descriptor and may close it at once. Not
// available on Windows.
HUSHBIT_API hushbit_status hushbit_bundle_open_fd(int fd, uint64_t offset, uint64_t length, hushbit_bundle** bundle,
                                                  hushbit_error* error);

// Does the same for memory. The caller keeps the memory, which must stay unchanged until every user of the bundle is
// closed. `data` must be aligned to 8 bytes, otherwise INVALID_ARGUMENT.
HUSHBIT_API hushbit_status hushbit_bundle_open_memory(const void* data, size_t length, hushbit_bundle** bundle,
                                                      hushbit_error* error);

// Closes a bundle. It is unmapped when its last privatizer is closed too. NULL is ignored. Must not be called while
// another thread is inside a call with the same handle.
HUSHBIT_API void hushbit_bundle_close(hushbit_bundle* bundle);

// Reads every byte and checks section hashes, zero padding, word order and everything that opening did not check.
// Returns OK, or CORRUPT_BUNDLE with the section and byte. Slow: for 400,000 words it takes tens of milliseconds, or a
// second with a multi-index hash. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_verify(const hushbit_bundle* bundle, hushbit_error* error);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_get_info(const hushbit_bundle* bundle, hushbit_bundle_info* info,
                                                   hushbit_error* error);

// Returns the bundle's JSON description, in UTF-8, not NUL-terminated, `*length` bytes. The memory belongs to the
// bundle. Any thread.
HUSHBIT_API const char* hushbit_bundle_meta(const hushbit_bundle* bundle, size_t* length);

// The first function returns the number of sections. The second fills `*section`, whose struct_size is set, with the
// `index`-th section. INVALID_ARGUMENT if `index` is out of range. Any thread.
HUSHBIT_API uint32_t hushbit_bundle_section_count(const hushbit_bundle* bundle);
HUSHBIT_API hushbit_status hushbit_bundle_section(const hushbit_bundle* bundle, uint32_t index,
                                                  hushbit_section_info* section, hushbit_error* error);

// Writes the id of a word, which must be spelled exactly as in the vocabulary (no normalization). The id is the rank of
// the word in byte order, 0 to words - 1. UNKNOWN_WORD if the word is not in the vocabulary, CORRUPT_BUNDLE if the
// section is damaged. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_find(const hushbit_bundle* bundle, const char* word, size_t word_bytes,
                                               uint32_t* id, hushbit_error* error);

// Copies the word of an id, 0 to the number of words - 1, to `buffer` (not NUL-terminated), and its length to
// `*word_bytes`. `capacity` must be at least the bundle's max_word_bytes. INVALID_ARGUMENT if one of them is not. No
// allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_word(const hushbit_bundle* bundle, uint32_t id, char* buffer, size_t capacity,
                                               size_t* word_bytes, hushbit_error* error);

// Writes the id of the `index`-th output word, in the order of ids. Only output words may come out. INVALID_ARGUMENT if
// `index` is not below output_words, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_output_word(const hushbit_bundle* bundle, uint32_t index, uint32_t* id,
                                                      hushbit_error* error);

// Writes the id of the stand-in of a word: the output word whose code and crowd are used to release it. An output word
// is its own stand-in. INVALID_ARGUMENT if the id is out of range, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_stand_in(const hushbit_bundle* bundle, uint32_t id, uint32_t* stand_in,
                                                   hushbit_error* error);

// Writes the code of an id, bits / 8 bytes, to `code`. Bit i is bit i % 8, counted from the least significant, of byte
// i / 8. INVALID_ARGUMENT if the id is out of range, CORRUPT_BUNDLE. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_code(const hushbit_bundle* bundle, uint32_t id, uint8_t* code,
                                               hushbit_error* error);

// Finds the exact nearest words for each of `count` codes of bits / 8 bytes, which are stored one after another. One
// call with many codes takes less time than many calls. Fails with INVALID_ARGUMENT, CORRUPT_BUNDLE. No allocation. Any
// thread.
HUSHBIT_API hushbit_status hushbit_bundle_nearest(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
                                                  hushbit_nearest* nearest, hushbit_error* error);

// Writes the `k` output words that are nearest to a code, sorted by distance, then by id. `k` is from 1 to the number
// of output words. `ids` and `distances` must have room for `k` entries. Fails with INVALID_ARGUMENT, CORRUPT_BUNDLE.
// No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_neighbors(const hushbit_bundle* bundle, const uint8_t* code, size_t k,
                                                    uint32_t* ids, uint32_t* distances, hushbit_error* error);

// Writes the largest distance between a word at a place in [first, last) and any word at the same or a higher place, or
// `floor` if no distance is larger. To compute P_max, call it for all ranges and pass each result as the next `floor`.
// Places follow the bundle's internal order, which is not the order of ids. INVALID_ARGUMENT if first > last or last >
// words. The time is proportional to (last - first) times the size of the vocabulary. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_bundle_farthest(const hushbit_bundle* bundle, uint32_t first, uint32_t last,
                                                   uint32_t floor, uint32_t* distance, hushbit_error* error);

// ---- Privatizers -----------------------------------------------------------------------------------------------

// Fills `*options`, whose struct_size is set, with the bundle's defaults: its mechanism and epsilon, beta 0.001,
// OOV_RANDOM, PUNCTUATION_DROP, mask "[unk]", no device key, no budget, no audit log, SEARCH_AUTO, allow_unchanged 0.
// Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_options_init(const hushbit_bundle* bundle,
                                                           hushbit_privatizer_options* options, hushbit_error* error);

// Binds options to a bundle. On success the caller owns `*privatizer` and must pass it to hushbit_privatizer_destroy.
// INVALID_ARGUMENT for an epsilon that is negative, NaN or infinite, a beta outside (0, 1) with TEM, an unknown
// mechanism, policy or search, or a mask that is empty, too long or not UTF-8. STORAGE_FAILED for an audit log that
// cannot be opened. OUT_OF_MEMORY. Any thread.
//
// Unless `allow_unchanged` is 1, INVALID_ARGUMENT also for an epsilon that leaves more than about half of the words as
// they were typed. It is found without measuring, from what the bundle states. BRR and TEM: an epsilon above 1.05 times
// the bundle's default for the mechanism, at which half of the words stay unchanged. If the bundle has no such default,
// or one above 1.5 times the epsilon that leaves half of the words unchanged where their codes are random, then above
// 1.05 times the latter (docs/privacy.md has the formulas). Crowds: u - u0 > (1 - u0) / 2, where u is the chance that
// an output word drawn by its weight stays itself, and u0 the same for noise alone, at an epsilon of 0.
HUSHBIT_API hushbit_status hushbit_privatizer_create(const hushbit_bundle* bundle,
                                                     const hushbit_privatizer_options* options,
                                                     hushbit_privatizer** privatizer, hushbit_error* error);

// Wipes and closes a privatizer. NULL is ignored. Must not be called while another thread is inside a call with the
// same handle.
HUSHBIT_API void hushbit_privatizer_destroy(hushbit_privatizer* privatizer);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_privatizer_get_info(const hushbit_privatizer* privatizer,
                                                       hushbit_privatizer_info* info, hushbit_error* error);

// ---- Budgets ---------------------------------------------------------------------------------------------------

// Fills `*limits`, whose struct_size is set, so that there are no caps. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_limits_init(hushbit_budget_limits* limits, hushbit_error* error);

// Opens the ledger at `path` (as in hushbit_bundle_open), or creates an empty one. `PATH.lock` and, for short times,
// `PATH.new` are written next to it. The file records what was spent. It does not contain the caps; each caller sets
// its own. On success the caller owns `*budget` and must pass it to hushbit_budget_close. Always use the same path for
// a ledger, on a local disk, and keep it out of backups: restoring an old ledger would undo what was spent. Fails with
// INVALID_ARGUMENT (a cap that is negative or NaN), CORRUPT_BUDGET, UNSUPPORTED_BUDGET, STORAGE_FAILED, OUT_OF_MEMORY.
// Any thread.
HUSHBIT_API hushbit_status hushbit_budget_open(const char* path, const hushbit_budget_limits* limits,
                                               hushbit_budget** budget, hushbit_error* error);

// Closes a budget. It stays alive until its last privatizer is closed too. NULL is ignored. Must not be called while
// another thread is inside a call with the same handle.
HUSHBIT_API void hushbit_budget_close(hushbit_budget* budget);

// Spends `worst_case`, 0 or more, and `tokens` if the caps allow it, and returns OK when the ledger is on the disk. An
// infinite cost is allowed only if both caps on costs are INFINITY. The caps are exact when several threads and
// processes spend at once; they wait for each other. After a crash at any time the ledger contains at least everything
// for which OK was returned. Fails with BUDGET_EXHAUSTED (nothing was spent), CORRUPT_BUDGET, UNSUPPORTED_BUDGET,
// STORAGE_FAILED (the amount may have been spent or not), INVALID_ARGUMENT (a cost that is negative or NaN). After a
// failure nothing may be released. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_spend(hushbit_budget* budget, double worst_case, uint64_t tokens,
                                                hushbit_error* error);

// Does the same for `texts` releases of whole texts, which cost `worst_case` together. Each counts as a token and as a
// text.
HUSHBIT_API hushbit_status hushbit_budget_spend_texts(hushbit_budget* budget, double worst_case, uint32_t texts,
                                                      hushbit_error* error);

// Fills `*state`, whose struct_size is set, with what has been spent so far. Fails like hushbit_budget_spend,
// without BUDGET_EXHAUSTED. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_get_state(const hushbit_budget* budget, hushbit_budget_state* state,
                                                    hushbit_error* error);

// Does the same for the ledger at `path`, which is only read, without a lock. FILE_NOT_FOUND if it does not exist. Any
// thread.
HUSHBIT_API hushbit_status hushbit_budget_read(const char* path, hushbit_budget_state* state, hushbit_error* error);

// Replaces the ledger at `path`, damaged or not, with an empty one. What was spent is forgotten, so the caps no longer
// bound what was released before. Waits for threads and processes that are spending. INVALID_ARGUMENT if the file is
// clearly not a ledger; STORAGE_FAILED. Any thread.
HUSHBIT_API hushbit_status hushbit_budget_reset(const char* path, hushbit_error* error);

// ---- Privatizing -----------------------------------------------------------------------------------------------

// Creates an empty result. The caller owns it and must pass it to hushbit_result_destroy. Fails with OUT_OF_MEMORY
// only. Any thread.
HUSHBIT_API hushbit_status hushbit_result_create(hushbit_result** result, hushbit_error* error);
// Wipes and frees a result. NULL is ignored.
HUSHBIT_API void hushbit_result_destroy(hushbit_result* result);

// Privatizes `text` into `result` and replaces the previous contents of the result. Replacements are joined by single
// spaces. Every token gets fresh randomness from the operating system, unless there is a device key. With a budget, the
// worst case of the text is spent before any noise is drawn, and the call waits for the disk. If the call fails after
// that, the cost stays spent. Memory is allocated only if `result` never held a text this long. Fails with
// INVALID_ARGUMENT, INVALID_TEXT, UNKNOWN_WORD, RANDOMNESS_FAILED, OUT_OF_MEMORY, CORRUPT_BUNDLE, and with a budget or
// audit log like hushbit_budget_spend. After a failure the result is empty and nothing is released. Any thread,
// with one result per thread.
HUSHBIT_API hushbit_status hushbit_privatize(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                             hushbit_result* result, hushbit_error* error);

// Tokenizes only: fills the result's tokens (with empty output ranges), and leaves its text empty and its cost zero.
// The same failures, without RANDOMNESS_FAILED and UNKNOWN_WORD. Any thread, with one result per thread.
HUSHBIT_API hushbit_status hushbit_tokenize(const hushbit_bundle* bundle, const char* text, size_t text_bytes,
                                            hushbit_result* result, hushbit_error* error);

// Returns the privatized text, in UTF-8, not NUL-terminated, `*length` bytes. The memory belongs to the result and is
// valid until its next use. Never NULL for a non-NULL result.
HUSHBIT_API const char* hushbit_result_text(const hushbit_result* result, size_t* length);
// Returns the tokens in text order, `*count` of them. The memory belongs to the result and is valid until its next use.
// NULL if there are none. Tokens describe the text as typed: they are for the app's own use and must not be sent.
HUSHBIT_API const hushbit_token* hushbit_result_tokens(const hushbit_result* result, size_t* count);
// Fills `*cost`, whose struct_size is set, with the cost of the release. Fails with INVALID_ARGUMENT only. No
// allocation.
HUSHBIT_API hushbit_status hushbit_result_get_cost(const hushbit_result* result, hushbit_cost* cost,
                                                   hushbit_error* error);

// ---- Embeddings: what a whole text is about --------------------------------------------------------------------
//
// An embedding is one of K public directions, +1 or -1 in each of d dimensions. For any two texts, of any length, and
// any direction: the probabilities that it is released differ by a factor of at most e^epsilon (docs/proofs.md). So
// length, order and unknown words are hidden too. Embeddings of many texts tell what they are about.

// Fills `*options`, whose struct_size is set, with the defaults: epsilon 2, PUNCTUATION_DROP, no device key, no budget,
// no audit log. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_options_init(hushbit_embedder_options* options, hushbit_error* error);

// Binds options to a bundle that has an embedding (version 1.2 of the format). On success the caller owns `*embedder`
// and must pass it to hushbit_embedder_destroy. INVALID_ARGUMENT if the bundle has none, for an epsilon that is
// negative, NaN or infinite, or an unknown policy. STORAGE_FAILED for an audit log that cannot be opened.
// CORRUPT_BUNDLE, OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_create(const hushbit_bundle* bundle,
                                                   const hushbit_embedder_options* options, hushbit_embedder** embedder,
                                                   hushbit_error* error);

// Creates an embedder for vectors of a caller's own, such as those of a sentence encoder, by a projection file of
// `length` bytes, which are copied (docs/bundle-format.md). The promise is the same, whatever the vectors are. Fails
// with INVALID_ARGUMENT, also for a file that is damaged or of another version, STORAGE_FAILED, OUT_OF_MEMORY. Any
// thread.
HUSHBIT_API hushbit_status hushbit_embedder_create_from_projection(const void* data, size_t length,
                                                                   const hushbit_embedder_options* options,
                                                                   hushbit_embedder** embedder, hushbit_error* error);

// Drops a reference to an embedder. It is wiped and closed with its last classifier. NULL is ignored. Must not be
// called while another thread is inside a call with the same handle.
HUSHBIT_API void hushbit_embedder_destroy(hushbit_embedder* embedder);

// Fills `*info`, whose struct_size is set. Fails with INVALID_ARGUMENT only. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_get_info(const hushbit_embedder* embedder, hushbit_embedder_info* info,
                                                     hushbit_error* error);

// Writes `count` directions from number `first` on, each as the signs of hushbit_embedding. INVALID_ARGUMENT if they
// are out of range. No allocation. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_directions(const hushbit_embedder* embedder, uint32_t first, uint32_t count,
                                                       uint64_t* signs, hushbit_error* error);

// Embeds a text of any length: fills `*embedding`, whose struct_size is set, and leaves `scratch` empty. Randomness
// comes from the operating system, unless there is a device key. A text without known words is embedded too. With a
// budget, epsilon is spent before anything is drawn. Memory is allocated only by the first call with `scratch`. Fails
// with INVALID_ARGUMENT (also for a text of more than 2^24 known words), INVALID_TEXT, RANDOMNESS_FAILED,
// OUT_OF_MEMORY, CORRUPT_BUNDLE, and with a budget or audit log like hushbit_budget_spend. After a failure nothing
// is released. Any thread, with one result per thread.
HUSHBIT_API hushbit_status hushbit_embed(const hushbit_embedder* embedder, const char* text, size_t text_bytes,
                                         hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error);

// Embeds a vector of a whole text: `count` finite numbers, input_numbers of the embedder's info, which become integers
// as soon as they come in. INVALID_ARGUMENT if there are others, or one is not finite. Everything else is as in
// hushbit_embed.
HUSHBIT_API hushbit_status hushbit_embed_vector(const hushbit_embedder* embedder, const float* numbers, size_t count,
                                                hushbit_result* scratch, hushbit_embedding* embedding,
                                                hushbit_error* error);

// Finds the `k` output words whose vectors point most along `direction`, d finite numbers: an embedding's signs, or the
// mean of many. Fills `ids`, nearest first, and `cosines`, -1 to 1, each with room for `k`. This is for people to look
// at; it takes milliseconds and uses floating point. `k` is from 1 to the number of output words. INVALID_ARGUMENT if
// it is not, if `dimensions` is not the embedder's or if the embedder takes no texts; CORRUPT_BUNDLE. Any thread.
HUSHBIT_API hushbit_status hushbit_embedder_nearest_words(const hushbit_embedder* embedder, const double* direction,
                                                          size_t dimensions, size_t k, uint32_t* ids, double* cosines,
                                                          hushbit_error* error);

// ---- Classifiers: weights that were learned from embeddings of many, for texts on the device --------------------

// Opens the weights of a classifier, `json_bytes` of JSON, for the texts or vectors of an embedder, whose epsilon does
// not matter. They must have been learned with the same bundle or projection. On success the caller owns `*classifier`
// and must pass it to hushbit_classifier_close. INVALID_ARGUMENT if they cannot be used; the message says why.
// OUT_OF_MEMORY. Any thread.
HUSHBIT_API hushbit_status hushbit_classifier_open(const hushbit_embedder* embedder, const char* json,
                                                   size_t json_bytes, hushbit_classifier** classifier,
                                                   hushbit_error* error);
// Closes a classifier. NULL is ignored. Must not be called while another thread is inside a call with the same handle.
HUSHBIT_API void hushbit_classifier_close(hushbit_classifier* classifier);

// The first function returns the number of classes, 2 or more. The second returns the name of the `index`-th class:
// UTF-8, not NUL-terminated, `*length` bytes, which belong to the classifier. NULL beyond the last. Any thread.
HUSHBIT_API uint32_t hushbit_classifier_count(const hushbit_classifier* classifier);
HUSHBIT_API const char* hushbit_classifier_name(const hushbit_classifier* classifier, uint32_t index, size_t* length);

// Writes the class of a text as typed to `*best`, and to `log_odds`, unless it is NULL, the logarithm of the
// probability of each class, up to a number that all have in common. Nothing is released and nothing is spent: both
// tell much about the text, and are for the app's own use on the device. Equal scores give the lower index. No
// allocation. The same failures as hushbit_embed, without RANDOMNESS_FAILED. Any thread.
HUSHBIT_API hushbit_status hushbit_classify(const hushbit_classifier* classifier, const char* text, size_t text_bytes,
                                            uint32_t* best, double* log_odds, hushbit_error* error);
// Does the same for a vector, as in hushbit_embed_vector.
HUSHBIT_API hushbit_status hushbit_classify_vector(const hushbit_classifier* classifier, const float* numbers,
                                                   size_t count, uint32_t* best, double* log_odds,
                                                   hushbit_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif

#include "analysis.h"  // the rest of the interface
#include "reports.h"

#endif  // HUSHBIT_HUSHBIT_H_
