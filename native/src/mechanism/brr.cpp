#include "mechanism/brr.h"

#include <string.h>

#include "mechanism/coin.h"
#include "search/hamming.h"

namespace hushbit {
namespace {

// Chooses one of the tied words, exactly uniformly. The input is not an argument, so the choice cannot depend on it.
hushbit_status break_tie(const Codes& codes, const uint8_t* noisy, const Ties& ties, const uint8_t* coin,
                         RandomSource random, uint32_t* output) {
  uint64_t u;
  memcpy(&u, coin, 8);
  bool accepted = false;
  uint64_t index = uniform_index(u, ties.count, &accepted);
  for (int redraws = 0; !accepted; ++redraws) {
    if (redraws == kMaxRedraws || !random.fill(random.state, &u, 8)) return HUSHBIT_RANDOMNESS_FAILED;
    index = uniform_index(u, ties.count, &accepted);
  }
  return tied_word(codes, noisy, ties, static_cast<uint32_t>(index), output) ? HUSHBIT_OK : HUSHBIT_CORRUPT_BUNDLE;
}

}  // namespace

// Returns false if the bundle is damaged.
bool Brr::randomize(const uint32_t* inputs, uint32_t size, const uint8_t* coins, uint8_t* noisy) const {
  const uint32_t bits = codes->bits();
  uint8_t code[kMaxCodeBytes];
  for (uint32_t i = 0; i < size; ++i) {
    const bool unknown = inputs[i] == kUnknownInput;
    if (unknown) {
      // An unknown token becomes a code of fair bits, whatever code it starts from.
      memset(code, 0, sizeof(code));
    } else if (!codes->copy(inputs[i], code)) {
      return false;
    }
    randomize_bits(code, bits, unknown ? kFairCoin : threshold, coins + i * coin_bytes(1),
                   noisy + size_t{i} * codes->code_bytes);
  }
  return true;
}

hushbit_status Brr::replace(const uint32_t* inputs, uint32_t size, const GroupSources& sources, uint8_t* coins,
                            uint8_t* noisy, uint32_t* outputs) const {
  const size_t stride = coin_bytes(1), tie_at = size_t{codes->bits()} * 8;
  hushbit_status status = sources.fill_each(coins, stride) ? HUSHBIT_OK : HUSHBIT_RANDOMNESS_FAILED;
  Ties ties[kGroup];
  if (status == HUSHBIT_OK &&
      (!randomize(inputs, size, coins, noisy) || !find_nearest(*codes, plan, noisy, size, ties))) {
    status = HUSHBIT_CORRUPT_BUNDLE;
  }
  for (uint32_t i = 0; status == HUSHBIT_OK && i < size; ++i) {
    status = break_tie(*codes, noisy + size_t{i} * codes->code_bytes, ties[i], coins + i * stride + tie_at,
                       sources.data()[i], &outputs[i]);
  }
  // Coins and noisy code together give the input away.
  wipe(coins, coin_bytes(size));
  return status;
}

void randomize_bits(const uint8_t* code, uint32_t bits, uint64_t threshold, const uint8_t* coins, uint8_t* noisy) {
  for (uint32_t byte = 0; byte < bits / 8; ++byte) {
    unsigned flips = 0;
    for (unsigned bit = 0; bit < 8; ++bit, coins += 8) {
      uint64_t coin;
      memcpy(&coin, coins, 8);
      flips |= static_cast<unsigned>(coin < threshold) << bit;
    }
    noisy[byte] = static_cast<uint8_t>(code[byte] ^ flips);
  }
}

}  // namespace hushbit
