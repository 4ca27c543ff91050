#include "mechanism/memo.h"

#include "base/bytes.h"
#include "text/text_window.h"

namespace hushbit {
namespace {

constexpr char kDomain[] = "hushbit memoized noise 1";  // hashed with its NUL
constexpr uint8_t kWord = 0;
constexpr uint8_t kUnknown = 1;

void update_u64(Hmac* hmac, uint64_t value) {
  uint8_t bytes[8];
  store_le64(bytes, value);
  hmac->update(bytes, sizeof(bytes));
}

}  // namespace

Memo::Memo(const uint8_t device_key[32], const NoiseTerms& terms) : beginning_(device_key, 32) {
  uint8_t mechanism[4];
  store_le32(mechanism, terms.mechanism);
  beginning_.update(kDomain, sizeof(kDomain));
  beginning_.update(terms.bundle_hash, 32);
  beginning_.update(mechanism, sizeof(mechanism));
  for (const uint64_t parameter : terms.parameters) update_u64(&beginning_, parameter);
  update_u64(&beginning_, terms.epoch);
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
  TextWindow window(token, kMaxWindowBytes);
  while (window.fill() && !window.at_end()) {
    if (!window.units().empty()) {
      hmac.update(window.form().data(), window.form().size());
      window.drop(window.units().size());
      continue;
    }
    // An empty window before the end: a unit without a normal form.
    const size_t begin = static_cast<size_t>(window.begin().byte);
    if (!window.skip_unit()) break;
    hmac.update(token.data() + begin, static_cast<size_t>(window.begin().byte) - begin);
  }
  hmac.finish(key);
}

}  // namespace hushbit
