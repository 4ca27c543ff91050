// The types of the C interface. Include hushbit.h, which explains how to use them.
#ifndef HUSHBIT_TYPES_H_
#define HUSHBIT_TYPES_H_

#include <stddef.h>
#include <stdint.h>

typedef enum hushbit_status {
  HUSHBIT_OK = 0,
  HUSHBIT_INVALID_ARGUMENT = 1,     // an argument is NULL, out of range, or does not fit the bundle
  HUSHBIT_FILE_NOT_FOUND = 2,       // there is no file at the path
  HUSHBIT_READ_FAILED = 3,          // the operating system could not read or map the file
  HUSHBIT_CORRUPT_BUNDLE = 4,       // the bytes are not a well-formed bundle
  HUSHBIT_UNSUPPORTED_BUNDLE = 5,   // the bundle is of a newer version, or a section that it requires is unknown
  HUSHBIT_OUT_OF_MEMORY = 6,        // memory could not be allocated
  HUSHBIT_RANDOMNESS_FAILED = 7,    // the operating system provided no randomness; nothing was released
  HUSHBIT_INVALID_TEXT = 8,         // the text is not UTF-8; `position` is the first bad byte
  HUSHBIT_UNKNOWN_WORD = 9,         // a token is unknown, and the policy is ERROR; `position` is its first byte
  HUSHBIT_BUDGET_EXHAUSTED = 10,    // the release would exceed a cap of the budget; nothing was spent or released
  HUSHBIT_CORRUPT_BUDGET = 11,      // the budget's file is damaged or missing; nothing was released
  HUSHBIT_UNSUPPORTED_BUDGET = 12,  // the budget's file is of a newer version; nothing was released
  HUSHBIT_STORAGE_FAILED = 13,      // a budget or audit log could not be read, locked or written; nothing was released
} hushbit_status;

typedef struct hushbit_error {
  hushbit_status status;
  uint64_t position;  // the byte of the text or bundle to which the message refers, otherwise 0
  char message[240];  // what was wrong and what to do, one line of English, NUL-terminated
} hushbit_error;

// A bundle opened for reading. Reference-counted inside; see OWNERSHIP.
typedef struct hushbit_bundle hushbit_bundle;
// A mechanism, an epsilon and policies for one bundle.
typedef struct hushbit_privatizer hushbit_privatizer;
// A ledger of what was spent, in a small file, and caps. Reference-counted inside; see OWNERSHIP.
typedef struct hushbit_budget hushbit_budget;
// What one call released, and the scratch memory that it needed. Reuse it: memory grows only for a longer text.
typedef struct hushbit_result hushbit_result;
// Directions, an epsilon and policies, for the texts of one bundle or for vectors of one projection. Reference-counted
// inside; see OWNERSHIP.
typedef struct hushbit_embedder hushbit_embedder;
// Weights that were learned from releases, for typed texts.
typedef struct hushbit_classifier hushbit_classifier;

typedef enum hushbit_mechanism {
  HUSHBIT_BRR = 1,  // randomized response on the bits of the code, then the nearest word (Carvalho et al. 2021, Alg. 3)
  HUSHBIT_TEM = 2,  // truncated exponential mechanism on Hamming distance (Carvalho et al. 2023, Algs. 2 and 3)
  HUSHBIT_CROWD = 3,  // a word of the crowd with a fixed probability, otherwise any output word (docs/proofs.md)
} hushbit_mechanism;

// What is released of a whole text. Numbers and names continue those of hushbit_mechanism.
typedef enum hushbit_text_mechanism {
  HUSHBIT_EMBEDDING = 4,  // an embedder releases a direction of the text's crowd with a fixed probability, otherwise
                          // any direction (docs/proofs.md)
  HUSHBIT_REPORT = 5,     // a reporter releases a report of the value's set with a fixed probability, otherwise any
                          // report
} hushbit_text_mechanism;

// The unit of an epsilon.
typedef enum hushbit_epsilon_unit {
  HUSHBIT_PER_BIT = 1,   // BRR, TEM: metric DP, per differing bit of two codes
  HUSHBIT_PER_WORD = 2,  // crowds: local DP of one word, the same for any two words
  HUSHBIT_PER_TEXT = 3,  // embeddings, reports: local DP of a whole text, the same for any two texts
} hushbit_epsilon_unit;

// With HUSHBIT_CROWD: how many near words a word may become.
typedef enum hushbit_crowd_size {
  HUSHBIT_CROWD_SIZE_DEFAULT = 0,  // the bundle's default; MANY if the bundle has none
  HUSHBIT_CROWD_SIZE_ONE = 1,      // only the word: randomized response over the output words, all equally likely
  HUSHBIT_CROWD_SIZE_FEW = 2,      // a few words: for counting, and for models that need the exact word
  HUSHBIT_CROWD_SIZE_MANY = 3,     // many words, nearer ones with larger shares: for meaning
} hushbit_crowd_size;

