// Everything that can be done with a bundle, done, and what must hold even for a hostile one. For tests of damage and
// for fuzzing, where the bytes are anything: whatever is not true stops the program.
#ifndef HUSHBIT_TESTS_EXERCISE_H_
#define HUSHBIT_TESTS_EXERCISE_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "hushbit/hushbit.h"
#include "hushbit/testing.h"

namespace hushbit::testing {

#define REQUIRE(condition)                                                      \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                  \
    }                                                                           \
  } while (false)

struct Closer {
  void operator()(hushbit_bundle* bundle) const { hushbit_bundle_close(bundle); }
  void operator()(hushbit_privatizer* privatizer) const { hushbit_privatizer_destroy(privatizer); }
  void operator()(hushbit_result* result) const { hushbit_result_destroy(result); }
  void operator()(hushbit_embedder* embedder) const { hushbit_embedder_destroy(embedder); }
};
template <typename T>
using Handle = std::unique_ptr<T, Closer>;

inline bool is_utf8(const void* text, size_t size) {
  return first_invalid_utf8(static_cast<const uint8_t*>(text), size) == size;
}

// A failed call says which way and why.
inline void require_told(hushbit_status status, const hushbit_error& error) {
  REQUIRE(error.status == status);
  const size_t length = strnlen(error.message, sizeof(error.message));
  REQUIRE(length > 0 && length < sizeof(error.message));
  REQUIRE(memchr(error.message, '\n', length) == nullptr && is_utf8(error.message, length));
}

// Null if the bytes are refused, which must be for being corrupt or unsupported. `data` is aligned to 8 bytes.
inline Handle<hushbit_bundle> open_any(const uint8_t* data, size_t size) {
  static const uint64_t nothing = 0;
  hushbit_bundle* bundle = nullptr;
  hushbit_error error = {};
  const hushbit_status status =
      hushbit_bundle_open_memory(size == 0 ? static_cast<const void*>(&nothing) : data, size, &bundle, &error);
  if (status == HUSHBIT_OK) return Handle<hushbit_bundle>(bundle);
  REQUIRE(bundle == nullptr);
  REQUIRE(status == HUSHBIT_CORRUPT_BUNDLE || status == HUSHBIT_UNSUPPORTED_BUNDLE);
  require_told(status, error);
  return nullptr;
}

// What `privatize` and `tokenize` may say about valid UTF-8 under a policy that refuses nothing.
inline void require_only_damage(hushbit_status status, const hushbit_error& error, bool verified) {
  if (status == HUSHBIT_OK) return;
  REQUIRE(status == HUSHBIT_CORRUPT_BUNDLE && !verified);
  require_told(status, error);
}

// Tokens stand in order, apart, inside the text, and their outputs inside the privatized text.
inline void require_tokens(const hushbit_result* result, size_t text_bytes, uint32_t words) {
  size_t count, output_bytes;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  REQUIRE(hushbit_result_text(result, &output_bytes) != nullptr);
  uint64_t byte = 0, utf16 = 0, output = 0;
  for (size_t i = 0; i < count; ++i) {
    const hushbit_token& token = tokens[i];
    REQUIRE(byte <= token.byte_begin && token.byte_begin < token.byte_end && token.byte_end <= text_bytes);
    REQUIRE(utf16 <= token.utf16_begin && token.utf16_begin < token.utf16_end && token.utf16_end <= token.byte_end);
    REQUIRE(output <= token.output_begin && token.output_begin <= token.output_end && token.output_end <= output_bytes);
    REQUIRE(token.word == HUSHBIT_NO_WORD || token.word < words);
    REQUIRE(token.kind != HUSHBIT_TOKEN_WORD || token.word != HUSHBIT_NO_WORD);
    REQUIRE(token.kind != HUSHBIT_TOKEN_UNKNOWN || token.word == HUSHBIT_NO_WORD);
    byte = token.byte_end;
    utf16 = token.utf16_end;
    output = token.output_end;
  }
}

