// The file, little-endian:
//
//    0  8 bytes  magic `89 48 53 4C 0D 0A 1A 0A`
//    8  u32      version: 2 if a whole text was released, otherwise 1
//   12  u32      whole texts in all
//   16  u64      day, since 1970-01-01 UTC
//   24  u64      cost on that day, in millionths
//   32  u64      cost in all
//   40  u64      tokens on that day
//   48  u64      tokens in all
//   56  u32      whole texts on that day
//   60  u32      CRC-32 of bytes 0 to 59
//
// Version 1 has 0 for both numbers of texts: readers of that time refuse a ledger that counts texts, as one of a newer
// version, rather than drop the count. Every version keeps magic, version and CRC where they are, so that a newer file
// can be told from a damaged one.
#include "release/ledger.h"

#include <string.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/crc32.h"
#include "base/millionths.h"

namespace hushbit {
namespace {

constexpr uint8_t kMagic[8] = {0x89, 'H', 'S', 'L', '\r', '\n', 0x1A, '\n'};
constexpr uint32_t kWordsVersion = 1, kTextsVersion = 2;
constexpr size_t kCrcAt = 60;

}  // namespace

void Ledger::begin_day(uint64_t today) {
  if (today <= day) return;
  day = today;
  cost_today = 0;
  tokens_today = 0;
  texts_today = 0;
}

void Ledger::add(uint64_t cost, uint64_t tokens, uint32_t texts) {
  cost_today = saturating_sum(cost_today, cost);
  cost_lifetime = saturating_sum(cost_lifetime, cost);
  tokens_today = saturating_sum(tokens_today, tokens);
  tokens_lifetime = saturating_sum(tokens_lifetime, tokens);
  texts_today += std::min(texts, UINT32_MAX - texts_today);
  texts_lifetime += std::min(texts, UINT32_MAX - texts_lifetime);
}

hushbit_budget_state Ledger::state() const {
  return {.struct_size = sizeof(hushbit_budget_state),
          .day = day,
          .worst_case_today = of_millionths(cost_today),
          .worst_case_lifetime = of_millionths(cost_lifetime),
          .tokens_today = tokens_today,
          .tokens_lifetime = tokens_lifetime,
          .texts_today = texts_today,
          .texts_lifetime = texts_lifetime};
}

void encode_ledger(const Ledger& ledger, uint8_t bytes[kLedgerBytes]) {
  memset(bytes, 0, kLedgerBytes);
  memcpy(bytes, kMagic, sizeof(kMagic));
  store_le32(bytes + 8, ledger.texts_lifetime == 0 ? kWordsVersion : kTextsVersion);
  store_le32(bytes + 12, ledger.texts_lifetime);
  store_le64(bytes + 16, ledger.day);
  store_le64(bytes + 24, ledger.cost_today);
  store_le64(bytes + 32, ledger.cost_lifetime);
  store_le64(bytes + 40, ledger.tokens_today);
  store_le64(bytes + 48, ledger.tokens_lifetime);
  store_le32(bytes + 56, ledger.texts_today);
  store_le32(bytes + kCrcAt, crc32(bytes, kCrcAt));
}

hushbit_status decode_ledger(const uint8_t* bytes, size_t size, Ledger* ledger) {
  if (size < kLedgerBytes || memcmp(bytes, kMagic, sizeof(kMagic)) != 0) return HUSHBIT_CORRUPT_BUDGET;
  if (load_le32(bytes + kCrcAt) != crc32(bytes, kCrcAt)) return HUSHBIT_CORRUPT_BUDGET;
  if (load_le32(bytes + 8) > kTextsVersion) return HUSHBIT_UNSUPPORTED_BUDGET;
  Ledger read;
  read.day = load_le64(bytes + 16);
  read.cost_today = load_le64(bytes + 24);
  read.cost_lifetime = load_le64(bytes + 32);
  read.tokens_today = load_le64(bytes + 40);
  read.tokens_lifetime = load_le64(bytes + 48);
  read.texts_lifetime = load_le32(bytes + 12);
  read.texts_today = load_le32(bytes + 56);
  uint8_t written[kLedgerBytes];
  encode_ledger(read, written);
  const bool whole = size == kLedgerBytes && memcmp(bytes, written, kLedgerBytes) == 0;
  const bool possible = read.cost_today <= read.cost_lifetime && read.tokens_today <= read.tokens_lifetime &&
                        read.texts_today <= read.texts_lifetime;
  if (!whole || !possible) return HUSHBIT_CORRUPT_BUDGET;
  *ledger = read;
  return HUSHBIT_OK;
}

bool may_be_ledger(const uint8_t* bytes, size_t size) {
  const bool begins_as_one = memcmp(bytes, kMagic, std::min(size, sizeof(kMagic))) == 0;
  const bool is_zero = size <= kLedgerBytes && std::all_of(bytes, bytes + size, [](uint8_t byte) { return byte == 0; });
  return begins_as_one || is_zero;
}

}  // namespace hushbit