// How a token that is not in the vocabulary is treated.
typedef enum hushbit_oov_policy {
  HUSHBIT_OOV_RANDOM = 0,  // (default) it is replaced by noise that does not depend on it. BRR: the word nearest to a
                           // uniformly random code; TEM: a word drawn uniformly; crowds: an output word by its weight
  HUSHBIT_OOV_DROP = 1,    // it is left out; a reader who knows the length learns how many words were unknown
  HUSHBIT_OOV_MASK = 2,    // it is replaced by hushbit_privatizer_options.mask, which reveals that it was unknown
  HUSHBIT_OOV_ERROR = 3,   // the call fails with HUSHBIT_UNKNOWN_WORD and releases nothing
  HUSHBIT_OOV_VERBATIM_UNSAFE = 4,  // it is passed through as typed, with NO privacy; the cost becomes infinite
} hushbit_oov_policy;

// How punctuation is treated.
typedef enum hushbit_punctuation_policy {
  HUSHBIT_PUNCTUATION_DROP = 0,       // (default) it is left out
  HUSHBIT_PUNCTUATION_PRIVATIZE = 1,  // it is treated like a word: noised if in the vocabulary, otherwise by the OOV
                                      // policy
} hushbit_punctuation_policy;

// How the nearest words are searched. All methods give the same answers.
typedef enum hushbit_search {
  HUSHBIT_SEARCH_AUTO = 0,      // (default) the fastest for the bundle and the noise, as determined at export
  HUSHBIT_SEARCH_ROWS = 1,      // every code is compared: slow, but possible with any bundle
  HUSHBIT_SEARCH_CLUSTERS = 2,  // the clusters are scanned; INVALID_ARGUMENT if the bundle has none
  HUSHBIT_SEARCH_MIH = 3,       // the multi-index hash, and a scan if it gives up; INVALID_ARGUMENT without a hash
} hushbit_search;

typedef enum hushbit_token_kind {
  HUSHBIT_TOKEN_WORD = 0,         // it is in the vocabulary
  HUSHBIT_TOKEN_UNKNOWN = 1,      // it has letters, marks or digits, and is not in the vocabulary or is a long number
  HUSHBIT_TOKEN_PUNCTUATION = 2,  // it has no letters, marks or digits (it may still have a word id)
} hushbit_token_kind;

#define HUSHBIT_NO_WORD UINT32_MAX

typedef struct hushbit_token {
  hushbit_token_kind kind;
  uint32_t word;                      // vocabulary id of the token AS TYPED, or HUSHBIT_NO_WORD. Not private.
  uint64_t byte_begin, byte_end;      // its range in the text, in bytes
  uint64_t utf16_begin, utf16_end;    // the same in UTF-16 code units (Java, Kotlin, JavaScript, NSString)
  uint64_t output_begin, output_end;  // the range of its replacement in the privatized text; empty if left out
} hushbit_token;

typedef struct hushbit_cost {
  uint64_t struct_size;  // set by the caller
  double epsilon;        // the effective epsilon, in the unit of the mechanism
  double average;  // the sum over released tokens of the cost of distinguishing an average pair of words: epsilon *
                   // P_avg (mean distance over all ordered pairs), or the worst case if that is less; crowds: the same
                   // as worst_case
  double worst_case;  // the sum over released tokens of their worst case: the local-DP epsilon of the whole text, among
                      // the texts that "A COST" in hushbit.h describes. It is a whole number of millionths, and exactly
                      // the sum of those of the tokens (the nearest double)
  uint64_t words;     // the number of vocabulary tokens that were privatized
  uint64_t unknown;   // the number of tokens outside the vocabulary, regardless of the OOV policy, without dropped
                      // punctuation
  uint64_t dropped;   // the number of tokens that were left out, including punctuation
  uint64_t verbatim;  // the number of tokens passed through as typed; if not 0, average and worst_case are infinite
  uint64_t public_words;  // the number of tokens released without noise because the bundle declares them public; they
                          // cost nothing
  uint32_t epsilon_unit;  // a hushbit_epsilon_unit: the unit of epsilon
} hushbit_cost;