inline void exercise_sections(const hushbit_bundle* bundle, size_t size) {
  const uint32_t count = hushbit_bundle_section_count(bundle);
  hushbit_section_info section = {.struct_size = sizeof(hushbit_section_info)};
  for (uint32_t i = 0; i < count; ++i) {
    REQUIRE(hushbit_bundle_section(bundle, i, &section, nullptr) == HUSHBIT_OK);
    REQUIRE(section.offset % 64 == 0 && section.offset < size && section.length <= size - section.offset);
    REQUIRE(strnlen(section.name, sizeof(section.name)) < sizeof(section.name));
  }
  REQUIRE(hushbit_bundle_section(bundle, count, &section, nullptr) == HUSHBIT_INVALID_ARGUMENT);
  size_t length;
  const char* meta = hushbit_bundle_meta(bundle, &length);
  REQUIRE(std::string(meta, length).size() == length);
}

// Up to 64 ids, the last of them among these.
inline void exercise_words(const hushbit_bundle* bundle, const hushbit_bundle_info& info, bool verified) {
  std::vector<char> buffer(info.max_word_bytes);
  std::string before;
  hushbit_error error;
  const uint32_t step = info.words / 64 + 1;
  for (uint32_t id = (info.words - 1) % step; id < info.words; id += step) {
    size_t length = 0;
    const hushbit_status status = hushbit_bundle_word(bundle, id, buffer.data(), buffer.size(), &length, &error);
    REQUIRE(status == HUSHBIT_OK || (status == HUSHBIT_CORRUPT_BUNDLE && !verified));
    if (status != HUSHBIT_OK) continue;
    REQUIRE(length >= 1 && length <= buffer.size() && is_utf8(buffer.data(), length));
    const std::string word(buffer.data(), length);
    uint32_t found = HUSHBIT_NO_WORD;
    const hushbit_status find = hushbit_bundle_find(bundle, word.data(), word.size(), &found, &error);
    REQUIRE(find == HUSHBIT_OK || find == HUSHBIT_UNKNOWN_WORD || find == HUSHBIT_CORRUPT_BUNDLE);
    REQUIRE(find != HUSHBIT_OK || found < info.words);
    if (!verified) continue;
    REQUIRE(find == HUSHBIT_OK && found == id && before < word);
    before = word;
    REQUIRE(hushbit_bundle_find(bundle, word.data(), word.size() - 1, &found, &error) != HUSHBIT_CORRUPT_BUNDLE);
  }
}

// What calls about codes may say.
inline bool require_sound(hushbit_status status, bool verified) {
  REQUIRE(status == HUSHBIT_OK || (status == HUSHBIT_CORRUPT_BUNDLE && !verified));
  return status == HUSHBIT_OK;
}

// Every search of a code, one after another. What a verified bundle answers is what comparing all of its codes gives.
inline void exercise_searches(const hushbit_bundle* bundle, const hushbit_bundle_info& info, const uint8_t* code,
                              bool verified) {
  hushbit_nearest by_row = {};
  if (!require_sound(hushbit_bundle_search(bundle, HUSHBIT_SEARCH_ROWS, 0, code, 1, &by_row, nullptr, nullptr),
                     verified)) {
    return;
  }
  for (uint32_t search = HUSHBIT_SEARCH_AUTO; search <= HUSHBIT_SEARCH_MIH; ++search) {
    hushbit_nearest nearest[2];  // alone, and with another that differs in a bit
    uint8_t codes[2 * 64];
    memcpy(codes, code, info.bits / 8);
    memcpy(codes + info.bits / 8, code, info.bits / 8);
    codes[info.bits / 8] ^= 1;
    for (uint32_t count = 1; count <= 2; ++count) {
      const hushbit_status status = hushbit_bundle_search(bundle, search, 0, codes, count, nearest, nullptr, nullptr);
      if (status == HUSHBIT_INVALID_ARGUMENT || !require_sound(status, verified)) continue;
      REQUIRE(nearest[0].ties >= 1 && nearest[0].ties <= info.words);
      REQUIRE(nearest[0].word < info.words && nearest[0].distance <= info.bits);
      REQUIRE(!verified || memcmp(&nearest[0], &by_row, sizeof(by_row)) == 0);
    }
  }
  uint32_t id, distance, counts[513];
  if (require_sound(hushbit_bundle_neighbors(bundle, code, 1, &id, &distance, nullptr), verified)) {
    REQUIRE(!verified || (id == by_row.word && distance == by_row.distance));
  }
  if (require_sound(hushbit_bundle_distance_counts(bundle, code, 1, counts, nullptr), verified) && verified) {
    for (uint32_t d = 0; d < by_row.distance; ++d) REQUIRE(counts[d] == 0);
    REQUIRE(counts[by_row.distance] == by_row.ties);
  }
}

