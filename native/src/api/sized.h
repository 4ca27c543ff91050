// Structs that a caller allocates and that grow: only the first `struct_size` bytes of one are the caller's.
#ifndef HUSHBIT_SIZED_H_
#define HUSHBIT_SIZED_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "hushbit/hushbit.h"

namespace hushbit {

// The size that a struct had in the first header that could grow. A new field goes behind what is there, begins at the
// end of the struct as it was, and leaves this number as it is.
template <typename T>
inline constexpr size_t kFirstBytes = 0;

template <>
inline constexpr size_t kFirstBytes<hushbit_bundle_info> = offsetof(hushbit_bundle_info, mih_flips) + sizeof(double);
template <>
inline constexpr size_t kFirstBytes<hushbit_section_info> = offsetof(hushbit_section_info, sha256) + 32;
template <>
inline constexpr size_t kFirstBytes<hushbit_privatizer_options> =
    offsetof(hushbit_privatizer_options, audit_log) + sizeof(const char*);
template <>
inline constexpr size_t kFirstBytes<hushbit_privatizer_info> =
    offsetof(hushbit_privatizer_info, memoized) + sizeof(int32_t);
template <>
inline constexpr size_t kFirstBytes<hushbit_budget_limits> =
    offsetof(hushbit_budget_limits, tokens_lifetime) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstBytes<hushbit_budget_state> =
    offsetof(hushbit_budget_state, tokens_lifetime) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstBytes<hushbit_cost> = offsetof(hushbit_cost, verbatim) + sizeof(uint64_t);
template <>
inline constexpr size_t kFirstBytes<hushbit_embedder_options> =
    offsetof(hushbit_embedder_options, audit_log) + sizeof(const char*);
template <>
inline constexpr size_t kFirstBytes<hushbit_embedder_info> = offsetof(hushbit_embedder_info, hash) + 32;
template <>
inline constexpr size_t kFirstBytes<hushbit_embedding> = offsetof(hushbit_embedding, dimensions) + sizeof(uint32_t);
template <>
inline constexpr size_t kFirstBytes<hushbit_reporter_options> =
    offsetof(hushbit_reporter_options, audit_log) + sizeof(const char*);
template <>
inline constexpr size_t kFirstBytes<hushbit_reporter_info> = offsetof(hushbit_reporter_info, hash) + 32;
template <>
inline constexpr size_t kFirstBytes<hushbit_report> = offsetof(hushbit_report, values) + 8;

// Whether a caller can have meant this size: that of the first version at least, and none beyond this version's.
template <typename T>
hushbit_status check_size(const T& given, const char* what, hushbit_error* error) {
  static_assert(kFirstBytes<T> % alignof(T) == 0, "the first version ends in padding, where a new field would begin");
  const uint64_t size = given.struct_size;
  if (size >= kFirstBytes<T> && size <= sizeof(T) && size % alignof(T) == 0) return HUSHBIT_OK;
  return fail(
      error, HUSHBIT_INVALID_ARGUMENT, 0,
      "the struct_size of %s is %llu; set it to sizeof of the struct before the call, %zu to %zu in this version", what,
      static_cast<unsigned long long>(size), kFirstBytes<T>, sizeof(T));
}

// Fills what the caller has room for.
template <typename T>
hushbit_status give(const T& whole, const char* what, T* to, hushbit_error* error) {
  const hushbit_status status = check_size(*to, what, error);
  if (status != HUSHBIT_OK) return status;
  const uint64_t size = to->struct_size;
  memcpy(to, &whole, static_cast<size_t>(size));
  to->struct_size = size;
  return HUSHBIT_OK;
}

// Reads what the caller has over `whole`, which keeps its values beyond that.
template <typename T>
hushbit_status take(const T& given, const char* what, T* whole, hushbit_error* error) {
  const hushbit_status status = check_size(given, what, error);
  if (status != HUSHBIT_OK) return status;
  memcpy(whole, &given, static_cast<size_t>(given.struct_size));
  whole->struct_size = sizeof(T);
  return HUSHBIT_OK;
}

}  // namespace hushbit

#endif  // HUSHBIT_SIZED_H_
