// Memoized noise. Every word has its own randomness, derived from a key of this device, so a repeated word repeats its
// noise.
#ifndef HUSHBIT_MEMO_H_
#define HUSHBIT_MEMO_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <span>

#include "base/hmac.h"

namespace hushbit {

inline constexpr size_t kNoiseKeyBytes = 32;

// Everything on which noise depends besides the word. If one of these differs, the noise is independent. Two codings or
// two thresholds under the same coins would together reveal more than they cost.
struct NoiseTerms {
  const uint8_t* bundle_hash;  // 32 bytes
  uint32_t mechanism;
  uint64_t parameters[2];
  uint64_t epoch;
};

// Turns a word into its noise key. The word draws from the ChaCha20 keystream of this key (nonce 0, from block 0):
//   HMAC-SHA256(device key, "hushbit memoized noise 1\0" ‖ bundle hash ‖ mechanism u32 ‖ parameters 2 × u64 ‖
//               epoch u64 ‖ kind u8 ‖ bytes),
// with little-endian integers. Kind 0 is a word of the vocabulary, as it is spelled there. Kind 1 is an unknown token.
class Memo {
 public:
  Memo(const uint8_t device_key[32], const NoiseTerms& terms);

  void word_key(std::span<const uint8_t> word, uint8_t key[kNoiseKeyBytes]) const;
  // The key of an unknown token as typed, which is valid UTF-8 made of whole units. Its bytes are the normal forms of
  // the units; a unit without a normal form is taken as typed (docs/tokenizer.md). So every spelling has the same
  // noise.
  void unknown_key(std::span<const uint8_t> token, uint8_t key[kNoiseKeyBytes]) const;

 private:
  Hmac begin(uint8_t kind) const;

  Hmac beginning_;
};

// The same for a whole text, whose draw has one noise key:
//   HMAC-SHA256(device key, "hushbit memoized text 1\0" ‖ bundle hash ‖ mechanism u32 ‖ parameters 2 × u64 ‖
//               epoch u64 ‖ tokens),
// where a token is kind u8 ‖ bytes ‖ 0xFF, a byte that never occurs in UTF-8. Kinds and bytes are as above. In place of
// tokens, a vector of numbers is kind 2 ‖ the numbers as integers, i32 each, and a new word is kind 3 ‖ bytes ‖ 0xFF.
class TextMemo {
 public:
  TextMemo(const uint8_t device_key[32], const NoiseTerms& terms);

  Hmac begin() const { return beginning_; }

 private:
  Hmac beginning_;
};

// The noise key of one text while it is being computed. It is meant for the stack, and its destructor wipes it.
class TextKey {
 public:
  // Starts the key. Without a memo, the functions below do nothing and there is no key.
  explicit TextKey(const TextMemo* memo);
  ~TextKey();
  TextKey(const TextKey&) = delete;
  TextKey& operator=(const TextKey&) = delete;

  bool is_wanted() const { return hmac_.has_value(); }
  void add_word(std::span<const uint8_t> word);
  void add_unknown(std::span<const uint8_t> token);
  // A word of which the caller says that it is new. As a text it may have another value, so it has another key.
  void add_new_word(std::span<const uint8_t> word);
  void add_numbers(std::span<const int32_t> numbers);
  // Returns the key, or NULL without a memo. May be called once.
  const uint8_t* finish();

 private:
  std::optional<Hmac> hmac_;
  uint8_t key_[kNoiseKeyBytes];
};

}  // namespace hushbit

#endif  // HUSHBIT_MEMO_H_
