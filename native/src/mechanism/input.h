// The inputs of a mechanism, which are word ids in groups.
#ifndef HUSHBIT_INPUT_H_
#define HUSHBIT_INPUT_H_

#include <stdint.h>

namespace hushbit {

// Tokens are handled in groups of at most this size, so that a mechanism can draw and search for several at once.
inline constexpr uint32_t kGroup = 16;

// Stands for a token without a word id. Its replacement must not depend on the token.
inline constexpr uint32_t kUnknownInput = UINT32_MAX;

}  // namespace hushbit

#endif  // HUSHBIT_INPUT_H_
