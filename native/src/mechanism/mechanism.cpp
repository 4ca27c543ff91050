#include "mechanism/mechanism.h"

#include <math.h>

#include <algorithm>

#include "base/bit_cast.h"
#include "base/error.h"
#include "base/millionths.h"
#include "base/rounding.h"
#include "mechanism/coin.h"
#include "mechanism/unchanged.h"

namespace hushbit {

const char* mechanism_name(uint32_t mechanism) {
  switch (mechanism) {
    case HUSHBIT_BRR:
      return "brr";
    case HUSHBIT_TEM:
      return "tem";
    case HUSHBIT_CROWD:
      return "crowd";
    case HUSHBIT_EMBEDDING:
      return "embedding";
    case HUSHBIT_REPORT:
      return "report";
    default:
      return "unknown";
  }
}

hushbit_status Mechanism::init(const Bundle& bundle, const hushbit_privatizer_options& options, hushbit_error* error) {
  if (options.mechanism < HUSHBIT_BRR || options.mechanism > HUSHBIT_CROWD) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown mechanism %u", options.mechanism);
  }
  if (!(options.epsilon >= 0) || !isfinite(options.epsilon)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "epsilon is %g; it must be a finite number, 0 or more",
                options.epsilon);
  }
  if (options.allow_unchanged > 1) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "allow_unchanged is neither 0 nor 1");
  }
  bundle_ = &bundle;
  kind_ = options.mechanism;
  requested_epsilon_ = options.epsilon + 0.0;  // turns -0 into 0
  const hushbit_status status = set_up(options, error);
  return status == HUSHBIT_OK && options.allow_unchanged == 0 ? check_unchanged(error) : status;
}

hushbit_status Mechanism::set_up(const hushbit_privatizer_options& options, hushbit_error* error) {
  const Codes& codes = bundle_->codes();
  if (kind_ == HUSHBIT_BRR) {
    brr_.codes = &codes;
    brr_.threshold = flip_threshold(requested_epsilon_);
    const double flips = static_cast<double>(brr_.threshold) * 0x1p-64 * codes.bits();
    return brr_.plan.init(codes, options.search, flips, error);
  }
  if (kind_ == HUSHBIT_CROWD) return crowd_.init(*bundle_, options.crowd_size, requested_epsilon_, error);
  if (!(options.beta > 0 && options.beta < 1)) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "beta is %g; it must lie strictly between 0 and 1", options.beta);
  }
  beta_ = options.beta;
  tem_.codes = &codes;
  tem_.weights.build(requested_epsilon_, options.beta, codes.count, codes.bits());
  return HUSHBIT_OK;
}

hushbit_status Mechanism::check_unchanged(hushbit_error* error) const {
  if (kind_ == HUSHBIT_CROWD) {
    if (!crowd_.leaves_most_unchanged()) return HUSHBIT_OK;
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
                "epsilon %.6g leaves more than half of the words as they were typed; choose a smaller one, or set "
                "allow_unchanged if that is meant",
                requested_epsilon_);
  }
  const double most = most_epsilon_on_codes(kind_, bundle_->info());
  if (requested_epsilon_ <= most) return HUSHBIT_OK;
  return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
              "epsilon %.6g per differing bit (%s) leaves more than about half of the words as they were typed; choose "
              "%.6g or less, or set allow_unchanged if that is meant",
              requested_epsilon_, mechanism_name(kind_), floor(1000 * most) / 1000);
}

// Both the requested epsilon and the one computed from the integers are upper bounds on the epsilon that holds.
double Mechanism::epsilon() const {
  if (kind_ == HUSHBIT_CROWD) return crowd_.epsilon();
  const double of_integers = kind_ == HUSHBIT_BRR ? epsilon_of_threshold(brr_.threshold) : tem_.weights.epsilon();
  return std::min(requested_epsilon_, of_integers);
}

double Mechanism::worst_case_of_words() const {
  if (kind_ == HUSHBIT_CROWD) return crowd_.epsilon();
  const double by_distance = product_up(epsilon(), bundle_->info().max_distance);
  return kind_ == HUSHBIT_BRR ? by_distance : std::min(by_distance, range_of_tem());
}

// Returns twice the range of the weights, which fall by at most e^(epsilon / 2) a bit up to gamma.
double Mechanism::range_of_tem() const {
  return std::min(2 * tem_.weights.log_range(), product_up(requested_epsilon_, tem_.weights.gamma));
}

double Mechanism::worst_case_of_unknown() const {
  if (kind_ == HUSHBIT_CROWD) return crowd_.epsilon();
  return kind_ == HUSHBIT_BRR ? product_up(epsilon_to_fair_coin(brr_.threshold), bundle_->info().bits)
                              : range_of_tem() / 2;
}

