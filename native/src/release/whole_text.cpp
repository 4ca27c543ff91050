#include "release/whole_text.h"

#include <string.h>

namespace hushbit {

hushbit_status WholeText::init(const NoiseTerms& terms, double epsilon, const Settings& settings,
                               hushbit_error* error) {
  memcpy(hash_, terms.bundle_hash, sizeof(hash_));
  mechanism_ = terms.mechanism;
  epsilon_ = epsilon;
  budget_ = settings.budget;
  if (settings.device_key != nullptr) {
    NoiseTerms of_epoch = terms;
    of_epoch.epoch = settings.epoch;
    memo_.emplace(settings.device_key, of_epoch);
  }
  return settings.audit_log == nullptr ? HUSHBIT_OK : audit_log_.open(settings.audit_log, error);
}

// A text counts as one token.
hushbit_status WholeText::spend(hushbit_error* error) const {
  if (budget_ == nullptr) return HUSHBIT_OK;
  return budget_->spend({.worst_case = epsilon_, .tokens = 1, .texts = 1}, error);
}

hushbit_status WholeText::log(hushbit_error* error) const {
  if (!audit_log_.is_open()) return HUSHBIT_OK;
  return audit_log_.append_text(hash_, mechanism_, is_memoized(), epsilon_, error);
}

}  // namespace hushbit
