// Structs that grow: callers of every version before, and sizes that no caller can mean.
#include "api/sized.h"

#include <cstring>
#include <string_view>

#include "check.h"
#include "open_bundle.h"

namespace {

// In its third version.
struct Grown {
  uint64_t struct_size;
  uint64_t first;
  uint32_t second, third;  // of the second version
  uint64_t last;           // of the third
};

constexpr size_t kVersions[] = {16, 24, 32};

}  // namespace

namespace hushbit {

template <>
inline constexpr size_t kFirstBytes<Grown> = kVersions[0];

namespace {

constexpr Grown kWhole = {.struct_size = sizeof(Grown), .first = 1, .second = 2, .third = 3, .last = 4};

// A struct of `size` bytes, and what a longer one would have behind it: 9 in every byte.
Grown of_size(uint64_t size) {
  Grown grown;
  std::memset(&grown, 9, sizeof(grown));
  grown.struct_size = size;
  return grown;
}

bool same_bytes(const Grown& a, const Grown& b, size_t from) {
  return std::memcmp(reinterpret_cast<const char*>(&a) + from, reinterpret_cast<const char*>(&b) + from,
                     sizeof(Grown) - from) == 0;
}

void test_gives_what_the_caller_knows() {
  for (const size_t size : kVersions) {
    Grown given = of_size(size);
    CHECK_EQ(give(kWhole, "the struct", &given, nullptr), HUSHBIT_OK);
    CHECK_EQ(given.struct_size, size);
    CHECK_EQ(std::memcmp(&given.first, &kWhole.first, size - 8), 0);
    CHECK(same_bytes(given, of_size(size), size));
  }
}

void test_takes_what_the_caller_has() {
  for (const size_t size : kVersions) {
    const Grown given = of_size(size);
    Grown whole = kWhole;
    CHECK_EQ(take(given, "the struct", &whole, nullptr), HUSHBIT_OK);
    CHECK_EQ(whole.struct_size, sizeof(Grown));
    CHECK_EQ(std::memcmp(&whole.first, &given.first, size - 8), 0);
    CHECK(same_bytes(whole, kWhole, size));
  }
}

void test_refuses_other_sizes() {
  for (const uint64_t size : {uint64_t{0}, uint64_t{8}, uint64_t{15}, uint64_t{20}, uint64_t{33}, uint64_t{40},
                              uint64_t{16} | uint64_t{1} << 32, UINT64_MAX}) {
    hushbit_error error = {};
    Grown given = of_size(size), whole = kWhole;
    CHECK_EQ(give(kWhole, "the struct", &given, &error), HUSHBIT_INVALID_ARGUMENT);
    CHECK(same_bytes(given, of_size(size), 0));
    CHECK(std::string_view(error.message).find("the struct_size of the struct is") != std::string_view::npos);
    CHECK_EQ(take(of_size(size), "the struct", &whole, nullptr), HUSHBIT_INVALID_ARGUMENT);
    CHECK(same_bytes(whole, kWhole, 0));
  }
}

// Every function that fills a struct looks at its size, and leaves it alone otherwise.
void test_interface_refuses_a_size_not_set() {
  const testing::OpenBundle bundle({"a", "b"});
  const hushbit_privatizer_options defaults = bundle.options();
  hushbit_privatizer* privatizer = nullptr;
  hushbit_result* result = nullptr;
  CHECK_EQ(hushbit_privatizer_create(bundle.handle, &defaults, &privatizer, nullptr), HUSHBIT_OK);
  CHECK_EQ(hushbit_result_create(&result, nullptr), HUSHBIT_OK);
  hushbit_privatizer_options options = {};
  hushbit_bundle_info bundle_info = {};
  hushbit_section_info section = {};
  hushbit_privatizer_info info = {};
  hushbit_budget_limits limits = {};
  hushbit_cost cost = {};
  CHECK_EQ(hushbit_privatizer_options_init(bundle.handle, &options, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_bundle_get_info(bundle.handle, &bundle_info, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_bundle_section(bundle.handle, 0, &section, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_privatizer_get_info(privatizer, &info, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_budget_limits_init(&limits, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(hushbit_result_get_cost(result, &cost, nullptr), HUSHBIT_INVALID_ARGUMENT);
  CHECK_EQ(options.beta, 0.0);
  CHECK_EQ(bundle_info.bits, 0u);
  CHECK_EQ(section.length, 0u);
  CHECK_EQ(info.mechanism, 0u);
  CHECK_EQ(limits.tokens_per_day, 0u);
  hushbit_result_destroy(result);
  hushbit_privatizer_destroy(privatizer);
}

}  // namespace
}  // namespace hushbit

int main() {
  hushbit::test_gives_what_the_caller_knows();
  hushbit::test_takes_what_the_caller_has();
  hushbit::test_refuses_other_sizes();
  hushbit::test_interface_refuses_a_size_not_set();
  return check_result();
}
