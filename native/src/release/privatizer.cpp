#include "release/privatizer.h"

#include <math.h>
#include <string.h>

#include <algorithm>

#include "base/error.h"
#include "base/millionths.h"
#include "base/utf8.h"
#include "release/tokens.h"

namespace hushbit {
namespace {

hushbit_status out_of_memory(hushbit_error* error) {
  return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory; nothing was released");
}

hushbit_status check_policies(const hushbit_privatizer_options& options, hushbit_error* error) {
  if (options.oov > HUSHBIT_OOV_VERBATIM_UNSAFE) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown out-of-vocabulary policy %u", options.oov);
  }
  if (options.punctuation > HUSHBIT_PUNCTUATION_PRIVATIZE) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown punctuation policy %u", options.punctuation);
  }
  return HUSHBIT_OK;
}

}  // namespace

void Result::clear() {
  text.clear();
  tokens.clear();
  inputs.clear();
  keys.clear();
  draws.outputs.clear();
  draws.noisy.clear();
  draws.near.ids.clear();
  draws.near.distances.clear();
  text_crowd.keys.clear();
  text_crowd.candidates.clear();
  cost = {};
}

hushbit_status tokenize(const Bundle& bundle, const Spellings* spellings, std::span<const uint8_t> text, Result* result,
                        hushbit_error* error) {
  return visit_tokens(bundle, spellings, text, error, [&](const hushbit_token& token) {
    return result->tokens.append(token) ? HUSHBIT_OK : out_of_memory(error);
  });
}

hushbit_status Privatizer::init(const Bundle& bundle, const hushbit_privatizer_options& options, const Budget* budget,
                                hushbit_error* error) {
  hushbit_status status = check_policies(options, error);
  if (status == HUSHBIT_OK) status = mechanism_.init(bundle, options, error);
  // Where drawing a word takes next to no time, finding words is all there is.
  if (status == HUSHBIT_OK && mechanism_.crowd() != nullptr && bundle.outputs().count() <= Spellings::kMostWords) {
    status = spellings_.init(bundle.vocabulary(), bundle.outputs(), error);
  }
  // A list of public words that lies would release others.
  if (status == HUSHBIT_OK) status = bundle.public_words().check(bundle.outputs(), error);
  if (status == HUSHBIT_OK && options.audit_log != nullptr) status = audit_log_.open(options.audit_log, error);
  if (status == HUSHBIT_OK && options.oov == HUSHBIT_OOV_MASK) status = set_mask(options, error);
  if (status != HUSHBIT_OK) return status;
  if (options.device_key != nullptr) {
    NoiseTerms terms = {.bundle_hash = bundle.info().hash, .mechanism = 0, .parameters = {}, .epoch = options.epoch};
    mechanism_.describe(&terms);
    memo_.emplace(options.device_key, terms);
  }
  bundle_ = &bundle;
  budget_ = budget;
  oov_ = options.oov;
  punctuation_ = options.punctuation;
  info_ = mechanism_.info();
  info_.memoized = memo_ ? 1 : 0;
  // Where unknown tokens are replaced like words, telling them from words is bounded too.
  token_cost_ = mechanism_.millionths_of_token(oov_ == HUSHBIT_OOV_RANDOM);
  info_.worst_case_per_token = of_millionths(token_cost_);
  if (info_.epsilon_unit == HUSHBIT_PER_WORD) info_.average_per_token = info_.worst_case_per_token;
  return HUSHBIT_OK;
}

hushbit_status Privatizer::set_mask(const hushbit_privatizer_options& options, hushbit_error* error) {
  const auto* mask = reinterpret_cast<const uint8_t*>(options.mask);
  if (mask == nullptr || options.mask_bytes < 1 || options.mask_bytes > kMaxMaskBytes ||
      first_invalid_utf8(mask, options.mask_bytes) < options.mask_bytes) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the mask must be 1 to %zu bytes of UTF-8", kMaxMaskBytes);
  }
  memcpy(mask_, options.mask, options.mask_bytes);
  mask_bytes_ = options.mask_bytes;
  return HUSHBIT_OK;
}

Privatizer::Action Privatizer::action(const hushbit_token& token) const {
  if (!is_word_like(token, punctuation_)) return Action::kDrop;
  if (token.word != HUSHBIT_NO_WORD) {
    return bundle_->public_words().contains(token.word) ? Action::kPublic : Action::kNoise;
  }
  switch (oov_) {
    case HUSHBIT_OOV_RANDOM:
      return Action::kUnknownNoise;
    case HUSHBIT_OOV_DROP:
      return Action::kDrop;
    case HUSHBIT_OOV_MASK:
      return Action::kMask;
    case HUSHBIT_OOV_VERBATIM_UNSAFE:
      return Action::kVerbatim;
    default:
      return Action::kRefuse;
  }
}

hushbit_status Privatizer::privatize(std::span<const uint8_t> text, RandomSource random, Result* result,
                                     hushbit_error* error) const {
  result->clear();
  result->code_bytes = bundle_->codes().code_bytes;
  const hushbit_status status = run(text, random, result, error);
  if (status != HUSHBIT_OK) result->clear();
  return status;
}

hushbit_status Privatizer::run(std::span<const uint8_t> text, RandomSource random, Result* result,
                               hushbit_error* error) const {
  hushbit_status status = tokenize(*bundle_, &spellings_, text, result, error);
  if (status == HUSHBIT_OK) status = collect_inputs(result, error);
  if (status == HUSHBIT_OK) count_cost(result);
  if (status == HUSHBIT_OK && budget_ != nullptr) status = spend(*result, error);
  if (status == HUSHBIT_OK) status = draw(text, random, result, error);
  if (status == HUSHBIT_OK) status = assemble(text, result, error);
  if (status == HUSHBIT_OK && audit_log_.is_open()) {
    status = audit_log_.append(bundle_->info().hash, info_, result->cost, error);
  }
  return status;
}

