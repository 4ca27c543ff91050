#include "search/mih/bit_pairs.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HUSHBIT_HAS_BMI2 1
#endif

namespace hushbit {
namespace {

struct Portable {
  // The place of the `rank`-th set bit, from 0, of `word`, which has more than `rank`.
  static uint32_t select(uint64_t word, uint32_t rank) {
    constexpr uint64_t kEach = 0x0101010101010101, kTops = 0x8080808080808080;
    const uint64_t counts = count_up_to_bytes(word);
    // The top bit of each byte is set where the count is at most the rank: in all bytes before the one wanted.
    const uint64_t before = (((rank * kEach | kTops) - counts) & kTops) >> 7;
    const uint32_t place = static_cast<uint32_t>(before * kEach >> 56) * 8;
    rank -= static_cast<uint32_t>(counts << 8 >> place & 0xFF);
    word >>= place;
    for (; rank > 0; --rank) word &= word - 1;
    return place + static_cast<uint32_t>(std::countr_zero(word));
  }

  static uint32_t count(uint64_t word) { return static_cast<uint32_t>(count_up_to_bytes(word) >> 56); }

 private:
  // Byte i: the number of set bits in bytes 0 to i of `word`.
  static uint64_t count_up_to_bytes(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return word * 0x0101010101010101;
  }
};

#if HUSHBIT_HAS_BMI2
struct Bmi2 {
  [[gnu::target("bmi,bmi2,popcnt")]] static uint32_t select(uint64_t word, uint32_t rank) {
    return static_cast<uint32_t>(_tzcnt_u64(_pdep_u64(uint64_t{1} << rank, word)));
  }
  [[gnu::target("bmi,bmi2,popcnt")]] static uint32_t count(uint64_t word) {
    return static_cast<uint32_t>(std::popcount(word));
  }
};
#endif

template <typename Bits>
[[gnu::always_inline]] inline void find(BitPair& pair) {
  // A set bit is added in front, so that rank 0 is no special case.
  uint64_t base = pair.at - 1, next = std::min(pair.end, pair.at + kMaxLoadBits);
  uint64_t word = load_bits(pair.data, pair.at, static_cast<uint32_t>(next - pair.at)) << 1 | 1;
  uint32_t rank = pair.rank;
  pair.first = pair.next = pair.end;
  for (uint32_t count; (count = Bits::count(word)) <= rank;) {
    if (next == pair.end) return;
    rank -= count;
    base = next;
    next = std::min(pair.end, base + kMaxLoadBits);
    word = load_bits(pair.data, base, static_cast<uint32_t>(next - base));
  }
  const uint32_t place = Bits::select(word, rank);
  pair.first = base + place;
  word &= ~uint64_t{1} << place;
  while (word == 0) {
    if (next == pair.end) return;
    base = next;
    next = std::min(pair.end, base + kMaxLoadBits);
    word = load_bits(pair.data, base, static_cast<uint32_t>(next - base));
  }
  pair.next = base + static_cast<uint32_t>(std::countr_zero(word));
}

#if HUSHBIT_HAS_BMI2
[[gnu::target("bmi,bmi2,popcnt")]] void find_with_bmi2(BitPair* pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) find<Bmi2>(pairs[i]);
}
#endif

}  // namespace

void find_bit_pairs(BitPair* pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) find<Portable>(pairs[i]);
}

FindBitPairs fastest_find_bit_pairs() {
#if HUSHBIT_HAS_BMI2
  // The first two generations of Zen have PDEP, but slower than the portable way.
  const bool slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
  if (!slow && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) return find_with_bmi2;
#endif
  return find_bit_pairs;
}

}  // namespace hushbit
