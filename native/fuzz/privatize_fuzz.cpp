// Any options and any text through the privatizer, with seeded randomness: bad options refused, costs and ranges
// consistent, the same output for the same seed, and nothing released when something fails.
#include <math.h>

#include <string>

#include "fixed_bundle.h"

using namespace hushbit::testing;

namespace {

// The front of the input, in this order: bytes of mechanism, OOV policy, punctuation policy and in its upper two bits
// the size of crowds, mask length, how often the randomness comes before it fails (255: always), one of the seed, then
// epsilon and beta in 8 each.
struct Input {
  static constexpr size_t kSize = 22;
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  int draws;
  uint8_t seed[32] = {};
  std::string text;

  Input(const hushbit_bundle* bundle, const uint8_t* data, size_t size) {
    static const char kMask[] =
        "mask \xE2\x80\xA6 mask mask mask mask mask mask mask mask mask mask mask mask mask mask";
    hushbit_privatizer_options_init(bundle, &options, nullptr);
    options.mechanism = data[0];
    options.oov = data[1];
    options.punctuation = data[2] & 0x3F;
    options.crowd_size = data[2] >> 6;
    options.allow_unchanged = 1;
    options.mask = data[3] == 255 ? nullptr : kMask;
    options.mask_bytes = std::min<size_t>(data[3], sizeof(kMask) - 1);
    draws = data[4];
    seed[0] = data[5];
    memcpy(&options.epsilon, data + 6, sizeof(options.epsilon));
    memcpy(&options.beta, data + 14, sizeof(options.beta));
    text.assign(reinterpret_cast<const char*>(data) + kSize, size - kSize);
  }

  bool valid() const {
    const uint32_t mechanism = options.mechanism, oov = options.oov;
    if (mechanism < HUSHBIT_BRR || mechanism > HUSHBIT_CROWD) return false;
    if (oov > HUSHBIT_OOV_VERBATIM_UNSAFE || options.punctuation > HUSHBIT_PUNCTUATION_PRIVATIZE) return false;
    if (!(options.epsilon >= 0) || !isfinite(options.epsilon)) return false;
    if (mechanism == HUSHBIT_TEM && !(options.beta > 0 && options.beta < 1)) return false;
    return oov != HUSHBIT_OOV_MASK || (options.mask != nullptr && options.mask_bytes >= 1 && options.mask_bytes <= 64 &&
                                       is_utf8(options.mask, options.mask_bytes));
  }
};

void check_info(const hushbit_privatizer* privatizer) {
  hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
  hushbit_privatizer_get_info(privatizer, &info, nullptr);
  REQUIRE((info.flip_threshold >= 1) == (info.mechanism == HUSHBIT_BRR) && info.flip_probability <= 0.5);
  REQUIRE(info.effective_epsilon >= 0 && info.effective_epsilon <= info.requested_epsilon);
  REQUIRE(info.average_per_token >= 0 && isfinite(info.worst_case_per_token));
}

bool is_output_word(const hushbit_bundle* bundle, uint32_t id) {
  uint32_t stand_in;
  REQUIRE(hushbit_bundle_stand_in(bundle, id, &stand_in, nullptr) == HUSHBIT_OK);
  return stand_in == id;
}

// Every replacement is an output word, a public word that was typed, the mask, or what was typed; they are joined by
// single spaces.
void check_output(const Input& input, const hushbit_bundle* bundle, const hushbit_result* result) {
  size_t count, length;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  const char* output = hushbit_result_text(result, &length);
  REQUIRE(is_utf8(output, length));
  std::string joined;
  uint64_t left_out = 0, verbatim = 0, kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const hushbit_token& token = tokens[i];
    if (token.output_begin == token.output_end) {
      ++left_out;
      continue;
    }
    const std::string part(output + token.output_begin, token.output_end - token.output_begin);
    if (!joined.empty()) joined += ' ';
    joined += part;
    uint32_t id;
    const bool is_word = hushbit_bundle_find(bundle, part.data(), part.size(), &id, nullptr) == HUSHBIT_OK;
    const bool unknown = token.word == HUSHBIT_NO_WORD;
    const bool masked = unknown && input.options.oov == HUSHBIT_OOV_MASK;
    const bool as_typed = unknown && input.options.oov == HUSHBIT_OOV_VERBATIM_UNSAFE;
    verbatim += as_typed;
    REQUIRE(is_word || masked || as_typed);
    if (!masked && !as_typed && !is_output_word(bundle, id)) {
      REQUIRE(token.word == id);
      ++kept;
    }
    if (masked) REQUIRE(part == std::string(input.options.mask, input.options.mask_bytes));
    if (as_typed) REQUIRE(part == input.text.substr(token.byte_begin, token.byte_end - token.byte_begin));
  }
  REQUIRE(joined == std::string(output, length));
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
  hushbit_result_get_cost(result, &cost, nullptr);
  REQUIRE(cost.dropped == left_out && cost.verbatim == verbatim && kept <= cost.public_words);
  REQUIRE(cost.words + cost.public_words + cost.unknown + cost.dropped >= count && cost.words <= count);
  REQUIRE((verbatim > 0) == (isinf(cost.worst_case) != 0) && (verbatim > 0) == (isinf(cost.average) != 0));
}

