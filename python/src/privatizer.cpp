// hushbit_privatizer and what it releases, for Python.
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "hushbit/testing.h"
#include "support.h"

namespace hushbit::python {
namespace {

// What one call released; made without the interpreter lock.
struct Result {
  std::string text;
  std::vector<hushbit_token> tokens;
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
  std::string noisy_codes;  // rows of code_bytes
  size_t code_bytes = 0;
};

// What one call released of many texts, as Arrow has them: text i is text[offsets[i] .. offsets[i + 1]).
struct Batch {
  std::string text;
  std::vector<int64_t> offsets = {0};
  std::vector<double> averages, worst_cases;                    // of each text
  hushbit_cost counts = {.struct_size = sizeof(hushbit_cost)};  // sums of what is counted; the costs stay 0
  uint64_t released = 0;                                        // tokens that a budget counts

  void add(const hushbit_result* result, const hushbit_cost& cost) {
    size_t length = 0;
    const char* output = hushbit_result_text(result, &length);
    text.append(output, length);
    offsets.push_back(static_cast<int64_t>(text.size()));
    worst_cases.push_back(cost.worst_case);
    averages.push_back(cost.average);
    size_t tokens = 0;
    hushbit_result_tokens(result, &tokens);
    released += tokens - cost.dropped - cost.public_words;
    counts.epsilon = cost.epsilon;
    counts.epsilon_unit = cost.epsilon_unit;
    counts.words += cost.words;
    counts.unknown += cost.unknown;
    counts.dropped += cost.dropped;
    counts.verbatim += cost.verbatim;
    counts.public_words += cost.public_words;
  }
};

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

// A tuple for each token: kind, range in bytes, range in UTF-16, replacement or None. Made when asked for.
py::list rows(const Result& result) {
  const std::string_view text = result.text;
  py::list rows(result.tokens.size());
  for (size_t i = 0; i < result.tokens.size(); ++i) {
    const hushbit_token& token = result.tokens[i];
    const std::string_view word = text.substr(token.output_begin, token.output_end - token.output_begin);
    py::object replacement = py::none();
    if (!word.empty()) replacement = to_text(word);
    rows[i] = py::make_tuple(token_kind_name(token.kind), token.byte_begin, token.byte_end, token.utf16_begin,
                             token.utf16_end, replacement);
  }
  return rows;
}

// Made when asked for: an array imports numpy, which takes longer than to privatize a text.
CodeArray noisy_codes(const Result& result) {
  const size_t count = result.code_bytes == 0 ? 0 : result.noisy_codes.size() / result.code_bytes;
  CodeArray codes({count, result.code_bytes});
  std::memcpy(codes.mutable_data(), result.noisy_codes.data(), result.noisy_codes.size());
  return codes;
}

// The 32 bytes of a key, which stay the object's.
const uint8_t* key_bytes(const py::bytes& key, const char* what) {
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
             const std::optional<std::string>& crowd)
      : memory_(bundle.memory()), bits_(bundle.info().bits), words_(bundle.info().words) {
    hushbit_options options = bundle.options();
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
    if (crowd) options.crowd = value_of("size of crowds", *crowd, kCrowds);
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
    return run(text, [this](std::string_view view, hushbit_result* result, hushbit_error* error) {
      return hushbit_privatize(handle_.get(), view.data(), view.size(), result, error);
    });
  }

  // The lines up to the first that fails, and its error or None. The interpreter lock is let go once for all.
  py::tuple privatize_lines(const std::vector<py::bytes>& lines) const {
    std::vector<std::string_view> texts(lines.begin(), lines.end());
    const ResultHandle handle = make_result();
    std::vector<Result> results;
    results.reserve(texts.size());
    hushbit_error error = {};
    hushbit_status status = HUSHBIT_OK;
    {
      py::gil_scoped_release release;
      for (const std::string_view text : texts) {
        Result result;
        status = hushbit_privatize(handle_.get(), text.data(), text.size(), handle.get(), &error);
        if (status == HUSHBIT_OK) status = copy(handle.get(), &result, &error);
        if (status != HUSHBIT_OK) break;
        results.push_back(std::move(result));
      }
    }
    py::list released(results.size());
    for (size_t i = 0; i < results.size(); ++i) released[i] = py::cast(std::move(results[i]));
    return py::make_tuple(
        released, status == HUSHBIT_OK ? py::none() : py::object(error_of(status, error.message, error.position)));
  }

