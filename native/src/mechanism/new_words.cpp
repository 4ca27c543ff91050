#include "mechanism/new_words.h"

#include "base/bytes.h"
#include "base/sha256.h"

namespace hushbit {
namespace {

constexpr char kWordDomain[] = "hushbit new words 1";       // hashed with its NUL
constexpr char kHashDomain[] = "hushbit new words hash 1";  // the same
// A bucket is 10 bits of a product. Over the hashes, the buckets of two different beginnings are equal with a chance of
// 2^-10, which holds because a beginning has so few bits (Dietzfelbinger 1996).
constexpr int kBeginningShift = 12, kBucketShift = 54;
static_assert(kBuckets == 1u << (64 - kBucketShift));

}  // namespace

uint32_t bucket_of(const Letters& word, uint32_t group) {
  const uint32_t length = kBeginnings[group / kBeginningHashes];
  const auto hash_number = static_cast<uint8_t>(group % kBeginningHashes);
  uint8_t digest[32];
  Sha256 of_word;
  of_word.update(kWordDomain, sizeof(kWordDomain));
  const std::span<const uint8_t> beginning = word.first(length < word.count() ? length : word.count());
  of_word.update(beginning.data(), beginning.size());
  if (word.count() < length) of_word.update("", 1);
  of_word.finish(digest);
  const uint64_t u = load_le64(digest) >> kBeginningShift;
  Sha256 of_hash;
  of_hash.update(kHashDomain, sizeof(kHashDomain));
  of_hash.update(&hash_number, 1);
  of_hash.finish(digest);
  return static_cast<uint32_t>((load_le64(digest) * u + load_le64(digest + 8)) >> kBucketShift);
}

}  // namespace hushbit