void require_empty(const hushbit_result* result) {
  size_t count, length;
  hushbit_result_text(result, &length);
  REQUIRE(length == 0 && hushbit_result_tokens(result, &count) == nullptr && count == 0);
  hushbit_testing_noisy_codes(result, &count, &length);
  REQUIRE(count == 0);
}

// A keystream that fails after some draws; 255 stand for any number.
struct Draws {
  int left;
  uint64_t position = 0;
  uint8_t seed[32] = {7};
};

int draw(void* state, void* out, size_t size) {
  auto& draws = *static_cast<Draws*>(state);
  if (draws.left == 0) return 0;
  if (draws.left != 255) --draws.left;
  hushbit_testing_keystream(draws.seed, draws.position, static_cast<uint8_t*>(out), size);
  draws.position += size;
  return 1;
}

void privatize(const Input& input, const hushbit_bundle* bundle, const hushbit_privatizer* privatizer) {
  hushbit_result* result;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  const Handle<hushbit_result> owned(result);
  const std::string& text = input.text;
  hushbit_error error;
  hushbit_status status = hushbit_testing_privatize(privatizer, input.seed, text.data(), text.size(), result, &error);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  require_tokens(result, text.size(), info.words);
  if (status != HUSHBIT_OK) {
    require_told(status, error);
    REQUIRE(status == (is_utf8(text.data(), text.size()) ? HUSHBIT_UNKNOWN_WORD : HUSHBIT_INVALID_TEXT));
    REQUIRE(status == HUSHBIT_INVALID_TEXT || input.options.oov == HUSHBIT_OOV_ERROR);
    require_empty(result);
    return;
  }
  check_output(input, bundle, result);
  size_t length;
  const char* output = hushbit_result_text(result, &length);
  const std::string first(output, length);
  REQUIRE(hushbit_testing_privatize(privatizer, input.seed, text.data(), text.size(), result, &error) == HUSHBIT_OK);
  output = hushbit_result_text(result, &length);
  REQUIRE(first == std::string(output, length));

  Draws draws = {.left = input.draws};
  status = hushbit_testing_privatize_with(privatizer, draw, &draws, text.data(), text.size(), result, &error);
  REQUIRE(status == HUSHBIT_OK || status == HUSHBIT_RANDOMNESS_FAILED);
  if (status == HUSHBIT_OK) {
    check_output(input, bundle, result);
  } else {
    require_empty(result);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < Input::kSize) return 0;
  const hushbit_bundle* bundle = fixed_bundle();
  REQUIRE(bundle != nullptr);
  const Input input(bundle, data, size);
  hushbit_privatizer* privatizer = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_privatizer_create(bundle, &input.options, &privatizer, &error);
  REQUIRE(status == (input.valid() ? HUSHBIT_OK : HUSHBIT_INVALID_ARGUMENT));
  if (status != HUSHBIT_OK) {
    require_told(status, error);
    return 0;
  }
  const Handle<hushbit_privatizer> owned(privatizer);
  check_info(privatizer);
  privatize(input, bundle, privatizer);
  return 0;
}
