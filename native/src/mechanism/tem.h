// TEM over Hamming distance (Carvalho et al. 2023, Algorithms 2 and 3): the truncated exponential mechanism. It draws
// exactly, by rejection: it counts the words that are near, and proposes the others. Nothing is drawn with Gumbel noise
// or floating point.
#ifndef HUSHBIT_TEM_H_
#define HUSHBIT_TEM_H_

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "hushbit/hushbit.h"
#include "mechanism/uint128.h"
#include "search/hamming.h"
#include "search/search.h"

namespace hushbit {

// Integer weights, one for each distance. A word at distance d is drawn with a probability proportional to weight[d].
// Up to gamma each weight is at most e^(epsilon / 2) times the next; beyond gamma all are equal. None is 0.
struct TemWeights {
  uint64_t weight[kMaxBits + 1];
  uint32_t bits;
  uint32_t gamma;  // in bits; all words farther than this together are drawn with a probability of at most beta
  uint32_t near;   // in bits, less than `bits`; words farther than this are proposed, not counted
  bool clamped;    // epsilon was more than the integers can express, and was lowered

  // Makes the weights. gamma is that of Theorem 4.2, (2 / epsilon) ln((1 - beta) (words - 1) / beta), rounded up to
  // whole bits and clipped to 0 … bits. epsilon is finite and 0 or more, and beta is strictly between 0 and 1.
  void build(double epsilon, double beta, uint32_t words, uint32_t code_bits);

  // The epsilon per differing bit that the table gives, rounded up: the largest 2 ln(weight[d] / weight[d + 1]).
  double epsilon() const;

  // ln(weight[0] / weight[bits]), rounded up. The log-probability of any output of a word differs from that of a
  // uniform draw of all words by at most this, so the cost of distinguishing two words is at most twice this.
  double log_range() const;

 private:
  void count_up_to_near(uint32_t words);
};

struct Tem {
  const Codes* codes;
  TemWeights weights;

  // Replaces `size` inputs, each a word id or kUnknownInput; the latter is replaced by a word that is drawn uniformly.
  // Each input has its own source of randomness. Returns OK, RANDOMNESS_FAILED or CORRUPT_BUNDLE. After a failure
  // nothing may be released.
  hushbit_status replace(const uint32_t* inputs, uint32_t size, const RandomSource* sources, uint32_t* outputs) const;

 private:
  Uint128 near_total(const uint32_t* counts) const;
  hushbit_status draw_near(const uint8_t* code, const uint32_t* counts, Uint128 rest, RandomSource random,
                           uint32_t* output) const;
  hushbit_status propose_far(const uint8_t* code, RandomSource random, uint32_t* output, bool* kept) const;
  hushbit_status replace_code(const uint8_t* code, RandomSource random, uint32_t* output) const;
  hushbit_status replace_known(uint32_t input, RandomSource random, uint32_t* output) const;
};

}  // namespace hushbit

#endif  // HUSHBIT_TEM_H_
