// Text in, privatized text out: policies, cost, budget.
#ifndef HUSHBIT_PRIVATIZER_H_
#define HUSHBIT_PRIVATIZER_H_

#include <stddef.h>
#include <stdint.h>

#include <optional>
#include <span>

#include "base/buffer.h"
#include "base/random.h"
#include "bundle/bundle.h"
#include "bundle/spellings.h"
#include "hushbit/hushbit.h"
#include "mechanism/mechanism.h"
#include "mechanism/memo.h"
#include "mechanism/text_crowd.h"
#include "release/audit_log.h"
#include "release/budget.h"

namespace hushbit {

// What a call released, and its scratch memory.
struct Result {
  Buffer<char> text;
  Buffer<hushbit_token> tokens;
  Buffer<uint32_t> inputs;         // of the noised tokens, in token order: word ids or kUnknownInput; wiped after use
  Buffer<uint8_t> keys;            // memoized noise: kNoiseKeyBytes for each of them; wiped after use
  Draws draws;                     // what became of them; noisy codes are wiped after use
  uint32_t code_bytes = 0;         // of one noisy code
  bool keeps_noisy_codes = false;  // for tests
  TextCrowdScratch text_crowd;     // of embeddings; wiped after use
  hushbit_cost cost = {};

  void clear();
};

// Fills `result->tokens` and nothing else. `spellings` may be null.
hushbit_status tokenize(const Bundle& bundle, const Spellings* spellings, std::span<const uint8_t> text, Result* result,
                        hushbit_error* error);

class Privatizer {
 public:
  // `bundle`, and `budget` if it is not null, must outlive the privatizer. The budget of the options is not looked at.
  hushbit_status init(const Bundle& bundle, const hushbit_privatizer_options& options, const Budget* budget,
                      hushbit_error* error);

  const hushbit_privatizer_info& info() const { return info_; }
  const Mechanism& mechanism() const { return mechanism_; }

  // On failure the result is empty. `random` is for fresh noise.
  hushbit_status privatize(std::span<const uint8_t> text, RandomSource random, Result* result,
                           hushbit_error* error) const;

 private:
  enum class Action { kDrop, kNoise, kUnknownNoise, kPublic, kMask, kVerbatim, kRefuse };

  hushbit_status set_mask(const hushbit_privatizer_options& options, hushbit_error* error);
  Action action(const hushbit_token& token) const;
  hushbit_status run(std::span<const uint8_t> text, RandomSource random, Result* result, hushbit_error* error) const;
  hushbit_status collect_inputs(Result* result, hushbit_error* error) const;
  hushbit_status spend(const Result& result, hushbit_error* error) const;
  hushbit_status draw(std::span<const uint8_t> text, RandomSource random, Result* result, hushbit_error* error) const;
  hushbit_status derive_keys(std::span<const uint8_t> text, Result* result, hushbit_error* error) const;
  hushbit_status assemble(std::span<const uint8_t> text, Result* result, hushbit_error* error) const;
  void count_cost(Result* result) const;

  static constexpr size_t kMaxMaskBytes = 64;

  const Bundle* bundle_ = nullptr;
  uint32_t oov_ = HUSHBIT_OOV_RANDOM;
  uint32_t punctuation_ = HUSHBIT_PUNCTUATION_DROP;
  char mask_[kMaxMaskBytes] = {};
  size_t mask_bytes_ = 0;
  Mechanism mechanism_;
  Spellings spellings_;  // empty for mechanisms that take longer to draw than to find a word
  std::optional<Memo> memo_;
  const Budget* budget_ = nullptr;
  AuditLog audit_log_;
  uint64_t token_cost_ = 0;  // at worst, in millionths
  hushbit_privatizer_info info_ = {};
};

}  // namespace hushbit

#endif  // HUSHBIT_PRIVATIZER_H_
