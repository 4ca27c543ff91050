// A text in, or a vector of one, and one public direction out, at one epsilon for the whole text.
#ifndef HUSHBIT_EMBEDDER_H_
#define HUSHBIT_EMBEDDER_H_

#include <stddef.h>
#include <stdint.h>

#include <span>

#include "base/random.h"
#include "bundle/bundle.h"
#include "bundle/spellings.h"
#include "hushbit/hushbit.h"
#include "mechanism/projection.h"
#include "mechanism/text_crowd.h"
#include "release/whole_text.h"

namespace hushbit {

class Embedder {
 public:
  // `bundle`, and `budget` if it is not null, must outlive the embedder. The budget of the options is not looked at.
  hushbit_status init(const Bundle& bundle, const hushbit_embedder_options& options, const Budget* budget,
                      hushbit_error* error);

  // Does the same for vectors instead of texts, by a projection file.
  hushbit_status init_projection(std::span<const uint8_t> file, const hushbit_embedder_options& options,
                                 const Budget* budget, hushbit_error* error);

  const hushbit_embedder_info& info() const { return info_; }
  const Directions& directions() const { return crowd_.directions(); }
  const TextCrowd& crowd() const { return crowd_; }
  // The bundle of the texts, or NULL if the embedder takes vectors.
  const Bundle* bundle() const { return bundle_; }

  // Does what hushbit_embed says. `random` is for fresh draws.
  hushbit_status embed(std::span<const uint8_t> text, RandomSource random, TextCrowdScratch* scratch,
                       hushbit_embedding* embedding, hushbit_error* error) const;
  // Does the same for `numbers`, if the embedder takes vectors.
  hushbit_status embed_vector(std::span<const float> numbers, RandomSource random, TextCrowdScratch* scratch,
                              hushbit_embedding* embedding, hushbit_error* error) const;

  // The vector of a text as typed, d numbers, which must not leave the device.
  hushbit_status vector_of(std::span<const uint8_t> text, int64_t* vector, hushbit_error* error) const;
  hushbit_status vector_of(std::span<const float> numbers, int64_t* vector, hushbit_error* error) const;

 private:
  hushbit_status init_crowd(uint32_t dimensions, uint32_t directions, uint64_t seed, const uint8_t hash[32],
                            const hushbit_embedder_options& options, const Budget* budget, hushbit_error* error);
  hushbit_status read(std::span<const uint8_t> text, TextKey* key, int64_t* vector, hushbit_error* error) const;
  hushbit_status read(std::span<const float> numbers, TextKey* key, int64_t* vector, hushbit_error* error) const;
  hushbit_status release(const int64_t* vector, TextKey* key, RandomSource random, TextCrowdScratch* scratch,
                         hushbit_embedding* embedding, hushbit_error* error) const;

  const Bundle* bundle_ = nullptr;
  uint32_t punctuation_ = HUSHBIT_PUNCTUATION_DROP;
  // The spellings and codes of output words, if there are not more of them than Spellings::kMostWords: half a megabyte
  // at 256 bits.
  Spellings spellings_;
  Buffer<uint8_t> rows_;
  Projection projection_;  // used for vectors
  TextCrowd crowd_;
  WholeText whole_;
  hushbit_embedder_info info_ = {};
};

}  // namespace hushbit

#endif  // HUSHBIT_EMBEDDER_H_