inline void exercise_codes(const hushbit_bundle* bundle, const hushbit_bundle_info& info, bool verified) {
  uint8_t code[64] = {};
  require_sound(hushbit_bundle_code(bundle, info.words - 1, code, nullptr), verified);
  REQUIRE(hushbit_bundle_code(bundle, info.words, code, nullptr) == HUSHBIT_INVALID_ARGUMENT);
  exercise_searches(bundle, info, code, verified);
  for (uint32_t i = 0; i < info.bits / 8; i += 2) code[i] ^= static_cast<uint8_t>(0x11 << i % 4);
  exercise_searches(bundle, info, code, verified);
  const uint32_t k = std::min(info.output_words, 5u);
  uint32_t ids[5], distances[5], farthest;
  if (require_sound(hushbit_bundle_neighbors(bundle, code, k, ids, distances, nullptr), verified)) {
    for (uint32_t i = 0; i < k; ++i) REQUIRE(ids[i] < info.words && distances[i] <= info.bits);
  }
  REQUIRE(hushbit_bundle_farthest(bundle, 0, std::min(info.output_words, 70u), 0, &farthest, nullptr) == HUSHBIT_OK);
  REQUIRE(farthest <= info.bits);
}

// Whatever bundle a privatizer takes for crowds, no share is beyond its weight, and all crowds have one mass.
inline void exercise_crowds(const hushbit_bundle_info& info, const hushbit_privatizer* privatizer) {
  hushbit_privatizer_info told = {.struct_size = sizeof(hushbit_privatizer_info)};
  hushbit_privatizer_get_info(privatizer, &told, nullptr);
  std::vector<hushbit_crowd_member> members(info.output_words);
  for (uint32_t word = 0; word < info.words; word += info.words / 16 + 1) {
    uint32_t count = 0;
    const hushbit_status status =
        hushbit_privatizer_crowd(privatizer, word, members.data(), info.output_words, &count, nullptr);
    if (status == HUSHBIT_CORRUPT_BUNDLE) continue;  // a stand-in or an output word that is none
    REQUIRE(status == HUSHBIT_OK && count <= info.output_words);
    uint64_t mass = 0;
    for (uint32_t i = 0; i < count; ++i) {
      REQUIRE(members[i].share >= 1 && members[i].share <= members[i].weight);
      mass += members[i].share;
    }
    REQUIRE(mass == told.crowd_mass);
  }
}

inline void exercise_text(const hushbit_bundle* bundle, const hushbit_bundle_info& info, uint32_t mechanism,
                          uint32_t crowd, const std::string& text, bool verified, bool unchanged) {
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  options.mechanism = mechanism;
  options.crowd_size = crowd;
  options.epsilon = 5;
  options.allow_unchanged = 1;
  hushbit_privatizer* privatizer;
  const hushbit_status created = hushbit_privatizer_create(bundle, &options, &privatizer, nullptr);
  if (created == HUSHBIT_INVALID_ARGUMENT && mechanism == HUSHBIT_CROWD) return;  // no grades for that size
  if (created == HUSHBIT_CORRUPT_BUNDLE && !verified) return;
  REQUIRE(created == HUSHBIT_OK);
  const Handle<hushbit_privatizer> owned(privatizer);
  if (mechanism == HUSHBIT_CROWD && unchanged) exercise_crowds(info, privatizer);
  hushbit_result* result;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned_result(result);
  hushbit_error error;
  require_only_damage(hushbit_tokenize(bundle, text.data(), text.size(), result, &error), error, verified);
  require_tokens(result, text.size(), info.words);
  const uint8_t seed[32] = {1};
  require_only_damage(hushbit_testing_privatize(privatizer, seed, text.data(), text.size(), result, &error), error,
                      verified);
  require_tokens(result, text.size(), info.words);
  size_t length;
  const char* output = hushbit_result_text(result, &length);
  REQUIRE(is_utf8(output, length));
}