uint64_t Mechanism::millionths_of_token(bool unknown_too) const {
  if (kind_ == HUSHBIT_CROWD) return crowd_.millionths();
  const double of_words = worst_case_of_words();
  return millionths_above(unknown_too ? std::max(of_words, worst_case_of_unknown()) : of_words);
}

hushbit_privatizer_info Mechanism::info() const {
  hushbit_privatizer_info info = {};
  info.mechanism = kind_;
  info.requested_epsilon = requested_epsilon_;
  info.effective_epsilon = epsilon();
  info.epsilon_unit = kind_ == HUSHBIT_CROWD ? HUSHBIT_PER_WORD : HUSHBIT_PER_BIT;
  info.output_words = bundle_->outputs().count();
  info.public_words = bundle_->public_words().count();
  if (kind_ == HUSHBIT_CROWD) {
    info.clamped = crowd_.clamped() ? 1 : 0;
    info.crowd_size = crowd_.size();
    info.crowd_mass = crowd_.mass();
    info.output_mass = crowd_.output_mass();
    info.crowd_threshold = crowd_.threshold();
    info.crowd_probability = static_cast<double>(crowd_.threshold()) * 0x1p-64;
    info.mean_crowd = crowd_.mean_size();
    return info;
  }
  // An average pair of words never costs more than the worst pair.
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
  if (kind_ == HUSHBIT_TEM) {
    terms->parameters[0] = bit_cast<uint64_t>(requested_epsilon_);
    terms->parameters[1] = bit_cast<uint64_t>(beta_);
  } else if (kind_ == HUSHBIT_CROWD) {
    terms->parameters[0] = crowd_.threshold();
    terms->parameters[1] = uint64_t{crowd_.size()} << 32 | crowd_.row();
  }
}

bool Mechanism::reserve(size_t count, Draws* draws) const {
  if (!draws->outputs.resize(count)) return false;
  if (kind_ == HUSHBIT_CROWD) return crowd_.reserve(&draws->near);
  const bool brr = kind_ == HUSHBIT_BRR;
  return draws->noisy.resize(brr ? count * bundle_->codes().code_bytes : 0) &&
         draws->coins.resize(brr ? brr_.coin_bytes(kGroup) : 0);
}

hushbit_status Mechanism::replace(const uint32_t* inputs, size_t count, const NoiseSource& noise, Draws* draws,
                                  hushbit_error* error) const {
  if (!reserve(count, draws)) {
    return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory; nothing was released");
  }
  for (size_t begin = 0; begin < count; begin += kGroup) {
    const auto size = static_cast<uint32_t>(std::min<size_t>(kGroup, count - begin));
    const hushbit_status status = replace_group(inputs, begin, size, noise, draws);
    if (status == HUSHBIT_RANDOMNESS_FAILED) {
      return fail(error, status, 0, "the operating system provided no randomness; nothing was released");
    }
    if (status != HUSHBIT_OK) {
      return fail(error, status, 0, "the bundle is damaged; download it again; nothing was released");
    }
  }
  draws->near.ids.clear();
  draws->near.distances.clear();
  return HUSHBIT_OK;
}

hushbit_status Mechanism::replace_group(const uint32_t* inputs, size_t begin, uint32_t size, const NoiseSource& noise,
                                        Draws* draws) const {
  const GroupSources sources(noise, begin, size);
  const Outputs& words = bundle_->outputs();
  uint32_t indices[kGroup];
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t input = inputs[begin + i];
    indices[i] = input == kUnknownInput ? kUnknownInput : words.stand_in(input);
    if (indices[i] == HUSHBIT_NO_WORD && input != kUnknownInput) return HUSHBIT_CORRUPT_BUNDLE;
  }
  uint32_t* outputs = draws->outputs.data() + begin;
  hushbit_status status = HUSHBIT_OK;
  if (kind_ == HUSHBIT_CROWD) {
    status = crowd_.replace(indices, size, sources, &draws->near, outputs);
  } else if (kind_ == HUSHBIT_TEM) {
    status = tem_.replace(indices, size, sources.data(), outputs);
  } else {
    status = brr_.replace(indices, size, sources, draws->coins.data(),
                          draws->noisy.data() + begin * bundle_->codes().code_bytes, outputs);
  }
  if (status != HUSHBIT_OK) return status;
  return words.to_ids(outputs, size) ? HUSHBIT_OK : HUSHBIT_CORRUPT_BUNDLE;
}

}  // namespace hushbit
