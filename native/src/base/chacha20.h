// The ChaCha20 keystream (RFC 8439).
#ifndef HUSHBIT_CHACHA20_H_
#define HUSHBIT_CHACHA20_H_

#include <stddef.h>
#include <stdint.h>

namespace hushbit {

// One keystream block, RFC 8439 section 2.3.
void chacha20_block(const uint8_t key[32], uint32_t counter, const uint8_t nonce[12], uint8_t out[64]);

// The keystream as a sequence of bytes from counter 0 on. At most 256 GiB; fill returns false beyond.
class ChaCha20Stream {
 public:
  // Not to be used before it is started.
  ChaCha20Stream() = default;
  ChaCha20Stream(const uint8_t key[32], const uint8_t nonce[12]) { start(key, nonce); }
  ~ChaCha20Stream();
  ChaCha20Stream(const ChaCha20Stream&) = delete;
  ChaCha20Stream& operator=(const ChaCha20Stream&) = delete;

  // Starts from the beginning, with another key and nonce.
  void start(const uint8_t key[32], const uint8_t nonce[12]);
  void seek(uint64_t byte) { position_ = byte; }
  bool fill(void* out, size_t size);

 private:
  uint8_t key_[32];
  uint8_t nonce_[12];
  uint64_t position_ = 0;
  uint8_t block_[64];
  uint64_t block_index_ = UINT64_MAX;
};

}  // namespace hushbit

#endif  // HUSHBIT_CHACHA20_H_
