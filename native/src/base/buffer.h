// A growing array of plain values that reports when memory runs out, and wipes what it frees.
#ifndef HUSHBIT_BUFFER_H_
#define HUSHBIT_BUFFER_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#include "base/random.h"

namespace hushbit {

template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  // Wipes the values, but keeps their memory.
  void clear() {
    if (size_ > 0) wipe(data_, size_ * sizeof(T));
    size_ = 0;
  }

  // Makes room for `capacity` values in all. False if there is no memory; the contents stay.
  [[nodiscard]] bool reserve(size_t capacity) {
    if (capacity <= capacity_) return true;
    const size_t grown = capacity_ + capacity_ / 2 > capacity ? capacity_ + capacity_ / 2 : capacity;
    if (grown > SIZE_MAX / sizeof(T)) return false;
    T* data = static_cast<T*>(malloc(grown * sizeof(T)));
    if (data == nullptr) return false;
    const size_t size = size_;
    if (size > 0) memcpy(data, data_, size * sizeof(T));
    release();
    data_ = data;
    size_ = size;
    capacity_ = grown;
    return true;
  }

  // Sets the size; new values are not initialized.
  [[nodiscard]] bool resize(size_t size) {
    if (!reserve(size)) return false;
    size_ = size;
    return true;
  }

  [[nodiscard]] bool append(const T* values, size_t count) {
    if (count > SIZE_MAX - size_ || !reserve(size_ + count)) return false;
    if (count > 0) memcpy(data_ + size_, values, count * sizeof(T));
    size_ += count;
    return true;
  }

  [[nodiscard]] bool append(const T& value) { return append(&value, 1); }

 private:
  void release() {
    if (data_ != nullptr) wipe(data_, capacity_ * sizeof(T));
    free(data_);
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace hushbit

#endif  // HUSHBIT_BUFFER_H_
