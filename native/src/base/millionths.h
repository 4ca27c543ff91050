// Costs in whole millionths, which add up exactly and have six decimals at most.
#ifndef HUSHBIT_MILLIONTHS_H_
#define HUSHBIT_MILLIONTHS_H_

#include <stdint.h>

namespace hushbit {

// The largest number of millionths stands for infinity. Adding to it leaves it as it is.
inline constexpr uint64_t kInfiniteCost = UINT64_MAX;

// Returns a cost of 0 or more in millionths, rounded up, so never less than the cost.
uint64_t millionths_above(double cost);
// Returns the same, but a double that is the nearest one to a number of millionths stands for that number: 0.1 for a
// tenth, although the double is a little more. It is for costs that `of_millionths` made, and for those that people
// state.
uint64_t stated_millionths(double cost);
// Returns a cap that a person states, in the same way but rounded down. It is kInfiniteCost for infinity alone.
uint64_t millionths_of_cap(double cap);
// Returns the nearest double or, above 2^53 millionths, one that is not less.
double of_millionths(uint64_t millionths);

uint64_t saturating_sum(uint64_t a, uint64_t b);
uint64_t saturating_product(uint64_t a, uint64_t b);

// The largest double that is neither above `stated` nor above the number of millionths that it stands for. A promise of
// this epsilon is one of stated_millionths(stated).
double at_most_as_stated(double stated);

}  // namespace hushbit

#endif  // HUSHBIT_MILLIONTHS_H_
