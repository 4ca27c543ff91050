// Set bits by rank: the portable way and the fastest against counting bit by bit.
#include "search/mih/bit_pairs.h"

#include <random>
#include <vector>

#include "check.h"

namespace {

using hushbit::BitPair;

BitPair plain(BitPair pair) {
  pair.first = pair.next = pair.end;
  uint32_t seen = 0;
  if (pair.rank == 0) pair.first = pair.at - 1;
  for (uint64_t place = pair.at; place < pair.end; ++place) {
    if ((pair.data[place / 8] >> (place % 8) & 1) == 0) continue;
    ++seen;
    if (seen == pair.rank) pair.first = place;
    if (seen == pair.rank + 1) {
      pair.next = place;
      break;
    }
  }
  return pair;
}

void check_ways(const std::vector<uint8_t>& bits, uint64_t end_of_bits, std::mt19937& random) {
  std::vector<BitPair> questions;
  for (uint32_t i = 0; i < 200; ++i) {
    const uint64_t at = random() % (end_of_bits + 1), end = at + random() % (end_of_bits - at + 1);
    questions.push_back(
        {bits.data(), at, end, static_cast<uint32_t>(random() % 4 == 0 ? i % 3 : random() % 200), 0, 0});
  }
  for (const auto find : {hushbit::find_bit_pairs, hushbit::fastest_find_bit_pairs()}) {
    std::vector<BitPair> found = questions;
    find(found.data(), static_cast<uint32_t>(found.size()));
    bool same = true;
    for (size_t i = 0; i < found.size(); ++i) {
      const BitPair expected = plain(questions[i]);
      same &= found[i].first == expected.first && found[i].next == expected.next;
    }
    CHECK(same);
  }
}

}  // namespace

int main() {
  std::mt19937 random(1);
  for (const double density : {0., .02, .1, .4, .6, .9, 1.}) {
    std::bernoulli_distribution bit(density);
    for (const size_t size : {size_t{1}, size_t{7}, size_t{8}, size_t{60}, size_t{400}}) {
      std::vector<uint8_t> bits(size + 8);  // 8 bytes may be loaded beyond
      for (size_t i = 0; i < size * 8; ++i) bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | bit(random) << i % 8);
      check_ways(bits, size * 8, random);
    }
  }
  return check_result();
}
