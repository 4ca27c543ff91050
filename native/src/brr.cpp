#include "brr.h"

#include <string.h>

#include "coin.h"
#include "hamming.h"
#include "search.h"

namespace hushbit {
namespace {

// One of the tied words, exactly uniform. The input is not an argument: the choice cannot depend on it.
bool break_tie(const Codes& codes, const uint8_t* noisy, const Ties& ties, const uint8_t* coin, RandomSource random,
               uint32_t* output) {
  uint64_t u;
  memcpy(&u, coin, 8);
  bool accepted = false;
  uint64_t index = uniform_index(u, ties.count, &accepted);
  for (int redraws = 0; !accepted; ++redraws) {
    if (redraws == kMaxRedraws || !random.fill(random.state, &u, 8)) return false;
    index = uniform_index(u, ties.count, &accepted);
  }
  *output = tied_word(codes, noisy, ties, static_cast<uint32_t>(index));
  return true;
}

}  // namespace

bool Brr::replace(const uint32_t* inputs, uint32_t size, const RandomSource* sources, uint8_t* coins, uint8_t* noisy,
                  uint32_t* outputs) const {
  const uint32_t bits = codes->code_bytes * 8;
  const size_t stride = coin_bytes(1);
  bool ok = true;
  for (uint32_t i = 0; ok && i < size; ++i) ok = sources[i].fill(sources[i].state, coins + i * stride, stride);
  if (ok) {
    // An unknown token is any code whose bits all flip fairly.
    static constexpr uint8_t kAnyCode[kMaxCodeBytes] = {};
    for (uint32_t i = 0; i < size; ++i) {
      const bool unknown = inputs[i] == kUnknownInput;
      randomize_bits(unknown ? kAnyCode : codes->row(inputs[i]), bits, unknown ? kFairCoin : threshold,
                     coins + i * stride, noisy + size_t{i} * codes->code_bytes);
    }
    Ties ties[kGroup];
    find_nearest(*codes, noisy, size, ties);
    for (uint32_t i = 0; ok && i < size; ++i) {
      ok = break_tie(*codes, noisy + size_t{i} * codes->code_bytes, ties[i], coins + i * stride + size_t{bits} * 8,
                     sources[i], &outputs[i]);
    }
  }
  // Coins and noisy code together give the input away.
  wipe(coins, coin_bytes(size));
  return ok;
}

}  // namespace hushbit
