#include "release/audit_log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mechanism/mechanism.h"
#include "release/budget.h"
#include "release/storage.h"

namespace hushbit {
namespace {

struct Text {
  char characters[40];
};

// A number as JSON has it, whatever the locale writes between its digits; infinity as a string.
Text json_number(double value) {
  Text text;
  if (isinf(value)) {
    snprintf(text.characters, sizeof(text.characters), "\"Infinity\"");
    return text;
  }
  // So many digits show millionths as they are, and no error of a double.
  snprintf(text.characters, sizeof(text.characters), "%.15g", value);
  for (char* c = text.characters; *c != '\0'; ++c) {
    if (strchr("0123456789+-e", *c) == nullptr) *c = '.';
  }
  return text;
}

// Year, month and day of a day in the Gregorian calendar, counted in years that begin in March.
Text iso_date(uint64_t day) {
  const uint64_t shifted = day + 719468;  // since 0000-03-01
  const uint64_t era = shifted / 146097, day_of_era = shifted % 146097;
  const uint64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const uint64_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto month = static_cast<unsigned>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  const auto day_of_month = static_cast<unsigned>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto year = static_cast<unsigned>(year_of_era + era * 400 + (month <= 2 ? 1 : 0));
  Text text;
  snprintf(text.characters, sizeof(text.characters), "%04u-%02u-%02u", year, month, day_of_month);
  return text;
}

const char* unit_name(uint32_t unit) {
  switch (unit) {
    case HUSHBIT_PER_TEXT:
      return "text";
    case HUSHBIT_PER_WORD:
      return "word";
    default:
      return "bit";
  }
}

constexpr size_t kLineBytes = 640;

// Writes what every line begins with and returns its length.
size_t begin_line(char line[kLineBytes], const uint8_t bundle_hash[32], uint32_t mechanism, bool memoized,
                  uint32_t unit, double epsilon) {
  char hash[65] = {};
  for (int i = 0; i < 32; ++i) snprintf(hash + 2 * i, 3, "%02x", bundle_hash[i]);
  const int size =
      snprintf(line, kLineBytes,
               "{\"day\":\"%s\",\"bundle\":\"%s\",\"mechanism\":\"%s\",\"memoized\":%s,\"unit\":\"%s\",\"epsilon\":%s,",
               iso_date(days_since_1970()).characters, hash, mechanism_name(mechanism), memoized ? "true" : "false",
               unit_name(unit), json_number(epsilon).characters);
  return static_cast<size_t>(size);
}

}  // namespace

hushbit_status AuditLog::open(const char* path, hushbit_error* error) {
  if (*path == '\0') return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the path of the audit log is empty");
  const hushbit_status status = append_to_file(path, nullptr, 0, error);
  if (status != HUSHBIT_OK) return status;
  if (path_.append(path, strlen(path) + 1)) return HUSHBIT_OK;
  return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
}

hushbit_status AuditLog::append(const uint8_t bundle_hash[32], const hushbit_privatizer_info& terms,
                                const hushbit_cost& cost, hushbit_error* error) const {
  char line[kLineBytes];
  const size_t begun =
      begin_line(line, bundle_hash, terms.mechanism, terms.memoized != 0, terms.epsilon_unit, cost.epsilon);
  const int rest =
      snprintf(line + begun, sizeof(line) - begun,
               "\"average\":%s,\"worst_case\":%s,\"words\":%llu,\"unknown\":%llu,\"dropped\":%llu,\"verbatim\":%llu,"
               "\"public_words\":%llu}\n",
               json_number(cost.average).characters, json_number(cost.worst_case).characters,
               static_cast<unsigned long long>(cost.words), static_cast<unsigned long long>(cost.unknown),
               static_cast<unsigned long long>(cost.dropped), static_cast<unsigned long long>(cost.verbatim),
               static_cast<unsigned long long>(cost.public_words));
  return append_to_file(path_.data(), line, begun + static_cast<size_t>(rest), error);
}

hushbit_status AuditLog::append_text(const uint8_t bundle_hash[32], uint32_t mechanism, bool memoized, double epsilon,
                                     hushbit_error* error) const {
  char line[kLineBytes];
  const size_t begun = begin_line(line, bundle_hash, mechanism, memoized, HUSHBIT_PER_TEXT, epsilon);
  const int rest =
      snprintf(line + begun, sizeof(line) - begun, "\"worst_case\":%s}\n", json_number(epsilon).characters);
  return append_to_file(path_.data(), line, begun + static_cast<size_t>(rest), error);
}

}  // namespace hushbit
