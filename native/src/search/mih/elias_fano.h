// Ascending numbers in about 2 bits each more than their average gap needs, any of them found at once.
//
// Of each number, the lowest bits stand in `lower`; what is left above them is told in unary by `upper`: the i-th
// number sets bit (number >> low bits) + i. For every 128th number, the place of its bit is kept, so that finding the
// i-th set bit takes a short count from there (Elias 1974; Vigna, "Quasi-succinct indices", 2013).
#ifndef HUSHBIT_ELIAS_FANO_H_
#define HUSHBIT_ELIAS_FANO_H_

#include <stdint.h>

#include <algorithm>

#include "base/bits.h"
#include "base/bytes.h"
#include "search/mih/bit_pairs.h"

namespace hushbit {

class EliasFano {
 public:
  static constexpr uint32_t kSampleStep = 128;

  EliasFano() = default;
  // `count` numbers, 1 to 2^27, the last of them `last`, below 2^27. `data` holds size_bytes(), behind which 8 more
  // bytes may be loaded. Reads none of them.
  EliasFano(const uint8_t* data, uint32_t count, uint32_t last);

  // A multiple of 8; depends on count and last alone.
  uint64_t size_bytes() const { return lower_at_ + words(uint64_t{count_} * low_bits_) * 8; }

  // What to find, to read the numbers at `index` and behind it; index + 1 < count.
  BitPair question(uint32_t index) const {
    const uint64_t at = load_le32(data_ + uint64_t{index / kSampleStep} * 4);
    return {data_ + upper_at_, std::min(at, upper_bits_), upper_bits_, index % kSampleStep + 1, 0, 0};
  }

  // The numbers, from what was found. Either *first <= *second <= last, or false, which only damaged bits give. What
  // damaged bits give besides may be wrong.
  bool read(uint32_t index, const BitPair& found, uint32_t* first, uint32_t* second) const {
    if (found.first < index || found.next >= upper_bits_) return false;
    *first = number(index, found.first);
    *second = number(index + 1, found.next);
    return *first <= *second && *second <= last_;
  }

  // Reads everything: whether these are `count` ascending numbers from 0 to `last`, coded as they should be.
  bool verify() const;

 private:
  static uint64_t words(uint64_t bits) { return (bits + 63) / 64; }
  bool padding_is_zero() const;

  // The number at `index`, whose bit is at `place`; not below index.
  uint32_t number(uint32_t index, uint64_t place) const {
    const uint64_t low = load_bits(data_ + lower_at_, uint64_t{index} * low_bits_, low_bits_);
    return static_cast<uint32_t>((place - index) << low_bits_ | low);
  }

  const uint8_t* data_ = nullptr;  // samples, then upper, then lower, each from a multiple of 8 on
  uint32_t count_ = 0;
  uint32_t last_ = 0;
  uint32_t low_bits_ = 0;
  uint64_t upper_bits_ = 0;
  uint64_t upper_at_ = 0, lower_at_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_ELIAS_FANO_H_
