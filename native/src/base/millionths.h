// Costs in whole millionths, which add up exactly and have six decimals at most.
#ifndef HUSHBIT_MILLIONTHS_H_
#define HUSHBIT_MILLIONTHS_H_

#include <stdint.h>

namespace hushbit {

// The largest number of millionths stands for infinity, and stays.
inline constexpr uint64_t kInfiniteCost = UINT64_MAX;

// A cost of 0 or more in millionths, rounded up: never less than it.
uint64_t millionths_above(double cost);
// The same, but a double that is the nearest one to a number of millionths stands for that number: 0.1 for a tenth,
// although the double is a little more. For costs that `of_millionths` made, and those that people state.
uint64_t stated_millionths(double cost);
// For caps: what a person states, rounded down otherwise. kInfiniteCost for infinity alone.
uint64_t millionths_of_cap(double cap);
// The nearest double; above 2^53 millionths one that is not less.
double of_millionths(uint64_t millionths);

uint64_t saturating_sum(uint64_t a, uint64_t b);
uint64_t saturating_product(uint64_t a, uint64_t b);

// The largest double that is neither above `stated` nor above the number of millionths that it stands for. A promise of
// this epsilon is one of stated_millionths(stated).
double at_most_as_stated(double stated);

}  // namespace hushbit

#endif  // HUSHBIT_MILLIONTHS_H_
