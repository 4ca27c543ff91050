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

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

// What is not given is the default of C.
class Embedder {
 public:
  Embedder(const Bundle& bundle, std::optional<double> epsilon, const std::optional<std::string>& punctuation,
           const std::optional<py::bytes>& device_key, std::optional<uint64_t> epoch, const Budget* budget,
           const std::optional<std::string>& audit_log)
      : memory_(bundle.memory()) {
    hushbit_embedder_options options = options_of(epsilon, device_key, epoch, budget, audit_log);
    if (punctuation) options.punctuation = value_of("punctuation policy", *punctuation, kPunctuationPolicies);
    hushbit_embedder* handle = nullptr;
    checked([&](hushbit_error* error) { return hushbit_embedder_create(bundle.handle(), &options, &handle, error); });
    handle_.reset(handle);
  }

  // For vectors.
  Embedder(const py::bytes& projection, std::optional<double> epsilon, const std::optional<py::bytes>& device_key,
           std::optional<uint64_t> epoch, const Budget* budget, const std::optional<std::string>& audit_log) {
    const std::string_view file = projection;
    const hushbit_embedder_options options = options_of(epsilon, device_key, epoch, budget, audit_log);
    hushbit_embedder* handle = nullptr;
    checked([&](hushbit_error* error) {
      return hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &handle, error);
    });
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

  hushbit_embedding embed_vector(const FloatArray& numbers) const {
    const ResultHandle scratch = make_result();
    hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
    const float* const first = numbers.data();
    const auto count = static_cast<size_t>(numbers.size());
    checked([&](hushbit_error* error) {
      return hushbit_embed_vector(handle_.get(), first, count, scratch.get(), &embedding, error);
    });
    return embedding;
  }

  // The indexes of rows up to the first that fails, and its error or None.
  py::tuple embed_vectors(const FloatArray& rows) const;

  // The texts up to the first that fails, and its error or None. The interpreter lock is let go once for all.
  py::tuple embed_lines(const std::vector<py::bytes>& lines) const;
  // The indexes of the texts up to the first that fails, and its error or None.
  py::tuple embed_batch(const OffsetArray& offsets, const py::buffer& data) const;

  py::tuple nearest_words(const DoubleArray& direction, size_t k) const;

  const hushbit_embedder* handle() const { return handle_.get(); }

  const std::shared_ptr<std::vector<uint64_t>>& memory() const { return memory_; }

 private:
  static hushbit_embedder_options options_of(std::optional<double> epsilon, const std::optional<py::bytes>& device_key,
                                             std::optional<uint64_t> epoch, const Budget* budget,
                                             const std::optional<std::string>& audit_log) {
    hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
    hushbit_embedder_options_init(&options, nullptr);
    if (epsilon) options.epsilon = *epsilon;
    if (device_key) options.device_key = key_bytes(*device_key, "a device key");
    if (epoch) options.epoch = *epoch;
    if (budget != nullptr) options.budget = budget->handle();
    if (audit_log) options.audit_log = audit_log->c_str();
    return options;
  }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  std::unique_ptr<hushbit_embedder, decltype(&hushbit_embedder_destroy)> handle_{nullptr, hushbit_embedder_destroy};
};

// hushbit_classifier: weights for the texts or vectors of an embedder.
class Classifier {
 public:
  Classifier(const Embedder& embedder, const py::bytes& weights) : memory_(embedder.memory()) {
    const std::string_view json = weights;
    hushbit_classifier* handle = nullptr;
    checked([&](hushbit_error* error) {
      return hushbit_classifier_open(embedder.handle(), json.data(), json.size(), &handle, error);
    });
    handle_.reset(handle);
  }

  py::list classes() const {
    py::list names;
    for (uint32_t i = 0; i < hushbit_classifier_count(handle_.get()); ++i) {
      size_t length = 0;
      const char* name = hushbit_classifier_name(handle_.get(), i, &length);
      names.append(to_text({name, length}));
    }
    return names;
  }

  // The number of the best class, and the log-odds of all.
  py::tuple classify(const py::bytes& text) const {
    const std::string_view view = text;
    return classified([&](uint32_t* best, double* log_odds, hushbit_error* error) {
      return hushbit_classify(handle_.get(), view.data(), view.size(), best, log_odds, error);
    });
  }

  py::tuple classify_vector(const FloatArray& numbers) const {
    const float* const first = numbers.data();
    const auto count = static_cast<size_t>(numbers.size());
    return classified([&](uint32_t* best, double* log_odds, hushbit_error* error) {
      return hushbit_classify_vector(handle_.get(), first, count, best, log_odds, error);
    });
  }

 private:
  template <typename Classify>
  py::tuple classified(Classify classify) const {
    uint32_t best = 0;
    DoubleArray log_odds(static_cast<py::ssize_t>(hushbit_classifier_count(handle_.get())));
    double* const out = log_odds.mutable_data();
    checked([&](hushbit_error* error) { return classify(&best, out, error); });
    return py::make_tuple(best, log_odds);
  }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  std::unique_ptr<hushbit_classifier, decltype(&hushbit_classifier_close)> handle_{nullptr, hushbit_classifier_close};
};

using VectorArray = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

// The numbers of a vector of the embedder's dimensions.
inline const int64_t* one_vector(const Embedder& embedder, const VectorArray& vector) {
  if (static_cast<uint32_t>(vector.size()) != embedder.info().dimensions) {
    raise_invalid_argument("a vector must have as many numbers as the embedder has dimensions");
  }
  return vector.data();
}

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_EMBEDDER_H_
