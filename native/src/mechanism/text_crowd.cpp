#include "mechanism/text_crowd.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/millionths.h"
#include "mechanism/coin.h"

namespace hushbit {
namespace {

constexpr uint32_t kColumns = 49;
constexpr double kColumnsPerEpsilon = 4;
constexpr uint16_t kShares[8][kColumns] = {
#include "mechanism/text_crowd_sizes.inc"
};

// The random bits of a text are 64 for the coin, 64 for the rank in the crowd and 64 for any direction.
constexpr uint32_t kDrawnNumbers = 3;

// Keys are read in digits of this many bits, the most significant digit first.
constexpr uint32_t kDigitBits = 11, kDigits = 1 << kDigitBits;

// Tables of sums of signed numbers, 8 at a time: entry s of table t is the sum of numbers 8 t to 8 t + 7 with signs s.
struct SumTables {
  uint64_t sums[8][256];

  // Sums with signs are kept modulo 2^64. The final sum is not negative, so it is right.
  SumTables(const int64_t* vector, uint32_t tables) {
    for (uint32_t table = 0; table < tables; ++table, vector += 8) {
      uint64_t all_negative = 0;
      for (uint32_t i = 0; i < 8; ++i) all_negative -= static_cast<uint64_t>(vector[i]);
      sums[table][0] = all_negative;
      for (uint32_t signs = 1; signs < 256; ++signs) {
        const auto last = static_cast<uint64_t>(vector[std::countr_zero(signs)]);
        sums[table][signs] = sums[table][signs & (signs - 1)] + 2 * last;
      }
    }
  }
};

// Loops over `kBytes` tables, or over `bytes` tables if kBytes is 0.
template <uint32_t kBytes>
void add_up(const SumTables& tables, const uint8_t* rows, uint32_t bytes, uint64_t offset, uint32_t count,
            uint64_t* keys) {
  const uint32_t width = kBytes != 0 ? kBytes : bytes;
  for (uint32_t j = 0; j < count; ++j, rows += width) {
    uint64_t key = offset;
    for (uint32_t i = 0; i < width; ++i) key += tables.sums[i][rows[i]];
    keys[j] = key;
  }
}

// Finds the digit of the key that has rank `*rank` among the counted keys, the largest first. `*rank` becomes its rank
// among the keys with the same digit.
uint32_t digit_of_rank(const uint32_t* counts, uint32_t* rank) {
  uint32_t digit = kDigits - 1;
  for (; *rank >= counts[digit]; --digit) *rank -= counts[digit];
  return digit;
}

}  // namespace

uint32_t text_crowd_size(uint32_t dimensions, uint32_t directions, double epsilon) {
  const double column = std::min(floor(epsilon * kColumnsPerEpsilon + 0.5), kColumns - 1.0);
  const uint64_t share = kShares[dimensions / 8 - 1][static_cast<uint32_t>(column)];
  return static_cast<uint32_t>(std::max<uint64_t>((share * directions + (1 << 15)) >> 16, 1));
}

hushbit_status TextCrowd::init(uint32_t dimensions, uint32_t directions, uint64_t seed, double epsilon,
                               hushbit_error* error) {
  if (!(epsilon >= 0) || !isfinite(epsilon)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "epsilon is %g; it must be a finite number, 0 or more", epsilon);
  }
  if (!directions_.init(dimensions, directions, seed)) return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
  requested_epsilon_ = epsilon + 0.0;  // turns -0 into 0
  size_ = text_crowd_size(dimensions, directions, epsilon);
  threshold_ = crowd_threshold(at_most_as_stated(epsilon), size_, directions);
  clamped_ = epsilon > kMaxCrowdEpsilon || (threshold_ == UINT64_MAX && this->epsilon() < epsilon);
  return HUSHBIT_OK;
}

double TextCrowd::epsilon() const {
  return std::min(requested_epsilon_, epsilon_of_crowd(threshold_, size_, directions_.count()));
}

bool TextCrowd::reserve(TextCrowdScratch* scratch) const {
  return scratch->keys.resize(directions_.count()) && scratch->candidates.resize(directions_.count());
}

// Computes the key of each direction: its inner product with the vector, plus a number that makes no key negative.
// Returns an upper bound on the keys.
uint64_t TextCrowd::compute_keys(const int64_t* vector, uint64_t* keys) const {
  uint64_t sum = 0;  // the sum of the magnitudes
  for (uint32_t i = 0; i < directions_.dimensions(); ++i) {
    const auto number = static_cast<uint64_t>(vector[i]);
    sum += vector[i] < 0 ? 0 - number : number;
  }
  const uint32_t bytes = directions_.row_bytes();
  const SumTables tables(vector, bytes);
  const auto add = bytes == 4 ? add_up<4> : add_up<0>;
  add(tables, directions_.rows(), bytes, sum, directions_.count(), keys);
  return 2 * sum;
}

// Finds the direction of a rank. Rank 0 has the largest key, and equal keys are ordered by index. First the first
// digits of all keys are counted, then the second digits of the keys that have the wanted first digit, and so on.
// Candidates stay in the order of indices.
uint32_t TextCrowd::select(uint64_t largest, uint32_t rank, TextCrowdScratch* scratch) const {
  const uint64_t* keys = scratch->keys.data();
  uint32_t* candidates = scratch->candidates.data();
  uint32_t count = directions_.count();
  for (uint32_t j = 0; j < count; ++j) candidates[j] = j;
  uint32_t shift = std::max(static_cast<uint32_t>(std::bit_width(largest)), kDigitBits) - kDigitBits;
  for (;;) {
    uint32_t counts[kDigits] = {};
    for (uint32_t i = 0; i < count; ++i) ++counts[keys[candidates[i]] >> shift & (kDigits - 1)];
    const uint32_t digit = digit_of_rank(counts, &rank);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t j = candidates[i];
      candidates[kept] = j;
      kept += (keys[j] >> shift & (kDigits - 1)) == digit ? 1 : 0;
    }
    count = kept;
    if (shift == 0) return candidates[rank];
    shift -= std::min(shift, kDigitBits);
  }
}

bool TextCrowd::draw(const int64_t* vector, RandomSource random, TextCrowdScratch* scratch, uint32_t* direction) const {
  uint64_t drawn[kDrawnNumbers];
  uint32_t rank, any;
  if (!random.fill(random.state, drawn, sizeof(drawn)) || !draw_below(size_, drawn[1], random, &rank) ||
      !draw_below(directions_.count(), drawn[2], random, &any)) {
    return false;
  }
  const uint64_t largest = compute_keys(vector, scratch->keys.data());
  const uint32_t near = select(largest, rank, scratch);
  // A vector of zeros has no crowd. The directions are read for it all the same, so that it takes as long as others.
  const uint64_t takes_crowd = mask_of_less(drawn[0], largest == 0 ? 0 : threshold_);
  *direction = static_cast<uint32_t>((near & takes_crowd) | (any & ~takes_crowd));
  wipe(drawn, sizeof(drawn));
  scratch->keys.clear();
  scratch->candidates.clear();
  return true;
}

void TextCrowd::members(const int64_t* vector, TextCrowdScratch* scratch, uint32_t* directions) const {
  const uint64_t largest = compute_keys(vector, scratch->keys.data());
  for (uint32_t rank = 0; rank < size_; ++rank) directions[rank] = select(largest, rank, scratch);
}

}  // namespace hushbit