  // The texts up to the first that fails, and its error or None. No object of Python's is made for a text.
  py::tuple privatize_batch(const OffsetArray& offsets, const py::buffer& data) const {
    const py::buffer_info bytes = data.request();
    if (bytes.ndim != 1 || bytes.strides[0] != bytes.itemsize) raise_invalid_argument("data must be one run of bytes");
    const auto size = static_cast<int64_t>(bytes.size * bytes.itemsize);
    if (offsets.ndim() != 1 || offsets.size() == 0)
      raise_invalid_argument("offsets must be int64 of shape (texts + 1,)");
    const int64_t* const at = offsets.data();
    const auto count = static_cast<size_t>(offsets.size()) - 1;
    for (size_t i = 0; i <= count; ++i) {
      if (at[i] < (i == 0 ? 0 : at[i - 1]) || at[i] > size) {
        raise_invalid_argument("offsets must ascend from 0 or more to at most the length of the data");
      }
    }
    const ResultHandle handle = make_result();
    Batch batch;
    hushbit_error error = {};
    hushbit_status status = HUSHBIT_OK;
    {
      py::gil_scoped_release release;
      const auto* const text = static_cast<const char*>(bytes.ptr);
      batch.text.reserve(static_cast<size_t>(at[count] - at[0]));
      for (size_t i = 0; i < count && status == HUSHBIT_OK; ++i) {
        hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
        status = hushbit_privatize(handle_.get(), text + at[i], static_cast<size_t>(at[i + 1] - at[i]), handle.get(),
                                   &error);
        if (status == HUSHBIT_OK) status = hushbit_result_get_cost(handle.get(), &cost, &error);
        if (status == HUSHBIT_OK) batch.add(handle.get(), cost);
      }
    }
    return py::make_tuple(
        py::cast(std::move(batch)),
        status == HUSHBIT_OK ? py::none() : py::object(error_of(status, error.message, error.position)));
  }

  Result privatize_seeded(const py::bytes& text, const std::optional<py::bytes>& seed) const {
    const uint8_t* key = seed ? key_bytes(*seed, "a seed") : nullptr;
    return run(text, [&](std::string_view view, hushbit_result* result, hushbit_error* error) {
      return hushbit_testing_privatize(handle_.get(), key, view.data(), view.size(), result, error);
    });
  }

  IdArray replace(const IdArray& words, const std::optional<py::bytes>& seed) const {
    if (words.ndim() != 1) raise_invalid_argument("word ids must be uint32 of shape (count,)");
    const uint8_t* bytes = seed ? key_bytes(*seed, "a seed") : nullptr;
    IdArray outputs(words.size());
    uint32_t* const out = outputs.mutable_data();
    checked([&](hushbit_error* error) {
      return hushbit_testing_replace(handle_.get(), bytes, words.data(), static_cast<size_t>(words.size()), out, error);
    });
    return outputs;
  }

  py::array_t<uint64_t> weights() const {
    py::array_t<uint64_t> weights(static_cast<py::ssize_t>(bits_ + 1));
    uint64_t* const out = weights.mutable_data();
    checked([&](hushbit_error* error) { return hushbit_testing_weights(handle_.get(), out, error); });
    return weights;
  }

  // Word, share and weight of each member.
  IdArray crowd(uint32_t word) const {
    uint32_t count = 0;
    std::vector<hushbit_crowd_member> members(info().output_words);
    checked([&](hushbit_error* error) {
      return hushbit_testing_crowd(handle_.get(), word, members.data(), static_cast<uint32_t>(members.size()), &count,
                                   error);
    });
    IdArray rows({static_cast<size_t>(count), size_t{3}});
    uint32_t* out = rows.mutable_data();
    for (uint32_t i = 0; i < count; ++i) {
      *out++ = members[i].word;
      *out++ = members[i].share;
      *out++ = members[i].weight;
    }
    return rows;
  }

