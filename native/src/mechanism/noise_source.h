// The randomness from which each input of a call draws: one source for all of them, or a keystream for each.
#ifndef HUSHBIT_NOISE_SOURCE_H_
#define HUSHBIT_NOISE_SOURCE_H_

#include <stddef.h>
#include <stdint.h>

#include "base/chacha20.h"
#include "base/random.h"
#include "mechanism/input.h"
#include "mechanism/memo.h"

namespace hushbit {

struct NoiseSource {
  RandomSource shared;            // fresh noise: all inputs draw from it, one after the other
  const uint8_t* keys = nullptr;  // memoized noise: input i draws from the keystream of the i-th kNoiseKeyBytes bytes
};

// The sources of one group of inputs. They are meant for the stack, and the destructor wipes them.
class GroupSources {
 public:
  // Makes the sources of the `size` <= kGroup inputs from number `begin` on.
  GroupSources(const NoiseSource& noise, size_t begin, uint32_t size);

  const RandomSource* data() const { return sources_; }

  // Writes `bytes` bytes for each input, one input after another. A shared source is called once for all of them.
  // Returns false if a source fails.
  bool fill_each(uint8_t* out, size_t bytes) const;

 private:
  uint32_t size_;
  bool is_shared_;
  ChaCha20Stream streams_[kGroup];
  RandomSource sources_[kGroup];
};

}  // namespace hushbit

#endif  // HUSHBIT_NOISE_SOURCE_H_
