// The first header whose structs can grow, without its comments: what an app was built against that is older than the
// library it runs with. Never changed, until the binary interface breaks on purpose.
#ifndef HUSHBIT_FIRST_HUSHBIT_H_
#define HUSHBIT_FIRST_HUSHBIT_H_

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define HUSHBIT_API
#else
#define HUSHBIT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hushbit_status {
  HUSHBIT_OK = 0,
  HUSHBIT_INVALID_ARGUMENT = 1,
  HUSHBIT_FILE_NOT_FOUND = 2,
  HUSHBIT_READ_FAILED = 3,
  HUSHBIT_CORRUPT_BUNDLE = 4,
  HUSHBIT_UNSUPPORTED_BUNDLE = 5,
  HUSHBIT_OUT_OF_MEMORY = 6,
  HUSHBIT_RANDOMNESS_FAILED = 7,
  HUSHBIT_INVALID_TEXT = 8,
  HUSHBIT_UNKNOWN_WORD = 9,
  HUSHBIT_BUDGET_EXHAUSTED = 10,
  HUSHBIT_CORRUPT_BUDGET = 11,
  HUSHBIT_UNSUPPORTED_BUDGET = 12,
  HUSHBIT_STORAGE_FAILED = 13,
} hushbit_status;

typedef struct hushbit_error {
  hushbit_status status;
  uint64_t position;
  char message[240];
} hushbit_error;

typedef struct hushbit_bundle hushbit_bundle;

typedef struct hushbit_privatizer hushbit_privatizer;

typedef struct hushbit_budget hushbit_budget;

typedef struct hushbit_result hushbit_result;

typedef enum hushbit_mechanism {
  HUSHBIT_BRR = 1,
  HUSHBIT_TEM = 2,
} hushbit_mechanism;

typedef enum hushbit_oov_policy {
  HUSHBIT_OOV_RANDOM = 0,

  HUSHBIT_OOV_DROP = 1,
  HUSHBIT_OOV_MASK = 2,
  HUSHBIT_OOV_ERROR = 3,
  HUSHBIT_OOV_VERBATIM_UNSAFE = 4,
} hushbit_oov_policy;

typedef enum hushbit_punctuation_policy {
  HUSHBIT_PUNCTUATION_DROP = 0,
  HUSHBIT_PUNCTUATION_PRIVATIZE = 1,
} hushbit_punctuation_policy;

typedef enum hushbit_search {
  HUSHBIT_SEARCH_AUTO = 0,
  HUSHBIT_SEARCH_ROWS = 1,
  HUSHBIT_SEARCH_CLUSTERS = 2,
  HUSHBIT_SEARCH_MIH = 3,
} hushbit_search;

typedef enum hushbit_token_kind {
  HUSHBIT_TOKEN_WORD = 0,
  HUSHBIT_TOKEN_UNKNOWN = 1,
  HUSHBIT_TOKEN_PUNCTUATION = 2,
} hushbit_token_kind;

#define HUSHBIT_NO_WORD UINT32_MAX

typedef struct hushbit_token {
  hushbit_token_kind kind;
  uint32_t word;
  uint64_t byte_begin, byte_end;
  uint64_t utf16_begin, utf16_end;
  uint64_t output_begin, output_end;
} hushbit_token;

typedef struct hushbit_cost {
  uint64_t struct_size;
  double epsilon;
  double average;

  double worst_case;
  uint64_t words;
  uint64_t unknown;
  uint64_t dropped;
  uint64_t verbatim;
} hushbit_cost;

typedef struct hushbit_bundle_info {
  uint64_t struct_size;
  uint32_t format_major, format_minor;
  uint32_t bits;
  uint32_t words;
  uint32_t max_word_bytes;
  uint32_t max_distance;
  double average_distance;
  double default_epsilon;
  uint32_t default_mechanism;
  uint32_t unicode_version;
  uint64_t file_bytes;
  uint8_t hash[32];
  double mih_flips;
} hushbit_bundle_info;

typedef struct hushbit_section_info {
  uint64_t struct_size;
  char name[16];
  uint32_t type;
  uint64_t offset, length;
  uint8_t sha256[32];
} hushbit_section_info;

typedef struct hushbit_privatizer_options {
  uint64_t struct_size;
  uint32_t mechanism;
  uint32_t search;
  double epsilon;
  double beta;
  uint32_t oov;
  uint32_t punctuation;
  const char* mask;
  size_t mask_bytes;

  const uint8_t* device_key;
  uint64_t epoch;
  hushbit_budget* budget;
  const char* audit_log;

} hushbit_privatizer_options;

typedef struct hushbit_budget_limits {
  uint64_t struct_size;
  double worst_case_per_day;
  double worst_case_lifetime;
  uint64_t tokens_per_day;
  uint64_t tokens_lifetime;
} hushbit_budget_limits;

