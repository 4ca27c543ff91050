#include "mechanism/tem.h"

#include <math.h>

#include <algorithm>

#include "base/rounding.h"
#include "mechanism/coin.h"
#include "mechanism/input.h"
#include "mechanism/uint128.h"

namespace hushbit {
namespace {

// The largest weight stays below this; 2^24 words of it sum to less than 2^87. The smallest is about this at least: a
// weight of 2 could not grow by less than half of itself.
constexpr double kMaxWeight = 0x1p62, kLeastWeight = 0x1p12;

uint32_t theorem_4_2(double epsilon, double beta, uint32_t words, uint32_t bits) {
  const double farther = (1 - beta) / beta * (words - 1.0);
  if (farther <= 1) return 0;
  const double gamma = 2 * log(farther) / epsilon;  // infinite if epsilon is 0
  return gamma < bits ? static_cast<uint32_t>(ceil(gamma)) : bits;
}

bool draw_index(uint32_t count, RandomSource random, uint32_t* index) {
  bool accepted = false;
  for (int draws = 0; !accepted; ++draws) {
    uint64_t u;
    if (draws > kMaxRedraws || !random.fill(random.state, &u, sizeof(u))) return false;
    *index = static_cast<uint32_t>(uniform_index(u, count, &accepted));
  }
  return true;
}

// Exactly uniform below `bound` > 0: as many bits as it has, drawn again while they are not below it.
bool draw_below(const Uint128& bound, RandomSource random, Uint128* value) {
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
}

double TemWeights::epsilon() const {
  double largest = 0;
  for (uint32_t d = 0; d < gamma; ++d) {
    largest = std::max(largest, log1p_ratio_rounded_up(weight[d] - weight[d + 1], weight[d + 1]));
  }
  return 2 * largest;
}

double TemWeights::log_range() const { return log1p_ratio_rounded_up(weight[0] - weight[bits], weight[bits]); }

hushbit_status Tem::replace_word(const uint8_t* code, const uint32_t* counts, RandomSource random,
                                 uint32_t* output) const {
  Uint128 total;
  for (uint32_t d = 0; d <= weights.bits; ++d) total += multiply(counts[d], weights.weight[d]);
  Uint128 rest;
  if (!draw_below(total, random, &rest)) return HUSHBIT_RANDOMNESS_FAILED;
  uint32_t distance = 0;
  for (; distance < weights.bits; ++distance) {
    const Uint128 shell = multiply(counts[distance], weights.weight[distance]);
    if (rest < shell) break;
    rest -= shell;
  }
  uint32_t index = 0;
  if (!draw_index(counts[distance], random, &index)) return HUSHBIT_RANDOMNESS_FAILED;
  return word_at_distance(*codes, code, distance, index, output) ? HUSHBIT_OK : HUSHBIT_CORRUPT_BUNDLE;
}

hushbit_status Tem::replace_known(uint32_t input, RandomSource random, uint32_t* output) const {
  uint8_t code[kMaxCodeBytes];
  uint32_t counts[kMaxBits + 1];
  const bool ok = codes->copy(input, code) && count_distances(*codes, code, counts);
  return ok ? replace_word(code, counts, random, output) : HUSHBIT_CORRUPT_BUNDLE;
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
