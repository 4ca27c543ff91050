// hushbit_bundle for Python.
#ifndef HUSHBIT_PYTHON_BUNDLE_H_
#define HUSHBIT_PYTHON_BUNDLE_H_

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hushbit/hushbit.h"
#include "support.h"

namespace hushbit::python {

// Distances, ties and words, an array each.
inline py::tuple columns_of(const std::vector<hushbit_nearest>& nearest) {
  const size_t count = nearest.size();
  IdArray distances(count), ties(count), words(count);
  for (size_t i = 0; i < count; ++i) {
    distances.mutable_data()[i] = nearest[i].distance;
    ties.mutable_data()[i] = nearest[i].ties;
    words.mutable_data()[i] = nearest[i].word;
  }
  return py::make_tuple(distances, ties, words);
}

class Bundle {
 public:
  static std::unique_ptr<Bundle> open(const std::string& path) {
    return make(
        [&](hushbit_bundle** out, hushbit_error* error) { return hushbit_bundle_open(path.c_str(), out, error); });
  }

  static std::unique_ptr<Bundle> open_fd(int fd, uint64_t offset, uint64_t length) {
    return make([&](hushbit_bundle** out, hushbit_error* error) {
      return hushbit_bundle_open_fd(fd, offset, length, out, error);
    });
  }

  static std::unique_ptr<Bundle> from_bytes(const py::bytes& data) {
    const std::string_view view = data;
    auto memory = std::make_shared<std::vector<uint64_t>>(view.size() / 8 + 1);
    std::memcpy(memory->data(), view.data(), view.size());
    auto bundle = make([&](hushbit_bundle** out, hushbit_error* error) {
      return hushbit_bundle_open_memory(memory->data(), view.size(), out, error);
    });
    bundle->memory_ = std::move(memory);
    return bundle;
  }

  hushbit_bundle_info info() const {
    hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
    checked([&](hushbit_error* error) { return hushbit_bundle_get_info(handle_.get(), &info, error); });
    return info;
  }

  // The defaults of C for this bundle.
  hushbit_privatizer_options options() const {
    hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
    checked([&](hushbit_error* error) { return hushbit_privatizer_options_init(handle_.get(), &options, error); });
    return options;
  }

  py::dict default_options() const {
    const hushbit_privatizer_options options = this->options();
    py::dict named;
    named["mechanism"] = options.mechanism;
    named["epsilon"] = options.epsilon;
    named["beta"] = options.beta;
    named["oov"] = options.oov;
    named["punctuation"] = options.punctuation;
    named["mask"] = to_bytes(options.mask, options.mask_bytes);
    named["epoch"] = options.epoch;
    named["search"] = options.search;
    return named;
  }

  py::bytes meta() const {
    size_t length = 0;
    const char* meta = hushbit_bundle_meta(handle_.get(), &length);
    return to_bytes(meta, length);
  }

  std::vector<hushbit_section_info> sections() const {
    std::vector<hushbit_section_info> sections(hushbit_bundle_section_count(handle_.get()),
                                               {.struct_size = sizeof(hushbit_section_info)});
    for (uint32_t i = 0; i < sections.size(); ++i) {
      checked([&](hushbit_error* error) { return hushbit_bundle_section(handle_.get(), i, &sections[i], error); });
    }
    return sections;
  }

  void verify() const {
    checked([&](hushbit_error* error) { return hushbit_bundle_verify(handle_.get(), error); });
  }

  std::optional<uint32_t> find(const py::bytes& word) const {
    const std::string_view view = word;
    uint32_t id = 0;
    hushbit_error error = {};
    const hushbit_status status = hushbit_bundle_find(handle_.get(), view.data(), view.size(), &id, &error);
    if (status == HUSHBIT_UNKNOWN_WORD) return std::nullopt;
    if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
    return id;
  }

  py::bytes word(uint32_t id) const {
    char buffer[256];
    size_t length = 0;
    hushbit_error error = {};
    const hushbit_status status = hushbit_bundle_word(handle_.get(), id, buffer, sizeof(buffer), &length, &error);
    if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
    return to_bytes(buffer, length);
  }

