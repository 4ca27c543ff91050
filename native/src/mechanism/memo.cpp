#include "mechanism/memo.h"

#include "base/bytes.h"
#include "base/random.h"
#include "text/text_window.h"

namespace hushbit {
namespace {

constexpr char kDomain[] = "hushbit memoized noise 1";  // hashed with its NUL
constexpr uint8_t kWord = 0;
constexpr uint8_t kUnknown = 1;
constexpr uint8_t kNumbers = 2;
constexpr uint8_t kNewWord = 3;
constexpr char kTextDomain[] = "hushbit memoized text 1";  // the same
constexpr uint8_t kTokenEnd = 0xFF;

void update_u64(Hmac* hmac, uint64_t value) {
  uint8_t bytes[8];
  store_le64(bytes, value);
  hmac->update(bytes, sizeof(bytes));
}

void update_terms(Hmac* hmac, const NoiseTerms& terms) {
  uint8_t mechanism[4];
  store_le32(mechanism, terms.mechanism);
  hmac->update(terms.bundle_hash, 32);
  hmac->update(mechanism, sizeof(mechanism));
  for (const uint64_t parameter : terms.parameters) update_u64(hmac, parameter);
  update_u64(hmac, terms.epoch);
}

// Hashes the normal forms of a token; units without a normal form are hashed as typed.
void update_forms(Hmac* hmac, std::span<const uint8_t> token) {
  TextWindow window(token, kMaxWindowBytes);
  while (window.fill() && !window.at_end()) {
    if (!window.units().empty()) {
      hmac->update(window.form().data(), window.form().size());
      window.drop(window.units().size());
      continue;
    }
    // An empty window before the end: a unit without a normal form.
    const size_t begin = static_cast<size_t>(window.begin().byte);
    if (!window.skip_unit()) break;
    hmac->update(token.data() + begin, static_cast<size_t>(window.begin().byte) - begin);
  }
}

}  // namespace

Memo::Memo(const uint8_t device_key[32], const NoiseTerms& terms) : beginning_(device_key, 32) {
  beginning_.update(kDomain, sizeof(kDomain));
  update_terms(&beginning_, terms);
}

Hmac Memo::begin(uint8_t kind) const {
  Hmac hmac = beginning_;
  hmac.update(&kind, 1);
  return hmac;
}

void Memo::word_key(std::span<const uint8_t> word, uint8_t key[kNoiseKeyBytes]) const {
  Hmac hmac = begin(kWord);
  hmac.update(word.data(), word.size());
  hmac.finish(key);
}

void Memo::unknown_key(std::span<const uint8_t> token, uint8_t key[kNoiseKeyBytes]) const {
  Hmac hmac = begin(kUnknown);
  update_forms(&hmac, token);
  hmac.finish(key);
}

TextMemo::TextMemo(const uint8_t device_key[32], const NoiseTerms& terms) : beginning_(device_key, 32) {
  beginning_.update(kTextDomain, sizeof(kTextDomain));
  update_terms(&beginning_, terms);
}

TextKey::TextKey(const TextMemo* memo) {
  if (memo != nullptr) hmac_.emplace(memo->begin());
}

TextKey::~TextKey() { wipe(key_, sizeof(key_)); }

void TextKey::add_word(std::span<const uint8_t> word) {
  if (!hmac_) return;
  hmac_->update(&kWord, 1);
  hmac_->update(word.data(), word.size());
  hmac_->update(&kTokenEnd, 1);
}

void TextKey::add_unknown(std::span<const uint8_t> token) {
  if (!hmac_) return;
  hmac_->update(&kUnknown, 1);
  update_forms(&*hmac_, token);
  hmac_->update(&kTokenEnd, 1);
}

void TextKey::add_new_word(std::span<const uint8_t> word) {
  if (!hmac_) return;
  hmac_->update(&kNewWord, 1);
  hmac_->update(word.data(), word.size());
  hmac_->update(&kTokenEnd, 1);
}

void TextKey::add_numbers(std::span<const int32_t> numbers) {
  if (!hmac_) return;
  hmac_->update(&kNumbers, 1);
  for (const int32_t number : numbers) {
    uint8_t bytes[4];
    store_le32(bytes, static_cast<uint32_t>(number));
    hmac_->update(bytes, sizeof(bytes));
  }
}

const uint8_t* TextKey::finish() {
  if (!hmac_) return nullptr;
  hmac_->finish(key_);
  return key_;
}

}  // namespace hushbit
