#include "release/embedder.h"

#include <string.h>

#include "base/error.h"
#include "mechanism/text_vector.h"
#include "release/tokens.h"

namespace hushbit {

hushbit_status Embedder::init(const Bundle& bundle, const hushbit_embedder_options& options, const Budget* budget,
                              hushbit_error* error) {
  const Embedding& embedding = bundle.embedding();
  if (embedding.empty()) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
                "the bundle has no embedding; export it again with a version of Hushbit that writes one");
  }
  bundle_ = &bundle;
  hushbit_status status = HUSHBIT_OK;
  const Codes& codes = bundle.codes();
  if (codes.count <= Spellings::kMostWords) {
    status = spellings_.init(bundle.vocabulary(), bundle.outputs(), error);
    if (status == HUSHBIT_OK && !rows_.resize(size_t{codes.count} * codes.code_bytes)) {
      return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
    }
    if (status == HUSHBIT_OK) memset(rows_.data(), 0, rows_.size());  // a damaged order may leave out some
    if (status == HUSHBIT_OK && !codes.copy_all(rows_.data())) {
      return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's codes are damaged; download it again");
    }
  }
  if (status != HUSHBIT_OK) return status;
  return init_crowd(embedding.dimensions(), embedding.directions(), embedding.seed(), bundle.info().hash, options,
                    budget, error);
}

hushbit_status Embedder::init_projection(std::span<const uint8_t> file, const hushbit_embedder_options& options,
                                         const Budget* budget, hushbit_error* error) {
  const hushbit_status status = projection_.open(file, error);
  if (status != HUSHBIT_OK) return status;
  return init_crowd(projection_.dimensions(), projection_.directions(), projection_.seed(), projection_.hash(), options,
                    budget, error);
}

hushbit_status Embedder::init_crowd(uint32_t dimensions, uint32_t directions, uint64_t seed, const uint8_t hash[32],
                                    const hushbit_embedder_options& options, const Budget* budget,
                                    hushbit_error* error) {
  if (options.punctuation > HUSHBIT_PUNCTUATION_PRIVATIZE) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown punctuation policy %u", options.punctuation);
  }
  hushbit_status status = crowd_.init(dimensions, directions, seed, options.epsilon, error);
  if (status != HUSHBIT_OK) return status;
  const NoiseTerms terms = {.bundle_hash = hash,
                            .mechanism = HUSHBIT_EMBEDDING,
                            .parameters = {crowd_.threshold(), crowd_.size()},
                            .epoch = options.epoch};
  status = whole_.init(
      terms, crowd_.epsilon(),
      {.device_key = options.device_key, .epoch = options.epoch, .budget = budget, .audit_log = options.audit_log},
      error);
  punctuation_ = options.punctuation;
  info_ = {.struct_size = sizeof(hushbit_embedder_info),
           .requested_epsilon = crowd_.requested_epsilon(),
           .effective_epsilon = crowd_.epsilon(),
           .seed = seed,
           .dimensions = dimensions,
           .directions = directions,
           .crowd_directions = crowd_.size(),
           .clamped = crowd_.clamped() ? 1 : 0,
           .crowd_threshold = crowd_.threshold(),
           .crowd_probability = static_cast<double>(crowd_.threshold()) * 0x1p-64,
           .memoized = whole_.is_memoized() ? 1 : 0,
           .input_numbers = projection_.numbers(),
           .hash = {}};
  memcpy(info_.hash, hash, sizeof(info_.hash));
  return status;
}

hushbit_status Embedder::read(std::span<const uint8_t> text, TextKey* key, int64_t* vector,
                              hushbit_error* error) const {
  TextVector sum(*bundle_, rows_.data());
  const hushbit_status status =
      visit_tokens(*bundle_, &spellings_, text, error, [&](const hushbit_token& token) -> hushbit_status {
        if (!is_word_like(token, punctuation_)) return HUSHBIT_OK;
        if (token.word == HUSHBIT_NO_WORD) {
          key->add_unknown(typed(token, text));
          return HUSHBIT_OK;
        }
        if (key->is_wanted()) {
          uint8_t word[kMaxWordBytes];
          const std::span<const uint8_t> spelled = spell(*bundle_, spellings_, token.word, word);
          if (spelled.empty()) return damaged_words(error);
          key->add_word(spelled);
        }
        if (sum.is_full()) {
          return fail(error, HUSHBIT_INVALID_ARGUMENT, token.byte_begin,
                      "the text has more than %u words; embed its parts; nothing was released", TextVector::kMostWords);
        }
        return sum.add(token.word) ? HUSHBIT_OK : damaged_words(error);
      });
  if (status == HUSHBIT_OK) sum.finish(vector);
  return status;
}

hushbit_status Embedder::read(std::span<const float> numbers, TextKey* key, int64_t* vector,
                              hushbit_error* error) const {
  if (numbers.size() != projection_.numbers()) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
                "the vector has %zu numbers; the projection takes %u; nothing was released", numbers.size(),
                projection_.numbers());
  }
  int32_t quantized[Projection::kMostNumbers];
  if (!projection_.quantize(numbers.data(), quantized)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the vector has a number that is not finite; nothing was released");
  }
  key->add_numbers({quantized, numbers.size()});
  projection_.project(quantized, vector);
  return HUSHBIT_OK;
}

hushbit_status Embedder::vector_of(std::span<const float> numbers, int64_t* vector, hushbit_error* error) const {
  TextKey key(nullptr);
  return read(numbers, &key, vector, error);
}

hushbit_status Embedder::vector_of(std::span<const uint8_t> text, int64_t* vector, hushbit_error* error) const {
  TextKey key(nullptr);
  return read(text, &key, vector, error);
}

hushbit_status Embedder::embed(std::span<const uint8_t> text, RandomSource random, TextCrowdScratch* scratch,
                               hushbit_embedding* embedding, hushbit_error* error) const {
  int64_t vector[Embedding::kMaxDimensions];
  TextKey key(whole_.memo());
  const hushbit_status status = read(text, &key, vector, error);
  return status == HUSHBIT_OK ? release(vector, &key, random, scratch, embedding, error) : status;
}

hushbit_status Embedder::embed_vector(std::span<const float> numbers, RandomSource random, TextCrowdScratch* scratch,
                                      hushbit_embedding* embedding, hushbit_error* error) const {
  int64_t vector[Embedding::kMaxDimensions];
  TextKey key(whole_.memo());
  const hushbit_status status = read(numbers, &key, vector, error);
  return status == HUSHBIT_OK ? release(vector, &key, random, scratch, embedding, error) : status;
}

hushbit_status Embedder::release(const int64_t* vector, TextKey* key, RandomSource random, TextCrowdScratch* scratch,
                                 hushbit_embedding* embedding, hushbit_error* error) const {
  if (!crowd_.reserve(scratch)) return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory; nothing was released");
  uint32_t index = 0;
  const hushbit_status status = whole_.release(key, random, error, [&](RandomSource source) {
    if (crowd_.draw(vector, source, scratch, &index)) return HUSHBIT_OK;
    return fail(error, HUSHBIT_RANDOMNESS_FAILED, 0,
                "the operating system provided no randomness; nothing was released");
  });
  if (status != HUSHBIT_OK) return status;
  *embedding = {.struct_size = sizeof(hushbit_embedding),
                .epsilon = crowd_.epsilon(),
                .signs = crowd_.directions().signs(index),
                .index = index,
                .dimensions = crowd_.directions().dimensions()};
  return HUSHBIT_OK;
}

}  // namespace hushbit