  IdArray output_words() const {
    IdArray words(info().output_words);
    uint32_t* const out = words.mutable_data();
    const auto count = static_cast<uint32_t>(words.size());
    checked([&](hushbit_error* error) {
      for (uint32_t i = 0; i < count; ++i) {
        const hushbit_status status = hushbit_bundle_output_word(handle_.get(), i, out + i, error);
        if (status != HUSHBIT_OK) return status;
      }
      return HUSHBIT_OK;
    });
    return words;
  }

  IdArray stand_ins(const IdArray& ids) const {
    IdArray words(ids.size());
    uint32_t* const out = words.mutable_data();
    const uint32_t* in = ids.data();
    const auto count = static_cast<size_t>(ids.size());
    checked([&](hushbit_error* error) {
      for (size_t i = 0; i < count; ++i) {
        const hushbit_status status = hushbit_bundle_stand_in(handle_.get(), in[i], out + i, error);
        if (status != HUSHBIT_OK) return status;
      }
      return HUSHBIT_OK;
    });
    return words;
  }

  CodeArray codes(const IdArray& ids) const {
    const size_t bytes = code_bytes();
    CodeArray codes({static_cast<size_t>(ids.size()), bytes});
    uint8_t* out = codes.mutable_data();
    const uint32_t* in = ids.data();
    const auto count = static_cast<size_t>(ids.size());
    checked([&](hushbit_error* error) {
      for (size_t i = 0; i < count; ++i) {
        const hushbit_status status = hushbit_bundle_code(handle_.get(), in[i], out + i * bytes, error);
        if (status != HUSHBIT_OK) return status;
      }
      return HUSHBIT_OK;
    });
    return codes;
  }

  py::tuple nearest(const CodeArray& codes) const {
    std::vector<hushbit_nearest> nearest(require_codes(codes));
    checked([&](hushbit_error* error) {
      return hushbit_bundle_nearest(handle_.get(), codes.data(), nearest.size(), nearest.data(), error);
    });
    return columns_of(nearest);
  }

  py::tuple neighbors(const CodeArray& code, size_t k) const {
    if (static_cast<size_t>(code.size()) != code_bytes()) {
      raise_invalid_argument("a code of this bundle has " + std::to_string(code_bytes()) + " bytes");
    }
    if (k > info().output_words) raise_invalid_argument("k is above the number of output words");
    IdArray ids(k), distances(k);
    checked([&](hushbit_error* error) {
      return hushbit_bundle_neighbors(handle_.get(), code.data(), k, ids.mutable_data(), distances.mutable_data(),
                                      error);
    });
    return py::make_tuple(ids, distances);
  }

  uint32_t farthest(uint32_t first, uint32_t last, uint32_t floor) const {
    uint32_t distance = 0;
    checked([&](hushbit_error* error) {
      return hushbit_bundle_farthest(handle_.get(), first, last, floor, &distance, error);
    });
    return distance;
  }

  py::list tokenize(const py::bytes& text) const {
    const std::string_view view = text;
    const ResultHandle result = make_result();
    checked([&](hushbit_error* error) {
      return hushbit_tokenize(handle_.get(), view.data(), view.size(), result.get(), error);
    });
    return copy_tokens(result.get());
  }

  // How many codes of this bundle there are.
  size_t require_codes(const CodeArray& codes) const {
    if (codes.ndim() != 2 || static_cast<size_t>(codes.shape(1)) != code_bytes()) {
      raise_invalid_argument("codes must be uint8 of shape (count, " + std::to_string(code_bytes()) + ")");
    }
    return static_cast<size_t>(codes.shape(0));
  }

  size_t code_bytes() const { return info().bits / 8; }

  const hushbit_bundle* handle() const { return handle_.get(); }
  const std::shared_ptr<std::vector<uint64_t>>& memory() const { return memory_; }

 private:
  template <typename Open>
  static std::unique_ptr<Bundle> make(Open open) {
    auto bundle = std::make_unique<Bundle>();
    hushbit_bundle* handle = nullptr;
    checked([&](hushbit_error* error) { return open(&handle, error); });
    bundle->handle_.reset(handle);
    return bundle;
  }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // outlives the handle
  std::unique_ptr<hushbit_bundle, decltype(&hushbit_bundle_close)> handle_{nullptr, hushbit_bundle_close};
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_BUNDLE_H_