typedef struct hushbit_bundle_info {
  uint64_t struct_size;  // set by the caller
  uint32_t format_major, format_minor;
  uint32_t bits;               // the number of bits of a code: 64, 128, 256 or 512
  uint32_t words;              // the number of words in the vocabulary
  uint32_t max_word_bytes;     // the length of the longest word
  uint32_t max_distance;       // P_max: an upper bound on the distance between any two codes of the bundle
  double average_distance;     // P_avg: the mean Hamming distance over all ordered pairs, self-pairs included
  double default_epsilon;      // the calibrated value for the default mechanism
  uint32_t default_mechanism;  // a hushbit_mechanism
  uint32_t unicode_version;    // of the tables with which the vocabulary was built: major << 16 | minor << 8 | update
  uint64_t file_bytes;
  uint8_t hash[32];  // SHA-256 of header and section table, which contain every section's hash: identifies the bundle
  double mih_flips;  // the largest expected number of flipped bits at which the hash is tried first; 0: no hash
  double default_epsilon_brr, default_epsilon_tem;  // those of these mechanisms, per differing bit; 0: none
  uint32_t output_words;  // how many words may come out. Only they have codes. In many bundles these are all words
  uint32_t public_words;  // how many words are released without noise
  uint32_t default_crowd_size;    // a hushbit_crowd_size if the default mechanism is HUSHBIT_CROWD, otherwise 0
  uint32_t default_epsilon_unit;  // a hushbit_epsilon_unit: the unit of default_epsilon
} hushbit_bundle_info;

typedef struct hushbit_section_info {
  uint64_t struct_size;  // set by the caller
  char name[16];         // NUL-terminated; "unknown" for a type that this version does not know
  uint32_t type;
  uint64_t offset, length;  // bytes from the start of the bundle
  uint8_t sha256[32];
} hushbit_section_info;

typedef struct hushbit_privatizer_options {
  uint64_t struct_size;  // set by the caller, before hushbit_privatizer_options_init
  uint32_t mechanism;    // a hushbit_mechanism
  uint32_t search;       // a hushbit_search, for BRR
  double epsilon;  // finite, 0 or more; per differing bit, or per word for crowds. The bundle's default is meant for
                   // the bundle's default mechanism
  double beta;     // the probability of a word beyond gamma, strictly between 0 and 1, for TEM only
  uint32_t oov;    // a hushbit_oov_policy
  uint32_t punctuation;  // a hushbit_punctuation_policy
  const char* mask;      // the replacement for HUSHBIT_OOV_MASK, UTF-8; copied by hushbit_privatizer_create
  size_t mask_bytes;     // its length, 1 to 64 bytes
  // NULL: fresh noise for every token. Otherwise 32 secret bytes of this device: memoized noise, which is the same for
  // the same word within an epoch, so repeats are visible as repeats. Costs then hold only between texts with the same
  // pattern of equal words. The key is copied, and wiped when the privatizer is closed. Anyone who has the key can undo
  // the noise.
  const uint8_t* device_key;
  uint64_t epoch;            // the number of the epoch, used with device_key; the noise is different in each epoch
  hushbit_budget* budget;    // NULL: none. Otherwise each cost is spent first; the privatizer holds a reference
  const char* audit_log;     // NULL: none. Otherwise the path of a file to which every release appends a line of JSON:
                             // counts, cost, day and bundle hash, never text; UTF-8, NUL-terminated, copied
  uint32_t crowd_size;       // a hushbit_crowd_size, for HUSHBIT_CROWD
  uint64_t allow_unchanged;  // 1: an epsilon that leaves more than about half of the words as they were typed is
                             // accepted; 0: it is refused (see hushbit_privatizer_create)
} hushbit_privatizer_options;

// Caps of a budget, on what is spent in one day (UTC) and in total. A release that would exceed one of them is refused.
typedef struct hushbit_budget_limits {
  uint64_t struct_size;       // set by the caller, before hushbit_budget_limits_init
  double worst_case_per_day;  // in units of hushbit_cost.worst_case, 0 or more, rounded down to millionths; INFINITY:
                              // no cap
  double worst_case_lifetime;
  uint64_t tokens_per_day;  // released tokens with a replacement, except public words; a release of a whole text counts
                            // as 1; UINT64_MAX: no cap
  uint64_t tokens_lifetime;
} hushbit_budget_limits;

// What was spent. Costs are counted in millionths. A cost that is the double nearest to a whole number of millionths
// counts as that number, and any other cost is rounded up. A sum is INFINITY if its millionths do not fit in 64 bits.
typedef struct hushbit_budget_state {
  uint64_t struct_size;     // set by the caller
  uint64_t day;             // the day, counted from 1970-01-01 UTC; it never goes back, even if the clock is set back
  double worst_case_today;  // what was spent on that day
  double worst_case_lifetime;  // what was spent since the file was created or reset
  uint64_t tokens_today;
  uint64_t tokens_lifetime;
  uint64_t texts_today;  // the number of releases of whole texts (embeddings, reports), each of which counts as a token
                         // too; at most 2^32 - 1
  uint64_t texts_lifetime;
} hushbit_budget_state;

