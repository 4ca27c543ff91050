// One of the mechanisms, chosen and set up from options. It replaces word ids by word ids.
#ifndef HUSHBIT_MECHANISM_H_
#define HUSHBIT_MECHANISM_H_

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "bundle/bundle.h"
#include "hushbit/hushbit.h"
#include "mechanism/brr.h"
#include "mechanism/crowd.h"
#include "mechanism/noise_source.h"
#include "mechanism/tem.h"

namespace hushbit {

// Returns the name of a hushbit_mechanism, or "unknown" if it is none.
const char* mechanism_name(uint32_t mechanism);

// The output of a mechanism, and its scratch memory.
struct Draws {
  Buffer<uint32_t> outputs;  // the replacement of every input
  Buffer<uint8_t> noisy;     // BRR: the noisy code of every input
  Buffer<uint8_t> coins;     // BRR: randomness of a group; wiped after use
  NearScratch near;          // crowds by codes: the words nearest to an input; wiped after use
};

class Mechanism {
 public:
  // Sets up the mechanism, and checks mechanism, epsilon, beta, search, crowd_size and allow_unchanged of the options.
  // `bundle` must outlive the mechanism.
  hushbit_status init(const Bundle& bundle, const hushbit_privatizer_options& options, hushbit_error* error);

  // Fills everything except worst_case_per_token and, for crowds, average_per_token, which is the same number.
  hushbit_privatizer_info info() const;

  const Crowd* crowd() const { return kind_ == HUSHBIT_CROWD ? &crowd_ : nullptr; }
  // The table of weights by which TEM draws, or NULL for other mechanisms.
  const TemWeights* weights() const { return kind_ == HUSHBIT_TEM ? &tem_.weights : nullptr; }

  // An upper bound on the local-DP epsilon of a token, in millionths. It holds between two words and, if `unknown_too`,
  // also between a word and an unknown token.
  uint64_t millionths_of_token(bool unknown_too) const;

  // Everything on which noise depends besides the word: the mechanism and its parameters, as bits.
  void describe(NoiseTerms* terms) const;

  // Replaces `count` inputs, each a word id or kUnknownInput. Fails with OUT_OF_MEMORY, RANDOMNESS_FAILED or
  // CORRUPT_BUNDLE. After a failure nothing may be released.
  hushbit_status replace(const uint32_t* inputs, size_t count, const NoiseSource& noise, Draws* draws,
                         hushbit_error* error) const;

 private:
  double epsilon() const;
  double worst_case_of_words() const;
  double worst_case_of_unknown() const;
  double range_of_tem() const;
  hushbit_status set_up(const hushbit_privatizer_options& options, hushbit_error* error);
  // Fails with INVALID_ARGUMENT if more than about half of the words stay unchanged.
  hushbit_status check_unchanged(hushbit_error* error) const;
  bool reserve(size_t count, Draws* draws) const;
  hushbit_status replace_group(const uint32_t* inputs, size_t begin, uint32_t size, const NoiseSource& noise,
                               Draws* draws) const;

  const Bundle* bundle_ = nullptr;
  uint32_t kind_ = HUSHBIT_BRR;
  double requested_epsilon_ = 0;
  double beta_ = 0;  // TEM
  Brr brr_ = {};
  Tem tem_ = {};
  Crowd crowd_;
};

}  // namespace hushbit

#endif  // HUSHBIT_MECHANISM_H_
