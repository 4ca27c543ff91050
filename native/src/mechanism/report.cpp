#include "mechanism/report.h"

#include <algorithm>
#include <bit>

#include "base/millionths.h"
#include "mechanism/coin.h"

namespace hushbit {

Points::Points(uint32_t prime, uint32_t dimension) : prime_(prime), dimension_(dimension) {
  uint32_t power = 1;
  for (uint32_t i = 0; i < dimension; ++i, power *= prime) powers_[i] = power;
}

// Finds how many coordinates before the 1 are 0, then the digits of what is left of the number. There are no more
// digits than coordinates behind the 1.
void Points::coordinates(uint32_t number, uint32_t count, uint32_t* out) const {
  uint32_t searching = 1, zeros = 0;
  for (uint32_t i = count; i-- > 0;) {
    searching &= number >= powers_[i] ? 1 : 0;
    number -= powers_[i] & (0 - searching);
    zeros += searching;
  }
  for (uint32_t i = count; i-- > 0; number /= prime_) out[i] = number % prime_;
  for (uint32_t i = 0; i < count; ++i) out[i] |= i == zeros ? 1 : 0;
}

// Skips a block of points for each coordinate before the 1. Each coordinate behind it is a digit.
uint32_t Points::number(const uint32_t* coordinates) const {
  uint32_t begun = 0, number = 0;
  for (uint32_t i = 0; i < dimension_; ++i) {
    const uint32_t coordinate = coordinates[i];
    const uint32_t blocks = (coordinate & (0 - begun)) | ((1 - coordinate) & (begun - 1));
    number += powers_[dimension_ - 1 - i] * blocks;
    begun |= coordinate != 0 ? 1 : 0;
  }
  return number;
}

// Returns the inverse of a as a^(q - 2), by Fermat. The number of steps depends on q alone.
uint32_t Points::inverse(uint32_t a) const {
  uint32_t power = 1;  // products of two coordinates are below 2^32
  for (auto bit = static_cast<uint32_t>(std::bit_width(prime_)); bit-- > 0;) {
    power = power * power % prime_;
    power = ((prime_ - 2) >> bit & 1) != 0 ? power * a % prime_ : power;
  }
  return power;
}

// Each point with one coordinate less gives a point of the hyperplane. It lacks coordinate k, the last one in which
// `of` is not 0, and that coordinate follows from the product. The first coordinate that is not 0 remains 1: behind k
// all products are 0, so if the 1 stands there, the new coordinate is 0.
uint32_t Points::on_hyperplane(uint32_t of, uint32_t place) const {
  uint32_t x[kMaxCoordinates], rest[kMaxCoordinates], y[kMaxCoordinates];
  coordinates(of, dimension_, x);
  coordinates(place, dimension_ - 1, rest);
  uint32_t last = 0, last_coordinate = 0;
  for (uint32_t i = 0; i < dimension_; ++i) {
    last = x[i] != 0 ? i : last;
    last_coordinate = x[i] != 0 ? x[i] : last_coordinate;
  }
  y[last] = 0;
  for (uint32_t i = 0; i + 1 < dimension_; ++i) y[i + (i >= last ? 1 : 0)] = rest[i];
  uint64_t sum = 0;
  for (uint32_t i = 0; i < dimension_; ++i) sum += uint64_t{x[i]} * y[i];
  const uint32_t negative = (prime_ - static_cast<uint32_t>(sum % prime_)) % prime_;
  y[last] = negative * inverse(last_coordinate) % prime_;
  return number(y);
}

void ReportMechanism::init(double epsilon, uint32_t values) {
  design_ = choose_report_design(epsilon, values);
  if (!design_.is_randomized_response()) points_ = Points(design_.prime, design_.dimension);
  values_ = values;
  requested_epsilon_ = epsilon;
  threshold_ = crowd_threshold(at_most_as_stated(epsilon), design_.set_size, design_.reports);
}

double ReportMechanism::epsilon() const {
  return std::min(requested_epsilon_, epsilon_of_crowd(threshold_, design_.set_size, design_.reports));
}

bool ReportMechanism::draw(uint32_t value, const uint64_t* drawn, RandomSource random, uint32_t* report) const {
  uint32_t place, any;
  if (!draw_below(design_.set_size, drawn[1], random, &place) || !draw_below(design_.reports, drawn[2], random, &any)) {
    return false;
  }
  const uint32_t own = design_.is_randomized_response() ? value : points_.on_hyperplane(value, place);
  const uint64_t takes_set = mask_of_less(drawn[0], threshold_);
  *report = static_cast<uint32_t>((own & takes_set) | (any & ~takes_set));
  return true;
}

}  // namespace hushbit
