// What releases of whole texts have in common, whatever they release: one epsilon a text, budget, memoized randomness,
// audit log.
#ifndef HUSHBIT_WHOLE_TEXT_H_
#define HUSHBIT_WHOLE_TEXT_H_

#include <stdint.h>

#include <optional>

#include "base/chacha20.h"
#include "base/random.h"
#include "hushbit/hushbit.h"
#include "mechanism/memo.h"
#include "release/audit_log.h"
#include "release/budget.h"

namespace hushbit {

class WholeText {
 public:
  struct Settings {
    const uint8_t* device_key;  // 32 bytes, or null
    uint64_t epoch;
    const Budget* budget;   // or null; must outlive this
    const char* audit_log;  // a path, or null
  };

  // `terms` are what randomness depends on beside the text; their epoch is that of the settings. `epsilon` is what one
  // release costs, rounded up. Fails as AuditLog::open does.
  hushbit_status init(const NoiseTerms& terms, double epsilon, const Settings& settings, hushbit_error* error);

  double epsilon() const { return epsilon_; }
  bool is_memoized() const { return memo_.has_value(); }
  // What the key of a text is made of while the text is read.
  const TextMemo* memo() const { return memo_ ? &*memo_ : nullptr; }

  // Spends, then draws by `draw`, a function of a RandomSource that returns a status, then logs. `random` is what is
  // drawn from without a device key. After a failure nothing may be released.
  template <typename Draw>
  hushbit_status release(TextKey* key, RandomSource random, hushbit_error* error, Draw draw) const {
    hushbit_status status = spend(error);
    if (status != HUSHBIT_OK) return status;
    static constexpr uint8_t kNonce[12] = {};
    ChaCha20Stream stream;
    const uint8_t* const finished = key->finish();
    if (finished != nullptr) {
      stream.start(finished, kNonce);
      random = {fill_from_stream, &stream};
    }
    status = draw(random);
    return status == HUSHBIT_OK ? log(error) : status;
  }

 private:
  hushbit_status spend(hushbit_error* error) const;
  hushbit_status log(hushbit_error* error) const;
  static bool fill_from_stream(void* state, void* out, size_t size) {
    return static_cast<ChaCha20Stream*>(state)->fill(out, size);
  }

  uint8_t hash_[32] = {};
  uint32_t mechanism_ = 0;
  double epsilon_ = 0;
  std::optional<TextMemo> memo_;
  const Budget* budget_ = nullptr;
  AuditLog audit_log_;
};

}  // namespace hushbit

#endif  // HUSHBIT_WHOLE_TEXT_H_
