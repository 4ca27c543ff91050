// HMAC-SHA256 (RFC 2104).
#ifndef HUSHBIT_HMAC_H_
#define HUSHBIT_HMAC_H_

#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

namespace hushbit {

// A copy goes on from what was hashed so far, so messages that begin alike cost their beginning once.
class Hmac {
 public:
  Hmac(const uint8_t* key, size_t key_bytes);
  Hmac(const Hmac&) = default;
  Hmac& operator=(const Hmac&) = default;
  ~Hmac();

  void update(const void* data, size_t size) { inner_.update(data, size); }
  void finish(uint8_t tag[32]);  // once; the object is spent afterwards

 private:
  Sha256 inner_;
  Sha256 outer_;
};

}  // namespace hushbit

#endif  // HUSHBIT_HMAC_H_