hushbit_status Privatizer::spend(const Result& result, hushbit_error* error) const {
  const uint64_t released = result.tokens.size() - result.cost.dropped - result.cost.public_words;
  return budget_->spend({.worst_case = result.cost.worst_case, .tokens = released}, error);
}

hushbit_status Privatizer::draw(std::span<const uint8_t> text, RandomSource random, Result* result,
                                hushbit_error* error) const {
  NoiseSource noise{.shared = random};
  if (memo_) {
    const hushbit_status status = derive_keys(text, result, error);
    if (status != HUSHBIT_OK) return status;
    noise.keys = result->keys.data();
  }
  const hushbit_status status =
      mechanism_.replace(result->inputs.data(), result->inputs.size(), noise, &result->draws, error);
  result->keys.clear();
  result->inputs.clear();
  if (!result->keeps_noisy_codes) result->draws.noisy.clear();
  return status;
}

hushbit_status Privatizer::derive_keys(std::span<const uint8_t> text, Result* result, hushbit_error* error) const {
  if (!result->keys.resize(result->inputs.size() * kNoiseKeyBytes)) return out_of_memory(error);
  uint8_t* key = result->keys.data();
  for (size_t i = 0; i < result->tokens.size(); ++i) {
    const hushbit_token& token = result->tokens[i];
    const Action what = action(token);
    if (what == Action::kNoise) {
      uint8_t word[kMaxWordBytes];
      const std::span<const uint8_t> spelled = spell(*bundle_, spellings_, token.word, word);
      if (spelled.empty()) return damaged_words(error);
      memo_->word_key(spelled, key);
    } else if (what == Action::kUnknownNoise) {
      memo_->unknown_key(typed(token, text), key);
    } else {
      continue;
    }
    key += kNoiseKeyBytes;
  }
  return HUSHBIT_OK;
}

hushbit_status Privatizer::collect_inputs(Result* result, hushbit_error* error) const {
  for (size_t i = 0; i < result->tokens.size(); ++i) {
    const hushbit_token& token = result->tokens[i];
    const Action what = action(token);
    if (what == Action::kRefuse) {
      return fail(error, HUSHBIT_UNKNOWN_WORD, token.byte_begin,
                  "the token at byte %llu is not in the vocabulary, and the policy is error; nothing was released",
                  static_cast<unsigned long long>(token.byte_begin));
    }
    if (what != Action::kNoise && what != Action::kUnknownNoise) continue;
    if (!result->inputs.append(what == Action::kNoise ? token.word : kUnknownInput)) return out_of_memory(error);
  }
  return HUSHBIT_OK;
}

hushbit_status Privatizer::assemble(std::span<const uint8_t> text, Result* result, hushbit_error* error) const {
  size_t drawn = 0;
  for (size_t i = 0; i < result->tokens.size(); ++i) {
    hushbit_token& token = result->tokens[i];
    token.output_begin = token.output_end = result->text.size();
    uint8_t word[kMaxWordBytes];
    std::span<const uint8_t> replacement;
    switch (action(token)) {
      case Action::kNoise:
      case Action::kUnknownNoise:
        replacement = spell(*bundle_, spellings_, result->draws.outputs[drawn++], word);
        if (replacement.empty()) return damaged_words(error);
        break;
      case Action::kPublic:
        // It is spelled as in the vocabulary: capitals, say, would tell what no public word does.
        replacement = spell(*bundle_, spellings_, token.word, word);
        if (replacement.empty()) return damaged_words(error);
        break;
      case Action::kMask:
        replacement = {reinterpret_cast<const uint8_t*>(mask_), mask_bytes_};
        break;
      case Action::kVerbatim:
        replacement = typed(token, text);
        break;
      default:
        continue;
    }
    if (result->text.size() > 0 && !result->text.append(' ')) return out_of_memory(error);
    token.output_begin = result->text.size();
    if (!result->text.append(reinterpret_cast<const char*>(replacement.data()), replacement.size())) {
      return out_of_memory(error);
    }
    token.output_end = result->text.size();
  }
  return HUSHBIT_OK;
}

void Privatizer::count_cost(Result* result) const {
  hushbit_cost& cost = result->cost;
  uint64_t released = 0;
  for (size_t i = 0; i < result->tokens.size(); ++i) {
    const hushbit_token& token = result->tokens[i];
    const Action what = action(token);
    released += what == Action::kNoise || what == Action::kUnknownNoise;
    cost.words += what == Action::kNoise;
    cost.unknown += token.word == HUSHBIT_NO_WORD && is_word_like(token, punctuation_);
    cost.dropped += what == Action::kDrop;
    cost.verbatim += what == Action::kVerbatim;
    cost.public_words += what == Action::kPublic;
  }
  cost.epsilon = info_.effective_epsilon;
  cost.epsilon_unit = info_.epsilon_unit;
  cost.worst_case = cost.verbatim > 0 ? HUGE_VAL : of_millionths(saturating_product(released, token_cost_));
  const bool same = cost.epsilon_unit == HUSHBIT_PER_WORD || cost.verbatim > 0;
  cost.average = same ? cost.worst_case : static_cast<double>(released) * info_.average_per_token;
}

}  // namespace hushbit
