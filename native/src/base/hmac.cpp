#include "base/hmac.h"

#include <string.h>

#include "base/random.h"

namespace hushbit {
namespace {

constexpr size_t kBlockBytes = 64;

}  // namespace

Hmac::Hmac(const uint8_t* key, size_t key_bytes) {
  uint8_t block[kBlockBytes] = {};
  if (key_bytes > kBlockBytes) {
    Sha256 hash;
    hash.update(key, key_bytes);
    hash.finish(block);
  } else if (key_bytes > 0) {
    memcpy(block, key, key_bytes);
  }
  for (uint8_t& byte : block) byte ^= 0x36;
  inner_.update(block, sizeof(block));
  for (uint8_t& byte : block) byte ^= 0x36 ^ 0x5c;
  outer_.update(block, sizeof(block));
  wipe(block, sizeof(block));
}

Hmac::~Hmac() {
  wipe(&inner_, sizeof(inner_));
  wipe(&outer_, sizeof(outer_));
}

void Hmac::finish(uint8_t tag[32]) {
  uint8_t digest[32];
  inner_.finish(digest);
  outer_.update(digest, sizeof(digest));
  outer_.finish(tag);
  wipe(digest, sizeof(digest));
}

}  // namespace hushbit
