#include "mechanism/unchanged.h"

#include <math.h>

namespace hushbit {
namespace {

// This much above the default is allowed for, the error of a sample of a thousand words.
constexpr double kTolerance = 1.05;
// The codes that export makes leave half of the words unchanged at .93 to 1.28 times the epsilon of random codes.
constexpr double kMostOfRandomCodes = 1.5;

constexpr double kMostEpsilon = 128;

// Returns the bits of information that get through for each bit of a code.
double told_by_a_bit(uint32_t mechanism, double epsilon) {
  if (mechanism == HUSHBIT_TEM) return 1 - log2(1 + exp(-epsilon / 2));
  const double odds = exp(-epsilon), flips = odds / (1 + odds);
  return 1 + (flips > 0 ? flips * log2(flips) : 0) + (1 - flips) * log2(1 - flips);
}

}  // namespace

double half_of_random_codes(uint32_t mechanism, double average, uint32_t words) {
  // Two random bits differ half of the time; a word does not differ from itself.
  const double bits = 2 * average * words / (words - 1.0), needed = log2(words);
  if (!(bits > needed)) return HUGE_VAL;
  double low = 0, high = kMostEpsilon;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (bits * told_by_a_bit(mechanism, middle) < needed ? low : high) = middle;
  }
  return high;
}

double most_epsilon_on_codes(uint32_t mechanism, const hushbit_bundle_info& bundle) {
  if (bundle.output_words < 2) return HUGE_VAL;  // every release is the same
  const double stated = mechanism == HUSHBIT_TEM ? bundle.default_epsilon_tem : bundle.default_epsilon_brr;
  const double random = half_of_random_codes(mechanism, bundle.average_distance, bundle.output_words);
  const bool credible = stated > 0 && stated <= kMostOfRandomCodes * random;
  return kTolerance * (credible ? stated : random);
}

}  // namespace hushbit
