// hushbit_privatizer and what it releases, for Python.
#ifndef HUSHBIT_PYTHON_PRIVATIZER_H_
#define HUSHBIT_PYTHON_PRIVATIZER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "hushbit/hushbit.h"
#include "names.h"
#include "support.h"

namespace hushbit::python {

// What one call released; made without the interpreter lock.
struct Result {
  std::string text;
  std::vector<hushbit_token> tokens;
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};

  hushbit_status copy(const hushbit_result* handle, hushbit_error* error) {
    size_t length = 0, count = 0;
    const char* output = hushbit_result_text(handle, &length);
    text.assign(output, length);
    const hushbit_token* first = hushbit_result_tokens(handle, &count);
    tokens.assign(first, first + count);
    return hushbit_result_get_cost(handle, &cost, error);
  }
};

// The 32 bytes of a key, which stay the object's.
inline const uint8_t* key_bytes(const py::bytes& key, const char* what) {
  const std::string_view view = key;
  if (view.size() != 32)
    raise_invalid_argument(std::string(what) + " has 32 bytes, this has " + std::to_string(view.size()));
  return reinterpret_cast<const uint8_t*>(view.data());
}

// What is not given is the bundle's, or the default of C.
class Privatizer {
 public:
  Privatizer(const Bundle& bundle, const std::optional<std::string>& mechanism, std::optional<double> epsilon,
             std::optional<double> beta, const std::optional<std::string>& oov,
             const std::optional<std::string>& punctuation, const std::optional<py::bytes>& mask,
             const std::optional<py::bytes>& device_key, std::optional<uint64_t> epoch, const Budget* budget,
             const std::optional<std::string>& audit_log, const std::optional<std::string>& search,
             const std::optional<std::string>& crowd_size, bool allow_unchanged)
      : memory_(bundle.memory()), bits_(bundle.info().bits), words_(bundle.info().words) {
    hushbit_privatizer_options options = bundle.options();
    if (mechanism) options.mechanism = value_of("mechanism", *mechanism, mechanism_names());
    if (epsilon) options.epsilon = *epsilon;
    if (beta) options.beta = *beta;
    if (oov) options.oov = value_of("out-of-vocabulary policy", *oov, kOovPolicies);
    if (punctuation) options.punctuation = value_of("punctuation policy", *punctuation, kPunctuationPolicies);
    if (mask) {
      const std::string_view view = *mask;
      options.mask = view.data();
      options.mask_bytes = view.size();
    }
    if (device_key) options.device_key = key_bytes(*device_key, "a device key");
    if (epoch) options.epoch = *epoch;
    if (budget != nullptr) options.budget = budget->handle();
    if (audit_log) options.audit_log = audit_log->c_str();
    if (search) options.search = search_of(*search);
    if (crowd_size) options.crowd_size = value_of("size of crowds", *crowd_size, kCrowdSizes);
    options.allow_unchanged = allow_unchanged ? 1 : 0;
    hushbit_privatizer* handle = nullptr;
    checked([&](hushbit_error* error) { return hushbit_privatizer_create(bundle.handle(), &options, &handle, error); });
    handle_.reset(handle);
  }

  hushbit_privatizer_info info() const {
    hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
    hushbit_privatizer_get_info(handle_.get(), &info, nullptr);
    return info;
  }

  Result privatize(const py::bytes& text) const {
    const std::string_view view = text;
    const ResultHandle handle = make_result();
    Result result;
    checked([&](hushbit_error* error) {
      const hushbit_status status = hushbit_privatize(handle_.get(), view.data(), view.size(), handle.get(), error);
      return status == HUSHBIT_OK ? result.copy(handle.get(), error) : status;
    });
    return result;
  }

  // The lines up to the first that fails, and its error or None. The interpreter lock is let go once for all.
  py::tuple privatize_lines(const std::vector<py::bytes>& lines) const;
  // The texts up to the first that fails, and its error or None. No object of Python's is made for a text.
  py::tuple privatize_batch(const OffsetArray& offsets, const py::buffer& data) const;

  const hushbit_privatizer* handle() const { return handle_.get(); }
  uint32_t bits() const { return bits_; }    // of a code of the bundle
  uint32_t words() const { return words_; }  // of the bundle

 private:
  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  uint32_t bits_;
  uint32_t words_;
  std::unique_ptr<hushbit_privatizer, decltype(&hushbit_privatizer_destroy)> handle_{nullptr,
                                                                                     hushbit_privatizer_destroy};
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_PRIVATIZER_H_
