// Many texts in one run of bytes, as Arrow has them.
#ifndef HUSHBIT_PYTHON_BATCHES_H_
#define HUSHBIT_PYTHON_BATCHES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "support.h"

namespace hushbit::python {

// Text i is data[offsets[i] .. offsets[i + 1]). Raises for offsets that do not fit. Both must outlive this.
class Texts {
 public:
  Texts(const OffsetArray& offsets, const py::buffer& data) : bytes_(data.request()), at_(offsets.data()) {
    if (bytes_.ndim != 1 || bytes_.strides[0] != bytes_.itemsize) {
      raise_invalid_argument("data must be one run of bytes");
    }
    const auto size = static_cast<int64_t>(bytes_.size * bytes_.itemsize);
    if (offsets.ndim() != 1 || offsets.size() == 0) {
      raise_invalid_argument("offsets must be int64 of shape (texts + 1,)");
    }
    count_ = static_cast<size_t>(offsets.size()) - 1;
    for (size_t i = 0; i <= count_; ++i) {
      if (at_[i] < (i == 0 ? 0 : at_[i - 1]) || at_[i] > size) {
        raise_invalid_argument("offsets must ascend from 0 or more to at most the length of the data");
      }
    }
  }

  size_t count() const { return count_; }
  // Of all texts.
  size_t bytes() const { return static_cast<size_t>(at_[count_] - at_[0]); }
  std::string_view operator[](size_t i) const {
    return {static_cast<const char*>(bytes_.ptr) + at_[i], static_cast<size_t>(at_[i + 1] - at_[i])};
  }

 private:
  py::buffer_info bytes_;
  const int64_t* at_;
  size_t count_ = 0;
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_BATCHES_H_
