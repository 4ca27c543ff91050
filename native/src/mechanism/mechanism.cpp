#include "mechanism/mechanism.h"

#include <math.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/rounding.h"
#include "mechanism/coin.h"

namespace hushbit {

const char* mechanism_name(uint32_t mechanism) {
  switch (mechanism) {
    case HUSHBIT_BRR:
      return "brr";
    case HUSHBIT_TEM:
      return "tem";
    default:
      return "unknown";
  }
}

hushbit_status Mechanism::init(const Bundle& bundle, const hushbit_options& options, hushbit_error* error) {
  if (options.mechanism != HUSHBIT_BRR && options.mechanism != HUSHBIT_TEM) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown mechanism %u", options.mechanism);
  }
  if (!(options.epsilon >= 0) || !isfinite(options.epsilon)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "epsilon is %g; it must be a finite number, 0 or more",
                options.epsilon);
  }
  bundle_ = &bundle;
  kind_ = options.mechanism;
  requested_epsilon_ = options.epsilon + 0.0;  // which makes 0 of -0
  if (kind_ == HUSHBIT_BRR) {
    brr_.codes = &bundle.codes();
    brr_.threshold = flip_threshold(requested_epsilon_);
    const double flips = static_cast<double>(brr_.threshold) * 0x1p-64 * bundle.info().bits;
    return brr_.plan.init(bundle.codes(), options.search, flips, error);
  }
  if (!(options.beta > 0 && options.beta < 1)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "beta is %g; it must lie strictly between 0 and 1", options.beta);
  }
  beta_ = options.beta;
  tem_.codes = &bundle.codes();
  tem_.weights.build(requested_epsilon_, options.beta, bundle.info().words, bundle.info().bits);
  return HUSHBIT_OK;
}

// The request and what is read off the integers are both upper bounds on the epsilon that holds.
double Mechanism::epsilon() const {
  const double of_integers = kind_ == HUSHBIT_BRR ? epsilon_of_threshold(brr_.threshold) : tem_.weights.epsilon();
  return std::min(requested_epsilon_, of_integers);
}

double Mechanism::worst_case_of_words() const {
  const double by_distance = rounded_up(epsilon() * bundle_->info().max_distance);
  return kind_ == HUSHBIT_BRR ? by_distance : std::min(by_distance, 2 * tem_.weights.log_range());
}

double Mechanism::worst_case_of_unknown() const {
  return kind_ == HUSHBIT_BRR ? rounded_up(epsilon_to_fair_coin(brr_.threshold) * bundle_->info().bits)
                              : tem_.weights.log_range();
}

hushbit_privatizer_info Mechanism::info() const {
  hushbit_privatizer_info info = {};
  info.mechanism = kind_;
  info.requested_epsilon = requested_epsilon_;
  info.effective_epsilon = epsilon();
  // Where the worst case is less than the distance times epsilon, so is what an average pair costs.
  info.average_per_token = std::min(info.effective_epsilon * bundle_->info().average_distance, worst_case_of_words());
  if (kind_ == HUSHBIT_BRR) {
    info.flip_threshold = brr_.threshold;
    info.flip_probability = static_cast<double>(brr_.threshold) * 0x1p-64;
    info.clamped = brr_.threshold == 1 && info.effective_epsilon < requested_epsilon_ ? 1 : 0;
  } else {
    info.gamma = tem_.weights.gamma;
    info.clamped = tem_.weights.clamped ? 1 : 0;
  }
  return info;
}

void Mechanism::describe(NoiseTerms* terms) const {
  terms->mechanism = kind_;
  terms->parameters[0] = brr_.threshold;
  terms->parameters[1] = 0;
  if (kind_ != HUSHBIT_TEM) return;
  terms->parameters[0] = std::bit_cast<uint64_t>(requested_epsilon_);
  terms->parameters[1] = std::bit_cast<uint64_t>(beta_);
}

hushbit_status Mechanism::replace(const uint32_t* inputs, size_t count, const NoiseSource& noise, Draws* draws,
                                  hushbit_error* error) const {
  const bool brr = kind_ == HUSHBIT_BRR;
  if (!draws->outputs.resize(count) || !draws->noisy.resize(brr ? count * bundle_->codes().code_bytes : 0) ||
      !draws->coins.resize(brr ? brr_.coin_bytes(kGroup) : 0)) {
    return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory; nothing was released");
  }
  for (size_t begin = 0; begin < count; begin += kGroup) {
    const auto size = static_cast<uint32_t>(std::min<size_t>(kGroup, count - begin));
    const hushbit_status status = replace_group(inputs, begin, size, noise, draws);
    if (status == HUSHBIT_RANDOMNESS_FAILED) {
      return fail(error, status, 0, "the operating system gave no randomness; nothing was released");
    }
    if (status != HUSHBIT_OK) {
      return fail(error, status, 0, "the bundle's codes are damaged; download it again; nothing was released");
    }
  }
  return HUSHBIT_OK;
}

hushbit_status Mechanism::replace_group(const uint32_t* inputs, size_t begin, uint32_t size, const NoiseSource& noise,
                                        Draws* draws) const {
  const GroupSources sources(noise, begin, size);
  uint32_t* outputs = draws->outputs.data() + begin;
  if (kind_ == HUSHBIT_TEM) return tem_.replace(inputs + begin, size, sources.data(), outputs);
  return brr_.replace(inputs + begin, size, sources.data(), draws->coins.data(),
                      draws->noisy.data() + begin * bundle_->codes().code_bytes, outputs);
}

}  // namespace hushbit
