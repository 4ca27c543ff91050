// A caller that was built against the first header, and a library of today.
#include "hushbit/hushbit.h"  // native/tests/first_header/hushbit/hushbit.h

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "check.h"

#ifndef HUSHBIT_FIRST_HUSHBIT_H_
#error "this test must be built against native/tests/first_header"
#endif

namespace {

const std::string kPath = std::string(HUSHBIT_VECTORS) + "/words-64.hushbit";

// A struct as the caller knows it, and what lies behind it.
template <typename T>
struct Guarded {
  T value = {.struct_size = sizeof(T)};
  unsigned char behind[64];

  Guarded() { std::memset(behind, 0xA5, sizeof(behind)); }
  bool is_whole() const {
    for (const unsigned char byte : behind) {
      if (byte != 0xA5) return false;
    }
    return value.struct_size == sizeof(T);
  }
};

struct Session {
  hushbit_bundle* bundle = nullptr;
  hushbit_privatizer* privatizer = nullptr;
  hushbit_result* result = nullptr;

  Session() {
    CHECK_EQ(hushbit_bundle_open(kPath.c_str(), &bundle, nullptr), HUSHBIT_OK);
    CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  }
  ~Session() {
    hushbit_result_destroy(result);
    hushbit_privatizer_destroy(privatizer);
    hushbit_bundle_close(bundle);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

void test_bundle(const Session& session) {
  Guarded<hushbit_bundle_info> info;
  CHECK_EQ(hushbit_bundle_get_info(session.bundle, &info.value, nullptr), HUSHBIT_OK);
  CHECK(info.is_whole());
  CHECK_EQ(info.value.format_major, 1u);
  CHECK_EQ(info.value.bits, 64u);
  CHECK(info.value.words > 1 && info.value.max_word_bytes > 1);
  CHECK(info.value.average_distance > 0 && info.value.average_distance < info.value.max_distance);
  CHECK(info.value.default_epsilon > 0);
  CHECK_EQ(info.value.file_bytes, std::filesystem::file_size(kPath));
  CHECK(info.value.unicode_version != 0);
  CHECK(info.value.mih_flips >= 0 && info.value.mih_flips <= 64);

  uint64_t end = 0;
  for (uint32_t i = 0; i < hushbit_bundle_section_count(session.bundle); ++i) {
    Guarded<hushbit_section_info> section;
    CHECK_EQ(hushbit_bundle_section(session.bundle, i, &section.value, nullptr), HUSHBIT_OK);
    CHECK(section.is_whole());
    CHECK(section.value.name[0] >= 'a' && section.value.name[0] <= 'z');
    CHECK(section.value.offset >= end);
    end = section.value.offset + section.value.length;
  }
  CHECK(end > 0 && end <= info.value.file_bytes);
}

void test_privatizer(Session* session) {
  Guarded<hushbit_privatizer_options> options;
  CHECK_EQ(hushbit_privatizer_options_init(session->bundle, &options.value, nullptr), HUSHBIT_OK);
  CHECK(options.is_whole());
  CHECK_EQ(options.value.beta, 0.001);
  CHECK_EQ(options.value.oov, HUSHBIT_OOV_RANDOM);
  CHECK_EQ(options.value.punctuation, HUSHBIT_PUNCTUATION_DROP);
  CHECK_EQ(options.value.search, HUSHBIT_SEARCH_AUTO);
  CHECK((std::string_view{options.value.mask, options.value.mask_bytes} == "[unk]"));
  CHECK(options.value.device_key == nullptr && options.value.budget == nullptr && options.value.audit_log == nullptr);

  options.value.mechanism = HUSHBIT_TEM;
  options.value.epsilon = 0.25;
  options.value.oov = HUSHBIT_OOV_DROP;
  CHECK_EQ(hushbit_privatizer_create(session->bundle, &options.value, &session->privatizer, nullptr), HUSHBIT_OK);

  Guarded<hushbit_privatizer_info> info;
  CHECK_EQ(hushbit_privatizer_get_info(session->privatizer, &info.value, nullptr), HUSHBIT_OK);
  CHECK(info.is_whole());
  CHECK_EQ(info.value.mechanism, HUSHBIT_TEM);
  CHECK_EQ(info.value.requested_epsilon, 0.25);
  CHECK(info.value.effective_epsilon <= 0.25 && info.value.effective_epsilon > 0.24);
  CHECK(info.value.gamma > 0 && info.value.gamma <= 64);
  CHECK_EQ(info.value.flip_threshold, 0u);
  CHECK(info.value.average_per_token > 0 && info.value.average_per_token <= info.value.worst_case_per_token);
  CHECK(info.value.clamped == 0 && info.value.memoized == 0);
}

void test_release(const Session& session) {
  constexpr std::string_view kText = "The men were qwxzjkv.";
  CHECK_EQ(hushbit_privatize(session.privatizer, kText.data(), kText.size(), session.result, nullptr), HUSHBIT_OK);
  Guarded<hushbit_cost> cost;
  CHECK_EQ(hushbit_result_get_cost(session.result, &cost.value, nullptr), HUSHBIT_OK);
  CHECK(cost.is_whole());
  CHECK_EQ(cost.value.words, 3u);
  CHECK_EQ(cost.value.unknown, 1u);
  CHECK_EQ(cost.value.dropped, 2u);
  CHECK_EQ(cost.value.verbatim, 0u);
  CHECK(cost.value.average > 0 && cost.value.average <= cost.value.worst_case);
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(session.result, &count);
  CHECK_EQ(count, 5u);
  CHECK_EQ(tokens[1].byte_begin, 4u);
  CHECK_EQ(tokens[4].kind, HUSHBIT_TOKEN_PUNCTUATION);
}

void test_budget() {
  const auto directory = std::filesystem::temp_directory_path();
  const std::string path = (directory / "hushbit-first-header-ledger").string();
  std::filesystem::remove(path);
  Guarded<hushbit_budget_limits> limits;
  CHECK_EQ(hushbit_budget_limits_init(&limits.value, nullptr), HUSHBIT_OK);
  CHECK(limits.is_whole());
  CHECK(std::isinf(limits.value.worst_case_per_day) && std::isinf(limits.value.worst_case_lifetime));
  CHECK_EQ(limits.value.tokens_per_day, UINT64_MAX);
  limits.value.tokens_lifetime = 7;
  hushbit_budget* budget = nullptr;
  CHECK_EQ(hushbit_budget_open(path.c_str(), &limits.value, &budget, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_budget_spend(budget, 2.5, 7, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_budget_spend(budget, 2.5, 1, nullptr), HUSHBIT_BUDGET_EXHAUSTED);
  Guarded<hushbit_budget_state> state, read;
  CHECK_EQ(hushbit_budget_get_state(budget, &state.value, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_budget_read(path.c_str(), &read.value, nullptr), HUSHBIT_OK);
  for (const auto& told : {state, read}) {
    CHECK(told.is_whole());
    CHECK(told.value.day > 20000);
    CHECK_EQ(told.value.worst_case_today, 2.5);
    CHECK_EQ(told.value.worst_case_lifetime, 2.5);
    CHECK_EQ(told.value.tokens_today, 7u);
    CHECK_EQ(told.value.tokens_lifetime, 7u);
  }
  hushbit_budget_close(budget);
  for (const char* ending : {"", ".lock"}) std::filesystem::remove(path + ending);
}

}  // namespace

int main() {
  Session session;
  test_bundle(session);
  test_privatizer(&session);
  test_release(session);
  test_budget();
  return check_result();
}