  // Of every word of the bundle.
  IdArray output_weights() const {
    IdArray weights(words_);
    uint32_t* const out = weights.mutable_data();
    checked([&](hushbit_error* error) {
      for (uint32_t word = 0; word < words_; ++word) {
        const hushbit_status status = hushbit_testing_output_weight(handle_.get(), word, &out[word], error);
        if (status != HUSHBIT_OK) return status;
      }
      return HUSHBIT_OK;
    });
    return weights;
  }

 private:
  template <typename Call>
  static Result run(const py::bytes& text, Call call) {
    const std::string_view view = text;
    const ResultHandle handle = make_result();
    Result result;
    checked([&](hushbit_error* error) {
      const hushbit_status status = call(view, handle.get(), error);
      return status == HUSHBIT_OK ? copy(handle.get(), &result, error) : status;
    });
    return result;
  }

  static hushbit_status copy(const hushbit_result* handle, Result* result, hushbit_error* error) {
    size_t length = 0, count = 0;
    const char* output = hushbit_result_text(handle, &length);
    result->text.assign(output, length);
    const hushbit_token* tokens = hushbit_result_tokens(handle, &count);
    result->tokens.assign(tokens, tokens + count);
    const uint8_t* noisy = hushbit_testing_noisy_codes(handle, &count, &result->code_bytes);
    if (count > 0) result->noisy_codes.assign(reinterpret_cast<const char*>(noisy), count * result->code_bytes);
    return hushbit_result_get_cost(handle, &result->cost, error);
  }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  uint32_t bits_;
  uint32_t words_;
  std::unique_ptr<hushbit_privatizer, decltype(&hushbit_privatizer_close)> handle_{nullptr, hushbit_privatizer_close};
};

}  // namespace

void bind_privatizer(py::module_& module) {
  py::class_<Result>(module, "Result")
      .def_property_readonly("text", [](const Result& result) { return py::bytes(result.text); })
      .def_property_readonly("tokens", [](const Result& result) { return py::cast(result.tokens); })
      .def_property_readonly("rows", &rows)
      .def_readonly("cost", &Result::cost)
      .def_property_readonly("noisy_codes", &noisy_codes);
  py::class_<Batch>(module, "Batch")
      .def_property_readonly("text", [](const Batch& batch) { return py::bytes(batch.text); })
      .def_property_readonly("offsets", [](const Batch& batch) { return array_of(batch.offsets); })
      .def_property_readonly("averages", [](const Batch& batch) { return array_of(batch.averages); })
      .def_property_readonly("worst_cases", [](const Batch& batch) { return array_of(batch.worst_cases); })
      .def_readonly("counts", &Batch::counts)
      .def_readonly("released", &Batch::released);
  py::class_<Privatizer>(module, "Privatizer")
      .def(py::init<const Bundle&, const std::optional<std::string>&, std::optional<double>, std::optional<double>,
                    const std::optional<std::string>&, const std::optional<std::string>&,
                    const std::optional<py::bytes>&, const std::optional<py::bytes>&, std::optional<uint64_t>,
                    const Budget*, const std::optional<std::string>&, const std::optional<std::string>&,
                    const std::optional<std::string>&>(),
           py::arg("bundle"), py::kw_only(), py::arg("mechanism") = py::none(), py::arg("epsilon") = py::none(),
           py::arg("beta") = py::none(), py::arg("oov") = py::none(), py::arg("punctuation") = py::none(),
           py::arg("mask") = py::none(), py::arg("device_key") = py::none(), py::arg("epoch") = py::none(),
           py::arg("budget") = py::none(), py::arg("audit_log") = py::none(), py::arg("search") = py::none(),
           py::arg("crowd") = py::none())
      .def("info", &Privatizer::info)
      .def("privatize", &Privatizer::privatize, py::arg("text"))
      .def("privatize_lines", &Privatizer::privatize_lines, py::arg("lines"))
      .def("privatize_batch", &Privatizer::privatize_batch, py::arg("offsets"), py::arg("data"))
      .def("privatize_seeded", &Privatizer::privatize_seeded, py::arg("text"), py::arg("seed"))
      .def("replace", &Privatizer::replace, py::arg("words"), py::arg("seed") = py::none())
      .def("weights", &Privatizer::weights)
      .def("crowd", &Privatizer::crowd, py::arg("word"))
      .def("output_weights", &Privatizer::output_weights);
}

}  // namespace hushbit::python
