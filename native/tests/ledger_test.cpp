// The ledger: its bytes, its arithmetic, its days.
#include "release/ledger.h"

#include <cmath>
#include <cstring>

#include "base/bytes.h"
#include "base/crc32.h"
#include "base/millionths.h"
#include "check.h"

using namespace hushbit;

namespace {

Ledger example() {
  Ledger ledger;
  ledger.day = 20785;
  ledger.cost_today = 1234567;
  ledger.cost_lifetime = 0x0102030405060708;
  ledger.tokens_today = 3;
  ledger.tokens_lifetime = UINT64_MAX;
  return ledger;
}

Ledger with_texts() {
  Ledger ledger = example();
  ledger.texts_today = 2;
  ledger.texts_lifetime = 0x01020304;
  return ledger;
}

void seal(uint8_t* bytes) { store_le32(bytes + 60, crc32(bytes, 60)); }

hushbit_status decode(const uint8_t* bytes, size_t size = kLedgerBytes) {
  Ledger ledger;
  return decode_ledger(bytes, size, &ledger);
}

void test_bytes() {
  uint8_t bytes[kLedgerBytes + 1] = {};
  encode_ledger(example(), bytes);
  CHECK(std::memcmp(bytes, "\x89HSL\r\n\x1a\n\x01\0\0\0\0\0\0\0\x31\x51", 18) == 0);
  CHECK(std::memcmp(bytes + 32, "\x08\x07\x06\x05\x04\x03\x02\x01", 8) == 0);
  Ledger read;
  CHECK_EQ(decode_ledger(bytes, kLedgerBytes, &read), HUSHBIT_OK);
  CHECK_EQ(read.day, 20785u);
  CHECK_EQ(read.cost_today, 1234567u);
  CHECK_EQ(read.cost_lifetime, 0x0102030405060708u);
  CHECK_EQ(read.tokens_today, 3u);
  CHECK_EQ(read.tokens_lifetime, UINT64_MAX);
}

void test_bytes_with_texts() {
  uint8_t bytes[kLedgerBytes] = {};
  encode_ledger(with_texts(), bytes);
  CHECK(std::memcmp(bytes + 8, "\x02\0\0\0\x04\x03\x02\x01", 8) == 0);
  CHECK(std::memcmp(bytes + 56, "\x02\0\0\0", 4) == 0);
  Ledger read;
  CHECK_EQ(decode_ledger(bytes, kLedgerBytes, &read), HUSHBIT_OK);
  CHECK_EQ(read.texts_today, 2u);
  CHECK_EQ(read.texts_lifetime, 0x01020304u);
  CHECK_EQ(read.state().texts_lifetime, 0x01020304u);
  bytes[8] = 1;  // which has no texts
  seal(bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
  encode_ledger(example(), bytes);
  bytes[8] = 2;  // which has some
  seal(bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
}

void test_damage() {
  uint8_t bytes[kLedgerBytes + 1] = {};
  encode_ledger(example(), bytes);
  for (size_t i = 0; i < kLedgerBytes; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= static_cast<uint8_t>(1 << bit);
      CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
      bytes[i] ^= static_cast<uint8_t>(1 << bit);
    }
    CHECK_EQ(decode(bytes, i), HUSHBIT_CORRUPT_BUDGET);
  }
  CHECK_EQ(decode(bytes, kLedgerBytes + 1), HUSHBIT_CORRUPT_BUDGET);
  CHECK_EQ(decode(bytes), HUSHBIT_OK);
  for (const size_t reserved : {12, 15, 56, 59}) {
    bytes[reserved] = 1;
    seal(bytes);
    CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
    bytes[reserved] = 0;
  }
  Ledger impossible = example();
  impossible.cost_today = impossible.cost_lifetime + 1;
  encode_ledger(impossible, bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
  impossible = with_texts();
  impossible.texts_today = impossible.texts_lifetime + 1;
  encode_ledger(impossible, bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
}

void test_versions() {
  uint8_t bytes[kLedgerBytes + 1] = {};
  encode_ledger(example(), bytes);
  bytes[8] = 3;
  bytes[56] = 77;                                   // whatever it means then
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);  // the CRC does not fit: damage, not a version
  seal(bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_UNSUPPORTED_BUDGET);
  CHECK_EQ(decode(bytes, kLedgerBytes + 1), HUSHBIT_UNSUPPORTED_BUDGET);
  bytes[8] = 0;
  seal(bytes);
  CHECK_EQ(decode(bytes), HUSHBIT_CORRUPT_BUDGET);
}

void test_may_be_ledger() {
  uint8_t bytes[kLedgerBytes + 1] = {};
  CHECK(may_be_ledger(bytes, 0));
  CHECK(may_be_ledger(bytes, kLedgerBytes));
  CHECK(!may_be_ledger(bytes, kLedgerBytes + 1));
  encode_ledger(example(), bytes);
  CHECK(may_be_ledger(bytes, kLedgerBytes + 1));
  CHECK(may_be_ledger(bytes, 5));
  bytes[30] ^= 1;
  CHECK(may_be_ledger(bytes, kLedgerBytes));
  const uint8_t notes[] = "precious notes";
  CHECK(!may_be_ledger(notes, sizeof(notes) - 1));
  CHECK(!may_be_ledger(notes, 1));
}

void test_days() {
  Ledger ledger;
  ledger.begin_day(100);
  ledger.add(10, 2, 1);
  ledger.begin_day(100);
  CHECK_EQ(ledger.cost_today, 10u);
  ledger.begin_day(99);  // the clock was set back
  CHECK_EQ(ledger.day, 100u);
  CHECK_EQ(ledger.cost_today, 10u);
  CHECK_EQ(ledger.tokens_today, 2u);
  ledger.begin_day(101);
  CHECK_EQ(ledger.day, 101u);
  CHECK_EQ(ledger.cost_today, 0u);
  CHECK_EQ(ledger.tokens_today, 0u);
  CHECK_EQ(ledger.texts_today, 0u);
  CHECK_EQ(ledger.texts_lifetime, 1u);
  CHECK_EQ(ledger.cost_lifetime, 10u);
  CHECK_EQ(ledger.tokens_lifetime, 2u);
}

void test_sums_do_not_wrap() {
  Ledger ledger;
  ledger.add(kInfiniteCost - 1, UINT64_MAX, UINT32_MAX);
  ledger.add(1, 1, 1);
  CHECK_EQ(ledger.cost_lifetime, kInfiniteCost);
  ledger.add(5, 5, 5);
  CHECK_EQ(ledger.cost_lifetime, kInfiniteCost);
  CHECK_EQ(ledger.tokens_lifetime, UINT64_MAX);
  CHECK_EQ(ledger.texts_lifetime, UINT32_MAX);
  CHECK_EQ(ledger.texts_today, UINT32_MAX);
  CHECK_EQ(ledger.state().worst_case_today, HUGE_VAL);
}

}  // namespace

int main() {
  test_bytes();
  test_bytes_with_texts();
  test_damage();
  test_versions();
  test_may_be_ledger();
  test_days();
  test_sums_do_not_wrap();
  return check_result();
}
