#include "privatizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batches.h"

namespace hushbit::python {
namespace {

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

}  // namespace

py::tuple Privatizer::privatize_lines(const std::vector<py::bytes>& lines) const {
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
      if (status == HUSHBIT_OK) status = result.copy(handle.get(), &error);
      if (status != HUSHBIT_OK) break;
      results.push_back(std::move(result));
    }
  }
  py::list released(results.size());
  for (size_t i = 0; i < results.size(); ++i) released[i] = py::cast(std::move(results[i]));
  return py::make_tuple(
      released, status == HUSHBIT_OK ? py::none() : py::object(error_of(status, error.message, error.position)));
}

py::tuple Privatizer::privatize_batch(const OffsetArray& offsets, const py::buffer& data) const {
  const Texts texts(offsets, data);
  const ResultHandle handle = make_result();
  Batch batch;
  hushbit_error error = {};
  hushbit_status status = HUSHBIT_OK;
  {
    py::gil_scoped_release release;
    batch.text.reserve(texts.bytes());
    for (size_t i = 0; i < texts.count() && status == HUSHBIT_OK; ++i) {
      const std::string_view text = texts[i];
      hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
      status = hushbit_privatize(handle_.get(), text.data(), text.size(), handle.get(), &error);
      if (status == HUSHBIT_OK) status = hushbit_result_get_cost(handle.get(), &cost, &error);
      if (status == HUSHBIT_OK) batch.add(handle.get(), cost);
    }
  }
  return py::make_tuple(py::cast(std::move(batch)), status == HUSHBIT_OK
                                                        ? py::none()
                                                        : py::object(error_of(status, error.message, error.position)));
}

void bind_privatizer(py::module_& module) {
  py::class_<Result>(module, "Result")
      .def_property_readonly("text", [](const Result& result) { return py::bytes(result.text); })
      .def_property_readonly("tokens", [](const Result& result) { return py::cast(result.tokens); })
      .def_property_readonly("rows", &rows)
      .def_readonly("cost", &Result::cost);
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
                    const std::optional<std::string>&, bool>(),
           py::arg("bundle"), py::kw_only(), py::arg("mechanism") = py::none(), py::arg("epsilon") = py::none(),
           py::arg("beta") = py::none(), py::arg("oov") = py::none(), py::arg("punctuation") = py::none(),
           py::arg("mask") = py::none(), py::arg("device_key") = py::none(), py::arg("epoch") = py::none(),
           py::arg("budget") = py::none(), py::arg("audit_log") = py::none(), py::arg("search") = py::none(),
           py::arg("crowd_size") = py::none(), py::arg("allow_unchanged") = false)
      .def("info", &Privatizer::info)
      .def("privatize", &Privatizer::privatize, py::arg("text"))
      .def("privatize_lines", &Privatizer::privatize_lines, py::arg("lines"))
      .def("privatize_batch", &Privatizer::privatize_batch, py::arg("offsets"), py::arg("data"));
}

}  // namespace hushbit::python
