// Memoized noise: every word has randomness of its own, from a key of this device, so that a repeat repeats its noise.
#ifndef HUSHBIT_MEMO_H_
#define HUSHBIT_MEMO_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <span>

#include "base/hmac.h"

namespace hushbit {

inline constexpr size_t kNoiseKeyBytes = 32;

// All that noise depends on beside the word. Where one of them differs, the noise is another, independent one: two
// codings or two thresholds under the same coins would together tell more than they cost.
struct NoiseTerms {
  const uint8_t* bundle_hash;  // 32 bytes
  uint32_t mechanism;
  uint64_t parameters[2];
  uint64_t epoch;
};

// Turns a word into its noise key, of which it draws the ChaCha20 keystream (nonce 0, from block 0):
//   HMAC-SHA256(device key, "hushbit memoized noise 1\0" ‖ bundle hash ‖ mechanism u32 ‖ parameters 2 × u64 ‖ epoch u64
//   ‖
//               kind u8 ‖ bytes),
// integers little-endian. kind 0: a word of the vocabulary, as it is spelled there; kind 1: an unknown token.
class Memo {
 public:
  Memo(const uint8_t device_key[32], const NoiseTerms& terms);

  void word_key(std::span<const uint8_t> word, uint8_t key[kNoiseKeyBytes]) const;
  // Of an unknown token as typed, valid UTF-8 made of whole units. Its bytes are the units' normal forms, and as typed
  // the units that have none (docs/tokenizer.md): however it is spelled, its noise is the same.
  void unknown_key(std::span<const uint8_t> token, uint8_t key[kNoiseKeyBytes]) const;

 private:
  Hmac begin(uint8_t kind) const;

  Hmac beginning_;
};

// The same for a whole text, whose draw has one noise key:
//   HMAC-SHA256(device key, "hushbit memoized text 1\0" ‖ bundle hash ‖ mechanism u32 ‖ parameters 2 × u64 ‖ epoch u64
//   ‖
//               tokens),
// where a token is kind u8 ‖ bytes ‖ 0xFF, a byte that UTF-8 has none of. Kinds and bytes are as above. Of a vector of
// numbers it is kind 2 ‖ the numbers as integers, i32 each.
class TextMemo {
 public:
  TextMemo(const uint8_t device_key[32], const NoiseTerms& terms);

  Hmac begin() const { return beginning_; }

 private:
  Hmac beginning_;
};

// The noise key of one text in the making. Meant for the stack; wiped with it.
class TextKey {
 public:
  // Without a memo everything below does nothing, and there is no key.
  explicit TextKey(const TextMemo* memo);
  ~TextKey();
  TextKey(const TextKey&) = delete;
  TextKey& operator=(const TextKey&) = delete;

  bool is_wanted() const { return hmac_.has_value(); }
  void add_word(std::span<const uint8_t> word);
  void add_unknown(std::span<const uint8_t> token);
  void add_numbers(std::span<const int32_t> numbers);
  // The key, once; NULL without a memo.
  const uint8_t* finish();

 private:
  std::optional<Hmac> hmac_;
  uint8_t key_[kNoiseKeyBytes];
};

}  // namespace hushbit

#endif  // HUSHBIT_MEMO_H_
