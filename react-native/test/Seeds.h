// Seeded randomness for the module under test, whose code knows nothing of it: the linker puts these functions in the
// place of the core's (-Wl,--wrap), as tests of the core do with malloc.
#pragma once

#include <string>

namespace hushbit::testing {

// The randomness of the calls that follow: the keystream of a seed, a stream of bytes, or the operating system.
struct Randomness {
  std::string seed;    // 32 bytes, or none
  std::string stream;  // what is left of it
  bool streams = false;
};

Randomness& randomness();

}  // namespace hushbit::testing
