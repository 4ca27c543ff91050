// The exact coin of randomized response: a bit flips with probability T / 2^64, an integer threshold.
#ifndef HUSHBIT_COIN_H_
#define HUSHBIT_COIN_H_

#include <stdint.h>

#include "base/random.h"

namespace hushbit {

// The threshold of a fair coin, epsilon = 0.
inline constexpr uint64_t kFairCoin = uint64_t{1} << 63;

// Returns T = ceil(2^64 / (1 + e^epsilon)), 1 to 2^63, for a finite epsilon of 0 or more. Rounding up flips more often,
// so the epsilon that really holds is at most the requested one. T is computed in 192-bit fixed point with an error
// below 2^-100. If that error leaves two integers possible, the larger one is taken.
uint64_t flip_threshold(double epsilon);

// Returns an upper bound, a few units in the last place above the truth, on ln((2^64 - T) / T), which is the epsilon
// per differing bit that a coin of threshold T gives. T is 1 to 2^63.
double epsilon_of_threshold(uint64_t threshold);

// Returns the same kind of bound on ln(2^63 / T), the log-ratio per bit between a fair coin and this one.
double epsilon_to_fair_coin(uint64_t threshold);

// Returns the threshold of the coin of crowds for a finite epsilon of 0 or more, m = `crowd_mass` and M = `all_mass` >=
// m:
//   L = floor(2^64 (e^epsilon - 1) m / (M + (e^epsilon - 1) m)).
// Rounding down draws from all words more often, so the epsilon that really holds is at most the requested one. L is
// computed in 192-bit fixed point with an error below 2^-72. If that error leaves two integers possible, the smaller
// one is taken. L is 0 for an epsilon below 2^-63, and does not grow above kMaxCrowdEpsilon.
uint64_t crowd_threshold(double epsilon, uint32_t crowd_mass, uint32_t all_mass);
inline constexpr double kMaxCrowdEpsilon = 63;

// Returns an upper bound, a few units in the last place above the truth, on ln(1 + L M / ((2^64 - L) m)), which is the
// epsilon of a word that a crowd's coin of threshold L gives.
double epsilon_of_crowd(uint64_t threshold, uint32_t crowd_mass, uint32_t all_mass);

// Returns floor(2^32 e^-epsilon) for an epsilon of 2^-63 or more and below 64. It is computed in the same fixed point,
// so every device gets the same integer.
uint32_t exp_minus_below_one(double epsilon);

// The largest number of times that a rejected draw is repeated. With a sound source more would be needed with a
// probability below 2^-100, and a source that is stuck must not make the call hang. Reaching this number counts as a
// failure of the source, and nothing is released.
inline constexpr int kMaxRedraws = 128;

// Returns an exactly uniform index below `count` (> 0) from a uniform `u`, if it sets *accepted. Otherwise the caller
// must draw another u, which happens with a probability below count / 2^64. (Multiply-shift with rejection, Lemire
// 2019.)
uint64_t uniform_index(uint64_t u, uint32_t count, bool* accepted);

// Draws an exactly uniform index below `count` from `u`. While a number is rejected, it takes 64 more bits of the
// source. Returns false if the source fails.
[[nodiscard]] bool draw_below(uint32_t count, uint64_t u, RandomSource random, uint32_t* index);

// Returns a mask without a branch: all ones if a < b, otherwise 0.
inline uint64_t mask_of_less(uint64_t a, uint64_t b) { return uint64_t{0} - (((~a & b) | (~(a ^ b) & (a - b))) >> 63); }

}  // namespace hushbit

#endif  // HUSHBIT_COIN_H_
