// The exact coin of randomized response: a bit flips with probability T / 2^64, an integer threshold.
#ifndef HUSHBIT_COIN_H_
#define HUSHBIT_COIN_H_

#include <stdint.h>

#include "base/random.h"

namespace hushbit {

// The threshold of a fair coin, epsilon = 0.
inline constexpr uint64_t kFairCoin = uint64_t{1} << 63;

// T = ceil(2^64 / (1 + e^epsilon)) for a finite epsilon of 0 or more, 1 to 2^63: rounding up flips more often, so the
// epsilon that really holds is at most the one asked for. Computed in 192-bit fixed point with an error below 2^-100;
// where that leaves the integer open, the larger one is taken.
uint64_t flip_threshold(double epsilon);

// An upper bound, a few units in the last place above the truth, on ln((2^64 - T) / T), the epsilon per differing bit
// that a coin of threshold T gives. T from 1 to 2^63.
double epsilon_of_threshold(uint64_t threshold);

// The same kind of bound on ln(2^63 / T), the log-ratio per bit between a fair coin and this one.
double epsilon_to_fair_coin(uint64_t threshold);

// The coin of crowds, where m = `crowd_mass` and M = `all_mass` >= m: L = floor(2^64 (e^epsilon - 1) m / (M +
// (e^epsilon
// - 1) m)) for a finite epsilon of 0 or more. Rounding down draws from all words more often, so the epsilon that really
// holds is at most the one asked for. Computed in 192-bit fixed point with an error below 2^-72; where that leaves the
// integer open, the smaller one is taken. 0 below 2^-63; above kMaxCrowdEpsilon it stays as it is there.
uint64_t crowd_threshold(double epsilon, uint32_t crowd_mass, uint32_t all_mass);
inline constexpr double kMaxCrowdEpsilon = 63;

// An upper bound, a few units in the last place above the truth, on ln(1 + L M / ((2^64 - L) m)), the epsilon of a word
// that a crowd's coin of threshold L gives.
double epsilon_of_crowd(uint64_t threshold, uint32_t crowd_mass, uint32_t all_mass);

// floor(2^32 e^-epsilon) for an epsilon of 2^-63 or more and below 64, in the same fixed point: an integer that every
// device agrees on.
uint32_t exp_minus_below_one(double epsilon);

// A draw that is rejected is drawn again, but not more often than this: a sound source comes there with probability
// below 2^-100, a stuck one must not hang. It counts as a failure of the source, and nothing is released.
inline constexpr int kMaxRedraws = 128;

// For a uniform `u`: if *accepted, an exactly uniform index below `count` (> 0); else draw another u. Rejected with
// probability below count / 2^64. (Multiply-shift with rejection, Lemire 2019.)
uint64_t uniform_index(uint64_t u, uint32_t count, bool* accepted);

// An exactly uniform index below `count`, from `u` and, while that is rejected, from 64 bits more of the source. False
// if the source fails.
[[nodiscard]] bool draw_below(uint32_t count, uint64_t u, RandomSource random, uint32_t* index);

// All ones if a < b, else 0, without a branch.
inline uint64_t mask_of_less(uint64_t a, uint64_t b) { return uint64_t{0} - (((~a & b) | (~(a ^ b) & (a - b))) >> 63); }

}  // namespace hushbit

#endif  // HUSHBIT_COIN_H_
