// The audit log: a line of JSON for every release, with counts, cost, day and bundle hash, never text.
#ifndef HUSHBIT_AUDIT_LOG_H_
#define HUSHBIT_AUDIT_LOG_H_

#include <stdint.h>

#include "base/buffer.h"
#include "hushbit/hushbit.h"

namespace hushbit {

class AuditLog {
 public:
  // Creates the file if need be.
  hushbit_status open(const char* path, hushbit_error* error);
  bool is_open() const { return path_.size() > 0; }

  // Appends one line, with today's date: OK once the operating system has it. Allocates nothing.
  hushbit_status append(const uint8_t bundle_hash[32], const hushbit_privatizer_info& terms, const hushbit_cost& cost,
                        hushbit_error* error) const;
  // Does the same for a release of a whole text, which costs `epsilon`.
  hushbit_status append_text(const uint8_t bundle_hash[32], uint32_t mechanism, bool memoized, double epsilon,
                             hushbit_error* error) const;

 private:
  Buffer<char> path_;
};

}  // namespace hushbit

#endif  // HUSHBIT_AUDIT_LOG_H_
