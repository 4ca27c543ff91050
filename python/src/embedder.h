// hushbit_embedder for Python.
#ifndef HUSHBIT_PYTHON_EMBEDDER_H_
#define HUSHBIT_PYTHON_EMBEDDER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "hushbit/hushbit.h"
#include "names.h"
#include "privatizer.h"
#include "support.h"

namespace hushbit::python {

using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What is not given is the default of C.
class Embedder {
 public:
  Embedder(const Bundle& bundle, std::optional<double> epsilon, const std::optional<std::string>& punctuation,
           const std::optional<py::bytes>& device_key, std::optional<uint64_t> epoch, const Budget* budget,
           const std::optional<std::string>& audit_log)
      : memory_(bundle.memory()) {
    hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
    hushbit_embedder_options_init(&options, nullptr);
    if (epsilon) options.epsilon = *epsilon;
    if (punctuation) options.punctuation = value_of("punctuation policy", *punctuation, kPunctuationPolicies);
    if (device_key) options.device_key = key_bytes(*device_key, "a device key");
    if (epoch) options.epoch = *epoch;
    if (budget != nullptr) options.budget = budget->handle();
    if (audit_log) options.audit_log = audit_log->c_str();
    hushbit_embedder* handle = nullptr;
    checked([&](hushbit_error* error) { return hushbit_embedder_create(bundle.handle(), &options, &handle, error); });
    handle_.reset(handle);
  }

  hushbit_embedder_info info() const {
    hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
    hushbit_embedder_get_info(handle_.get(), &info, nullptr);
    return info;
  }

  py::array_t<uint64_t> directions() const {
    const uint32_t count = info().directions;
    py::array_t<uint64_t> signs(count);
    uint64_t* const out = signs.mutable_data();
    checked([&](hushbit_error* error) { return hushbit_embedder_directions(handle_.get(), 0, count, out, error); });
    return signs;
  }

  hushbit_embedding embed(const py::bytes& text) const {
    const std::string_view view = text;
    const ResultHandle scratch = make_result();
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
    checked([&](hushbit_error* error) {
      return hushbit_embed(handle_.get(), view.data(), view.size(), scratch.get(), &embedding, error);
    });
    return embedding;
  }

  // The texts up to the first that fails, and its error or None. The interpreter lock is let go once for all.
  py::tuple embed_lines(const std::vector<py::bytes>& lines) const;
  // The indexes of the texts up to the first that fails, and its error or None.
  py::tuple embed_batch(const OffsetArray& offsets, const py::buffer& data) const;

  py::tuple nearest_words(const DoubleArray& direction, size_t k) const;

  const hushbit_embedder* handle() const { return handle_.get(); }

 private:
  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  std::unique_ptr<hushbit_embedder, decltype(&hushbit_embedder_destroy)> handle_{nullptr, hushbit_embedder_destroy};
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_EMBEDDER_H_
