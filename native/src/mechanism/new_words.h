// Which value a new word has in a report: the bucket of a public hash of its beginning (docs/counting.md).
#ifndef HUSHBIT_NEW_WORDS_H_
#define HUSHBIT_NEW_WORDS_H_

#include <stdint.h>

#include "text/letters.h"

namespace hushbit {

// The numbers of letters that a beginning may have. Counting goes from one to the next.
inline constexpr uint8_t kBeginnings[] = {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24};
inline constexpr uint32_t kBeginningHashes = 256;
inline constexpr uint32_t kBuckets = 1024;
// A group is a length of a beginning and a hash. Its number is place of the length * kBeginningHashes + number of the
// hash.
inline constexpr uint32_t kNewWordGroups = sizeof(kBeginnings) * kBeginningHashes;

// Returns the bucket of a word in a group, which is below kNewWordGroups.
uint32_t bucket_of(const Letters& word, uint32_t group);

}  // namespace hushbit

#endif  // HUSHBIT_NEW_WORDS_H_
