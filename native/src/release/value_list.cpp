#include "release/value_list.h"

#include <string.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/utf8.h"

namespace hushbit {
namespace {

// FNV-1a; the upper bits are the good ones.
uint64_t hash_of(std::span<const uint8_t> value) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const uint8_t byte : value) hash = (hash ^ byte) * 0x100000001B3;
  return hash ^ hash >> 32;
}

hushbit_status out_of_memory(hushbit_error* error) { return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory"); }

}  // namespace

hushbit_status ValueList::init(std::span<const uint8_t> lines, uint32_t most, hushbit_error* error) {
  if (!lines.empty() && lines.back() == '\n') lines = lines.first(lines.size() - 1);
  if (lines.empty() || lines.size() > UINT32_MAX) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the list of values is %s", lines.empty() ? "empty" : "too long");
  }
  const auto count = static_cast<size_t>(std::count(lines.begin(), lines.end(), uint8_t{'\n'})) + 1;
  if (count > most) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the list has %zu values; %u are the most", count, most);
  }
  if (!bytes_.reserve(lines.size()) || !starts_.reserve(count + 1) || !starts_.append(0) ||
      !slots_.resize(2 * std::bit_ceil(count))) {
    return out_of_memory(error);
  }
  memset(slots_.data(), 0, slots_.size() * sizeof(uint32_t));
  for (uint32_t number = 1;; ++number) {
    const auto end = std::find(lines.begin(), lines.end(), uint8_t{'\n'});
    const auto size = static_cast<size_t>(end - lines.begin());
    const hushbit_status status = add(lines.first(size), number, error);
    if (status != HUSHBIT_OK || end == lines.end()) return status;
    lines = lines.subspan(size + 1);
  }
}

hushbit_status ValueList::add(std::span<const uint8_t> line, uint32_t number, hushbit_error* error) {
  if (line.empty()) return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "value %u of the list is empty", number);
  if (first_invalid_utf8(line.data(), line.size()) < line.size()) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "value %u of the list is not UTF-8", number);
  }
  const size_t slot = slot_of(line);
  if (slots_[slot] != 0) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "value %u of the list is the same as value %u", number,
                slots_[slot]);
  }
  if (!bytes_.append(line.data(), line.size()) || !starts_.append(static_cast<uint32_t>(bytes_.size()))) {
    return out_of_memory(error);
  }
  slots_[slot] = number;
  longest_ = std::max(longest_, static_cast<uint32_t>(line.size()));
  return HUSHBIT_OK;
}

std::span<const uint8_t> ValueList::value(uint32_t index) const {
  return {bytes_.data() + starts_[index], starts_[index + 1] - starts_[index]};
}

// The place where a value stands in the table, or would stand.
size_t ValueList::slot_of(std::span<const uint8_t> value) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash_of(value)) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::span<const uint8_t> kept = this->value(slots_[slot] - 1);
    if (std::equal(kept.begin(), kept.end(), value.begin(), value.end())) break;
  }
  return slot;
}

uint32_t ValueList::find(std::span<const uint8_t> value) const {
  const uint32_t found = slots_[slot_of(value)];
  return found == 0 ? count() : found - 1;
}

}  // namespace hushbit
