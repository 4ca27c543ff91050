// BRR (Carvalho et al. 2021, Algorithm 3): randomized response on the bits of a word's code, then the nearest word.
#ifndef HUSHBIT_BRR_H_
#define HUSHBIT_BRR_H_

#include <stddef.h>
#include <stdint.h>

#include "hushbit/hushbit.h"
#include "mechanism/input.h"
#include "mechanism/noise_source.h"
#include "search/search.h"

namespace hushbit {

struct Brr {
  const Codes* codes;
  SearchPlan plan;
  uint64_t threshold;  // the threshold of the coin (coin.h)

  // Returns how many bytes of randomness a group of `size` inputs takes: for each input a 64-bit coin for every bit,
  // and a 64-bit number for the ties. If a tie needs more, it is drawn after the whole group.
  size_t coin_bytes(uint32_t size) const { return size * (size_t{codes->code_bytes} * 8 + 1) * 8; }

  // Replaces `size` <= kGroup inputs, each a word id or kUnknownInput. Each input has its own source of randomness.
  // Writes the noisy codes (code_bytes each) and the words nearest to them, and breaks ties uniformly. `coins` has room
  // for coin_bytes(size) and is wiped. Returns OK, RANDOMNESS_FAILED or CORRUPT_BUNDLE. After a failure nothing may be
  // released.
  hushbit_status replace(const uint32_t* inputs, uint32_t size, const GroupSources& sources, uint8_t* coins,
                         uint8_t* noisy, uint32_t* outputs) const;

 private:
  bool randomize(const uint32_t* inputs, uint32_t size, const uint8_t* coins, uint8_t* noisy) const;
};

// Flips each of the `bits` bits of `code` whose coin is below `threshold`. `coins` has one little-endian 64-bit integer
// for each bit.
void randomize_bits(const uint8_t* code, uint32_t bits, uint64_t threshold, const uint8_t* coins, uint8_t* noisy);

}  // namespace hushbit

#endif  // HUSHBIT_BRR_H_
