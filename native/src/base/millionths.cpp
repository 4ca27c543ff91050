#include "base/millionths.h"

#include <math.h>

namespace hushbit {
namespace {

constexpr double kPerUnit = 1e6;
// Up to here every number of millionths is a double, and differs from the next one when it is divided.
constexpr double kExact = 0x1p53;

// The number of millionths for which `value` stands, or a negative number if it stands for none.
double stands_for(double value) {
  const double whole = nearbyint(value * kPerUnit);
  return whole < kExact && whole / kPerUnit == value ? whole : -1;
}

}  // namespace

uint64_t saturating_sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

uint64_t saturating_product(uint64_t a, uint64_t b) { return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b; }

uint64_t millionths_above(double cost) {
  const double units = cost * kPerUnit;
  if (!(units < 0x1p64)) return kInfiniteCost;
  const double whole = ceil(units);
  // The product was rounded. Its error is computed exactly; if it fell on a whole number from above, that is too low.
  const bool fell = whole == units && fma(cost, kPerUnit, -units) > 0;
  return whole < 0x1p64 ? saturating_sum(static_cast<uint64_t>(whole), fell) : kInfiniteCost;
}

uint64_t stated_millionths(double cost) {
  const double whole = stands_for(cost);
  return whole < 0 ? millionths_above(cost) : static_cast<uint64_t>(whole);
}

uint64_t millionths_of_cap(double cap) {
  if (isinf(cap)) return kInfiniteCost;
  const double stated = stands_for(cap);
  const double units = stated < 0 ? floor(cap * kPerUnit) : stated;
  return units < 0x1p63 ? static_cast<uint64_t>(units) : uint64_t{1} << 63;
}

double of_millionths(uint64_t millionths) {
  if (millionths == kInfiniteCost) return HUGE_VAL;
  const double nearest = static_cast<double>(millionths) / kPerUnit;
  // Two roundings.
  return nearest < kExact / kPerUnit ? nearest : nextafter(nextafter(nearest, HUGE_VAL), HUGE_VAL);
}

double at_most_as_stated(double stated) {
  const double whole = stands_for(stated);
  return whole >= 0 && fma(stated, kPerUnit, -whole) > 0 ? nextafter(stated, 0) : stated;
}

}  // namespace hushbit
