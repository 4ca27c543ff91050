#include "bundle/spellings.h"

#include <string.h>

#include <bit>

#include "base/error.h"

namespace hushbit {
namespace {

// Up to 8 bytes as a number, without reading beyond them.
uint64_t load_up_to_8(const uint8_t* bytes, size_t size) {
  uint64_t value = 0;
  memcpy(&value, bytes, size < 8 ? size : 8);
  return value;
}

// Hashes a word; the upper bits are the good ones.
uint64_t hash_of(std::span<const uint8_t> word) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  uint64_t hash = word.size();
  for (size_t at = 0; at < word.size(); at += 8) {
    hash = (std::rotl(hash, 23) ^ load_up_to_8(word.data() + at, word.size() - at)) * kFactor;
  }
  return hash;
}

}  // namespace

hushbit_status Spellings::init(const Vocabulary& vocabulary, const Outputs& outputs, hushbit_error* error) {
  const uint32_t count = outputs.count();
  const auto no_memory = [&] { return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory"); };
  if (!starts_.reserve(count + 1) || !bytes_.reserve(size_t{count} * 8) || !slots_.resize(2 * std::bit_ceil(count))) {
    return no_memory();
  }
  memset(slots_.data(), 0, slots_.size() * sizeof(uint16_t));
  const size_t mask = slots_.size() - 1;
  bool ok = starts_.append(0);
  for (uint32_t index = 0; ok && index < count; ++index) {
    uint8_t word[kMaxWordBytes];
    const uint32_t id = outputs.id(index);
    const size_t size = id == HUSHBIT_NO_WORD ? 0 : vocabulary.word(id, word);
    if (size == 0) {
      return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's words are damaged; download it again");
    }
    ok = bytes_.append(word, size) && starts_.append(static_cast<uint32_t>(bytes_.size()));
    size_t slot = static_cast<size_t>(hash_of({word, size}) >> 32) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint16_t>(index + 1);
  }
  outputs_ = &outputs;
  return ok ? HUSHBIT_OK : no_memory();
}

uint32_t Spellings::find(std::span<const uint8_t> word) const {
  if (outputs_ == nullptr) return HUSHBIT_NO_WORD;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = static_cast<size_t>(hash_of(word) >> 32) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const uint32_t index = slots_[slot] - 1u;
    const std::span<const uint8_t> other = spelling(index);
    if (other.size() == word.size() && memcmp(other.data(), word.data(), word.size()) == 0) return outputs_->id(index);
  }
  return HUSHBIT_NO_WORD;
}

std::span<const uint8_t> Spellings::word(uint32_t id) const {
  if (outputs_ == nullptr) return {};
  const uint32_t index = outputs_->stand_in(id);
  if (index == HUSHBIT_NO_WORD || outputs_->id(index) != id) return {};
  return spelling(index);
}

}  // namespace hushbit