// Whatever matrix and weights there are, inner products fit 62 bits and what comes out is a direction.
inline void exercise_embedding(const hushbit_bundle* bundle, const std::string& text, bool verified) {
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  hushbit_embedder_options_init(&options, nullptr);
  hushbit_embedder* embedder;
  const hushbit_status created = hushbit_embedder_create(bundle, &options, &embedder, nullptr);
  if (created == HUSHBIT_INVALID_ARGUMENT) return;  // there is none
  if (created == HUSHBIT_CORRUPT_BUNDLE && !verified) return;
  REQUIRE(created == HUSHBIT_OK);
  const Handle<hushbit_embedder> owned(embedder);
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  REQUIRE(hushbit_embedder_get_info(embedder, &info, nullptr) == HUSHBIT_OK);
  REQUIRE(info.crowd_directions >= 1 && info.crowd_directions <= info.directions && info.dimensions <= 64);
  hushbit_result* scratch;
  REQUIRE(hushbit_result_create(&scratch, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned_scratch(scratch);
  hushbit_error error;
  int64_t vector[64];
  hushbit_status status = hushbit_embedder_text_vector(embedder, text.data(), text.size(), vector, &error);
  require_only_damage(status, error, verified);
  if (status == HUSHBIT_OK) {
    uint32_t index = HUSHBIT_NO_WORD;
    REQUIRE(hushbit_testing_draw_directions(embedder, nullptr, vector, 1, &index, nullptr) == HUSHBIT_OK);
    REQUIRE(index < info.directions);
  }
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  status = hushbit_embed(embedder, text.data(), text.size(), scratch, &embedding, &error);
  require_only_damage(status, error, verified);
  REQUIRE(embedding.index < info.directions);
  const std::vector<double> direction(info.dimensions, 0.5);
  uint32_t id;
  double cosine = 2;
  if (require_sound(
          hushbit_embedder_nearest_words(embedder, direction.data(), direction.size(), 1, &id, &cosine, nullptr),
          verified)) {
    REQUIRE(cosine >= -1.0001 && cosine <= 1.0001);
  }
}

// Words, codes and texts of an open bundle. `unchanged`: nobody writes to its memory since it was opened.
inline void exercise_opened(const hushbit_bundle* bundle, const std::string& text, bool verified, bool unchanged) {
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  exercise_words(bundle, info, verified);
  exercise_codes(bundle, info, verified);
  exercise_text(bundle, info, HUSHBIT_BRR, 0, text, verified, unchanged);
  exercise_text(bundle, info, HUSHBIT_TEM, 0, text, verified, unchanged);
  for (uint32_t crowd = HUSHBIT_CROWD_SIZE_ONE; crowd <= HUSHBIT_CROWD_SIZE_MANY; ++crowd) {
    exercise_text(bundle, info, HUSHBIT_CROWD, crowd, text, verified, unchanged);
  }
  exercise_embedding(bundle, text, verified);
}

// Does all of it with `size` bytes, which are aligned to 8; tells whether the bundle opened and whether it verified.
struct Exercised {
  bool opened = false;
  bool verified = false;
};
inline Exercised exercise_bundle(const uint8_t* data, size_t size, const std::string& text) {
  const Handle<hushbit_bundle> bundle = open_any(data, size);
  if (bundle == nullptr) return {};
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle.get(), &info, nullptr);
  REQUIRE(info.words >= 1 && info.max_word_bytes >= 1 && info.max_word_bytes <= 255 && info.file_bytes == size);
  hushbit_error error;
  const hushbit_status status = hushbit_bundle_verify(bundle.get(), &error);
  REQUIRE(status == HUSHBIT_OK || status == HUSHBIT_CORRUPT_BUNDLE);
  if (status != HUSHBIT_OK) require_told(status, error);
  const bool verified = status == HUSHBIT_OK;
  exercise_sections(bundle.get(), size);
  exercise_opened(bundle.get(), text, verified, true);
  return {.opened = true, .verified = verified};
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_EXERCISE_H_