typedef struct hushbit_budget_state {
  uint64_t struct_size;
  uint64_t day;
  double worst_case_today;
  double worst_case_lifetime;
  uint64_t tokens_today;
  uint64_t tokens_lifetime;
} hushbit_budget_state;

typedef struct hushbit_privatizer_info {
  uint64_t struct_size;
  uint32_t mechanism;
  uint32_t gamma;
  double requested_epsilon;
  double effective_epsilon;
  uint64_t flip_threshold;

  double flip_probability;
  double average_per_token;
  double worst_case_per_token;

  int32_t clamped;
  int32_t memoized;
} hushbit_privatizer_info;

typedef struct hushbit_nearest {
  uint32_t distance;
  uint32_t ties;
  uint32_t word;
} hushbit_nearest;

HUSHBIT_API const char* hushbit_version(void);

HUSHBIT_API const char* hushbit_status_name(hushbit_status status);

HUSHBIT_API const char* hushbit_kernel_name(uint32_t index);

HUSHBIT_API uint32_t hushbit_unicode_version(void);

HUSHBIT_API hushbit_status hushbit_bundle_open(const char* path, hushbit_bundle** bundle, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_open_fd(int fd, uint64_t offset, uint64_t length, hushbit_bundle** bundle,
                                                  hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_open_memory(const void* data, size_t length, hushbit_bundle** bundle,
                                                      hushbit_error* error);

HUSHBIT_API void hushbit_bundle_close(hushbit_bundle* bundle);

HUSHBIT_API hushbit_status hushbit_bundle_verify(const hushbit_bundle* bundle, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_get_info(const hushbit_bundle* bundle, hushbit_bundle_info* info,
                                                   hushbit_error* error);

HUSHBIT_API const char* hushbit_bundle_meta(const hushbit_bundle* bundle, size_t* length);

HUSHBIT_API uint32_t hushbit_bundle_section_count(const hushbit_bundle* bundle);
HUSHBIT_API hushbit_status hushbit_bundle_section(const hushbit_bundle* bundle, uint32_t index,
                                                  hushbit_section_info* section, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_find(const hushbit_bundle* bundle, const char* word, size_t word_bytes,
                                               uint32_t* id, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_word(const hushbit_bundle* bundle, uint32_t id, char* buffer, size_t capacity,
                                               size_t* word_bytes, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_code(const hushbit_bundle* bundle, uint32_t id, uint8_t* code,
                                               hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_nearest(const hushbit_bundle* bundle, const uint8_t* codes, size_t count,
                                                  hushbit_nearest* nearest, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_neighbors(const hushbit_bundle* bundle, const uint8_t* code, size_t k,
                                                    uint32_t* ids, uint32_t* distances, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_bundle_farthest(const hushbit_bundle* bundle, uint32_t first, uint32_t last,
                                                   uint32_t floor, uint32_t* distance, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_privatizer_options_init(const hushbit_bundle* bundle,
                                                           hushbit_privatizer_options* options, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_privatizer_create(const hushbit_bundle* bundle,
                                                     const hushbit_privatizer_options* options,
                                                     hushbit_privatizer** privatizer, hushbit_error* error);

HUSHBIT_API void hushbit_privatizer_destroy(hushbit_privatizer* privatizer);

HUSHBIT_API hushbit_status hushbit_privatizer_get_info(const hushbit_privatizer* privatizer,
                                                       hushbit_privatizer_info* info, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_budget_limits_init(hushbit_budget_limits* limits, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_budget_open(const char* path, const hushbit_budget_limits* limits,
                                               hushbit_budget** budget, hushbit_error* error);

HUSHBIT_API void hushbit_budget_close(hushbit_budget* budget);

HUSHBIT_API hushbit_status hushbit_budget_spend(hushbit_budget* budget, double worst_case, uint64_t tokens,
                                                hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_budget_get_state(const hushbit_budget* budget, hushbit_budget_state* state,
                                                    hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_budget_read(const char* path, hushbit_budget_state* state, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_budget_reset(const char* path, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_result_create(hushbit_result** result, hushbit_error* error);

HUSHBIT_API void hushbit_result_destroy(hushbit_result* result);

HUSHBIT_API hushbit_status hushbit_privatize(const hushbit_privatizer* privatizer, const char* text, size_t text_bytes,
                                             hushbit_result* result, hushbit_error* error);

HUSHBIT_API hushbit_status hushbit_tokenize(const hushbit_bundle* bundle, const char* text, size_t text_bytes,
                                            hushbit_result* result, hushbit_error* error);

HUSHBIT_API const char* hushbit_result_text(const hushbit_result* result, size_t* length);

HUSHBIT_API const hushbit_token* hushbit_result_tokens(const hushbit_result* result, size_t* count);

HUSHBIT_API hushbit_status hushbit_result_get_cost(const hushbit_result* result, hushbit_cost* cost,
                                                   hushbit_error* error);

#ifdef __cplusplus
}
#endif

#endif  // HUSHBIT_FIRST_HUSHBIT_H_
