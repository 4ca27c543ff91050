#include "mechanism/tem.h"

#include <math.h>

#include <algorithm>

#include "base/clean_stack.h"
#include "base/rounding.h"
#include "mechanism/coin.h"
#include "mechanism/input.h"

namespace hushbit {
namespace {

// The largest weight stays below the first number, so that the weights of 2^24 words sum to less than 2^87. The
// smallest weight is about the second or more: a weight of 2 could not grow by less than half of itself.
constexpr double kMaxWeight = 0x1p62, kLeastWeight = 0x1p12;

// If every word had the largest weight that is not counted, all words together would weigh at most this many times
// their true weight. So a try fails with a chance of at most 16/17, and so many tries fail with a chance below 2^-128.
constexpr uint32_t kFarShare = 16;
constexpr int kMaxTries = 1500;

uint32_t theorem_4_2(double epsilon, double beta, uint32_t words, uint32_t bits) {
  const double farther = (1 - beta) / beta * (words - 1.0);
  if (farther <= 1) return 0;
  const double gamma = 2 * log(farther) / epsilon;  // infinite if epsilon is 0
  return gamma < bits ? static_cast<uint32_t>(ceil(gamma)) : bits;
}

// Not inlined: it is called three times, and inlining makes the library larger.
HUSHBIT_APART bool draw_index(uint32_t count, RandomSource random, uint32_t* index) {
  bool accepted = false;
  for (int draws = 0; !accepted; ++draws) {
    uint64_t u;
    if (draws > kMaxRedraws || !random.fill(random.state, &u, sizeof(u))) return false;
    *index = static_cast<uint32_t>(uniform_index(u, count, &accepted));
  }
  return true;
}

// Draws a number exactly uniformly below `bound` > 0: it draws as many bits as `bound` has until they are below it.
HUSHBIT_APART bool draw_below(const Uint128& bound, RandomSource random, Uint128* value) {
  for (int draws = 0; draws <= kMaxRedraws; ++draws) {
    uint64_t words[2];
    if (!random.fill(random.state, words, sizeof(words))) return false;
    *value = keep_bits_of({words[1], words[0]}, bound);
    if (*value < bound) return true;
  }
  return false;
}

}  // namespace

void TemWeights::build(double epsilon, double beta, uint32_t words, uint32_t code_bits) {
  bits = code_bits;
  gamma = theorem_4_2(epsilon, beta, words, bits);
  // One step of the table is e^step. The whole range must fit the integers.
  const double max_step = gamma == 0 ? 0 : log(kMaxWeight / kLeastWeight) / gamma;
  const double step = std::min(epsilon / 2, max_step);
  clamped = gamma > 0 && step < epsilon / 2;
  // The factor is below the true e^step, so no rounding makes a step too high.
  const double factor = exp(step) * (1 - 0x1p-50);
  weight[gamma] = static_cast<uint64_t>(kMaxWeight * 0.99 * exp(-step * gamma));
  for (uint32_t d = gamma; d-- > 0;) {
    weight[d] = std::max(weight[d + 1], static_cast<uint64_t>(static_cast<double>(weight[d + 1]) * factor));
  }
  std::fill(weight + gamma + 1, weight + bits + 1, weight[gamma]);
  count_up_to_near(words);
}

// All words together weigh at least as much as the word itself, and at least as much as all of them at the smallest
// weight.
void TemWeights::count_up_to_near(uint32_t words) {
  const Uint128 enough =
      std::max(multiply(kFarShare, weight[0]), multiply(kFarShare * words, weight[bits]));  // words < 2^24
  near = 0;
  while (enough < multiply(words, weight[near + 1])) ++near;  // ends at bits - 1 at the latest
}

double TemWeights::epsilon() const {
  double largest = 0;
  for (uint32_t d = 0; d < gamma; ++d) {
    largest = std::max(largest, log1p_ratio_rounded_up(weight[d] - weight[d + 1], weight[d + 1]));
  }
  return 2 * largest;
}

double TemWeights::log_range() const { return log1p_ratio_rounded_up(weight[0] - weight[bits], weight[bits]); }

// Returns the sum of the weights of the words that were counted.
Uint128 Tem::near_total(const uint32_t* counts) const {
  Uint128 total;
  for (uint32_t d = 0; d <= weights.near; ++d) total += multiply(counts[d], weights.weight[d]);
  return total;
}

// Chooses a word that was counted; `rest` is below the sum of their weights. First it chooses a distance, by the weight
// of all words at that distance, then one of these words.
hushbit_status Tem::draw_near(const uint8_t* code, const uint32_t* counts, Uint128 rest, RandomSource random,
                              uint32_t* output) const {
  uint32_t distance = 0;
  for (; distance < weights.near; ++distance) {
    const Uint128 shell = multiply(counts[distance], weights.weight[distance]);
    if (rest < shell) break;
    rest -= shell;
  }
  uint32_t index = 0;
  if (!draw_index(counts[distance], random, &index)) return HUSHBIT_RANDOMNESS_FAILED;
  return word_at_distance(*codes, code, distance, index, output) ? HUSHBIT_OK : HUSHBIT_CORRUPT_BUNDLE;
}

// Proposes any word, uniformly. It is kept with a chance of its weight divided by the largest weight of the words that
// were not counted.
hushbit_status Tem::propose_far(const uint8_t* code, RandomSource random, uint32_t* output, bool* kept) const {
  uint8_t other[kMaxCodeBytes];
  if (!draw_index(codes->count, random, output)) return HUSHBIT_RANDOMNESS_FAILED;
  if (!codes->copy(*output, other)) return HUSHBIT_CORRUPT_BUNDLE;
  const uint32_t distance = hamming_distance(code, other, codes->code_bytes);
  Uint128 value;
  if (!draw_below({0, weights.weight[weights.near + 1]}, random, &value)) return HUSHBIT_RANDOMNESS_FAILED;
  *kept = distance > weights.near && value.low < weights.weight[distance];
  return HUSHBIT_OK;
}

// Rejection sampling. A near word, which was counted, has its own weight. Every other word is given the largest weight
// that such words have, and the part that exceeds its own weight is rejected. The distances of far words are computed
// only if they are proposed.
hushbit_status Tem::replace_code(const uint8_t* code, RandomSource random, uint32_t* output) const {
  uint32_t counts[kMaxBits + 1];
  if (!count_distances(*codes, code, weights.near, counts)) return HUSHBIT_CORRUPT_BUNDLE;
  if (counts[0] == 0) return HUSHBIT_CORRUPT_BUNDLE;  // the word itself
  const Uint128 near = near_total(counts);
  Uint128 bound = near;
  bound += multiply(codes->count, weights.weight[weights.near + 1]);
  bool kept = false;
  for (int tries = 0; tries < kMaxTries && !kept; ++tries) {
    Uint128 rest;
    if (!draw_below(bound, random, &rest)) return HUSHBIT_RANDOMNESS_FAILED;
    if (rest < near) return draw_near(code, counts, rest, random, output);
    const hushbit_status status = propose_far(code, random, output, &kept);
    if (status != HUSHBIT_OK) return status;
  }
  // So many tries fail only if the counts and the codes contradict each other.
  return kept ? HUSHBIT_OK : HUSHBIT_CORRUPT_BUNDLE;
}

hushbit_status Tem::replace_known(uint32_t input, RandomSource random, uint32_t* output) const {
  uint8_t code[kMaxCodeBytes];
  return codes->copy(input, code) ? replace_code(code, random, output) : HUSHBIT_CORRUPT_BUNDLE;
}

hushbit_status Tem::replace(const uint32_t* inputs, uint32_t size, const RandomSource* sources,
                            uint32_t* outputs) const {
  for (uint32_t i = 0; i < size; ++i) {
    hushbit_status status = HUSHBIT_OK;
    if (inputs[i] != kUnknownInput) {
      status = replace_known(inputs[i], sources[i], &outputs[i]);
    } else if (!draw_index(codes->count, sources[i], &outputs[i])) {
      status = HUSHBIT_RANDOMNESS_FAILED;
    }
    if (status != HUSHBIT_OK) return status;
  }
  return HUSHBIT_OK;
}

}  // namespace hushbit
