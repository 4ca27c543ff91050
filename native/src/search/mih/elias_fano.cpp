#include "search/mih/elias_fano.h"

#include <bit>

namespace hushbit {

EliasFano::EliasFano(const uint8_t* data, uint32_t count, uint32_t last)
    : data_(data),
      count_(count),
      last_(last),
      low_bits_(last / count > 0 ? static_cast<uint32_t>(std::bit_width(last / count)) - 1 : 0),
      upper_bits_(uint64_t{count} + (last >> low_bits_)),
      upper_at_((uint64_t{(count - 1) / kSampleStep} + 2) / 2 * 8),
      lower_at_(upper_at_ + words(upper_bits_) * 8) {}

bool EliasFano::verify() const {
  const uint8_t* upper = data_ + upper_at_;
  uint32_t index = 0, before = 0;
  for (uint64_t place = 0; place < upper_bits_; ++place) {
    if ((upper[place / 8] >> (place % 8) & 1) == 0) continue;
    if (index == count_) return false;
    if (index % kSampleStep == 0 && load_le32(data_ + uint64_t{index / kSampleStep} * 4) != place) return false;
    const uint32_t value = number(index, place);
    if (value < before || (index == 0 && value != 0)) return false;
    before = value;
    ++index;
  }
  return index == count_ && before == last_ && padding_is_zero();
}

bool EliasFano::padding_is_zero() const {
  const uint64_t samples = (count_ - 1) / kSampleStep + 1;
  return zero_from_bit(data_, samples * 32, upper_at_) &&
         zero_from_bit(data_ + upper_at_, upper_bits_, lower_at_ - upper_at_) &&
         zero_from_bit(data_ + lower_at_, uint64_t{count_} * low_bits_, size_bytes() - lower_at_);
}

}  // namespace hushbit