typedef struct hushbit_privatizer_info {
  uint64_t struct_size;  // set by the caller
  uint32_t mechanism;    // a hushbit_mechanism
  uint32_t gamma;        // TEM: the truncation distance in bits (Theorem 4.2), `bits` if there is no truncation; BRR: 0
  double requested_epsilon;
  double effective_epsilon;  // the actual epsilon of the integers: never above the requested one
  uint64_t flip_threshold;  // BRR: a bit flips if a uniform 64-bit integer is below this, ceil(2^64 / (1 + e^epsilon));
                            // TEM: 0
  double flip_probability;  // flip_threshold / 2^64
  double average_per_token;  // effective_epsilon * P_avg, or the worst case of two words if that is less (TEM); crowds:
                             // the same as worst_case_per_token
  double worst_case_per_token;  // the local-DP epsilon of one token: effective_epsilon * P_max (for TEM the range of
                                // its weights, if that is less), or the cost of distinguishing a word from an unknown
                                // token under HUSHBIT_OOV_RANDOM, if that is more; rounded up to millionths
  int32_t clamped;  // 1 if epsilon was above what the integers can express (BRR: about 44.36; crowds: 63, usually less)
                    // and was lowered
  int32_t memoized;          // 1 if a device key was given: noise repeats within an epoch
  uint32_t epsilon_unit;     // a hushbit_epsilon_unit: the unit of both epsilons
  uint32_t crowd_size;       // crowds: a hushbit_crowd_size, never HUSHBIT_CROWD_SIZE_DEFAULT; this field and all up to
                             // mean_crowd are 0 for other mechanisms
  uint32_t crowd_mass;       // m: the sum of the shares in a crowd, the same for all crowds
  uint32_t output_mass;      // M: the sum of the weights of all output words
  uint64_t crowd_threshold;  // L: the word comes from the crowd if a uniform 64-bit integer is below this
  double crowd_probability;  // crowd_threshold / 2^64
  double mean_crowd;         // the mean number of words in a crowd, over at most 1024 evenly spaced output words
  uint32_t output_words;     // those of the bundle
  uint32_t public_words;     // those of the bundle. Promises hold between texts with the same ones in the same places
} hushbit_privatizer_info;

// The nearest words of one code.
typedef struct hushbit_nearest {
  uint32_t distance;  // in bits, the minimum over the vocabulary
  uint32_t ties;      // the number of words at that distance, 1 or more
  uint32_t word;      // the one with the lowest id
} hushbit_nearest;

// How whole texts are embedded.
typedef struct hushbit_embedder_options {
  uint64_t struct_size;  // set by the caller, before hushbit_embedder_options_init
  double epsilon;        // the epsilon of a whole text, finite, 0 or more
  uint32_t punctuation;  // a hushbit_punctuation_policy: DROP leaves it out of the vector, PRIVATIZE counts it as words
  // NULL: fresh randomness for every text. Otherwise 32 secret bytes of this device: the same text has the same
  // embedding within an epoch, so a repeat reveals only that it is one. The key is copied, and wiped at the end.
  const uint8_t* device_key;
  uint64_t epoch;          // the number of the epoch, used with device_key; embeddings are different in each epoch
  hushbit_budget* budget;  // NULL: none. Otherwise epsilon is spent before a text is embedded, and one token counted
  const char* audit_log;   // NULL: none. Otherwise the path of a file to which every embedding appends a line of JSON:
                           // cost, day and bundle hash, nothing about the text; UTF-8, NUL-terminated, copied
} hushbit_embedder_options;

typedef struct hushbit_embedder_info {
  uint64_t struct_size;  // set by the caller
  double requested_epsilon;
  double effective_epsilon;   // what the integers promise for a whole text, never above the requested one
  uint64_t seed;              // the seed of the directions
  uint32_t dimensions;        // d, those of a direction and of a text's vector: a multiple of 8, 8 to 64
  uint32_t directions;        // K, the number of directions
  uint32_t crowd_directions;  // k: a text's crowd is the k directions with the largest inner product with its vector
  int32_t clamped;            // 1 if epsilon was above what the integers can express and was lowered
  uint64_t crowd_threshold;   // L: the direction comes from the crowd if a uniform 64-bit integer is below this
  double crowd_probability;   // crowd_threshold / 2^64
  int32_t memoized;           // 1 if a device key was given
  uint32_t input_numbers;     // n, how many numbers a vector for hushbit_embed_vector has; 0: the embedder takes texts
  uint8_t hash[32];           // identifies where vectors come from: the bundle's hash, or the SHA-256 of the projection
} hushbit_embedder_info;

// An embedding: what may be released of a whole text.
typedef struct hushbit_embedding {
  uint64_t struct_size;  // set by the caller
  double epsilon;        // the effective epsilon of the whole text
  uint64_t signs;        // bit i is 1 if number i of the direction is +1, 0 if it is -1; dimensions bits, the rest 0
  uint32_t index;        // the number of the direction, 0 to directions - 1
  uint32_t dimensions;   // d
} hushbit_embedding;

#endif  // HUSHBIT_TYPES_H_
