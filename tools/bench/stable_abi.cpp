// What hushbit._core does in its most frequent calls, bound by pybind11 (with BENCH_PYBIND11) or by
// nanobind, for tools/bench/stable_abi.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hushbit/hushbit.h"

#if defined(BENCH_PYBIND11)
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
namespace py = pybind11;
using Offsets = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;
#define BENCH_MODULE PYBIND11_MODULE
#define READ_ONLY def_property_readonly
#define FIELD def_readonly
#define STEAL py::reinterpret_steal<py::object>
#else
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace py = nanobind;
using Offsets = py::ndarray<const int64_t, py::ndim<1>, py::c_contig, py::device::cpu>;
#define BENCH_MODULE NB_MODULE
#define READ_ONLY def_prop_ro
#define FIELD def_ro
#define STEAL py::steal<py::object>
#endif

namespace {

void check(hushbit_status status, const hushbit_error& error) {
  if (status != HUSHBIT_OK) throw std::runtime_error(error.message);
}

std::string_view view_of(const py::bytes& bytes) {
  return {PyBytes_AsString(bytes.ptr()), static_cast<size_t>(PyBytes_Size(bytes.ptr()))};
}

py::object steal(PyObject* made) { return STEAL(made); }

struct Result {
  std::string text;
  std::vector<hushbit_token> tokens;
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
};

class Privatizer {
 public:
  Privatizer(const char* path, double epsilon) {
    hushbit_error error = {};
    check(hushbit_bundle_open(path, &bundle_, &error), error);
    hushbit_options options = {.struct_size = sizeof(hushbit_options)};
    check(hushbit_options_init(bundle_, &options, &error), error);
    options.epsilon = epsilon;
    check(hushbit_privatizer_create(bundle_, &options, &handle_, &error), error);
  }
  Privatizer(const Privatizer&) = delete;
  Privatizer& operator=(const Privatizer&) = delete;
  ~Privatizer() {
    hushbit_privatizer_close(handle_);
    hushbit_bundle_close(bundle_);
  }

  Result privatize(const py::bytes& bytes) const {
    const std::string_view text = view_of(bytes);
    hushbit_result* handle = nullptr;
    hushbit_error error = {};
    check(hushbit_result_create(&handle, &error), error);
    Result result;
    hushbit_status status = HUSHBIT_OK;
    {
      py::gil_scoped_release release;
      status = hushbit_privatize(handle_, text.data(), text.size(), handle, &error);
      if (status == HUSHBIT_OK) {
        size_t length = 0, count = 0;
        const char* output = hushbit_result_text(handle, &length);
        result.text.assign(output, length);
        const hushbit_token* first = hushbit_result_tokens(handle, &count);
        result.tokens.assign(first, first + count);
        status = hushbit_result_get_cost(handle, &result.cost, &error);
      }
    }
    hushbit_result_destroy(handle);
    check(status, error);
    return result;
  }

  // The texts data[offsets[i] .. offsets[i + 1]), joined: one object of Python's for all.
  py::object privatize_batch(const Offsets& offsets, const py::bytes& bytes) const {
    const std::string_view data = view_of(bytes);
    hushbit_result* handle = nullptr;
    hushbit_error error = {};
    check(hushbit_result_create(&handle, &error), error);
    std::string joined;
    {
      py::gil_scoped_release release;
      for (size_t i = 0; i + 1 < static_cast<size_t>(offsets.shape(0)); ++i) {
        const auto begin = static_cast<size_t>(offsets.data()[i]), end = static_cast<size_t>(offsets.data()[i + 1]);
        if (hushbit_privatize(handle_, data.data() + begin, end - begin, handle, &error) != HUSHBIT_OK) break;
        size_t length = 0;
        const char* output = hushbit_result_text(handle, &length);
        joined.append(output, length);
      }
    }
    hushbit_result_destroy(handle);
    return steal(PyBytes_FromStringAndSize(joined.data(), static_cast<Py_ssize_t>(joined.size())));
  }

 private:
  hushbit_bundle* bundle_ = nullptr;
  hushbit_privatizer* handle_ = nullptr;
};

py::object rows(const Result& result) {
  py::list rows;
  for (const hushbit_token& token : result.tokens) {
    const py::object word =
        steal(PyUnicode_DecodeUTF8(result.text.data() + token.output_begin,
                                   static_cast<Py_ssize_t>(token.output_end - token.output_begin), nullptr));
    rows.append(py::make_tuple("word", token.byte_begin, token.byte_end, token.utf16_begin, token.utf16_end, word));
  }
  return rows;
}

}  // namespace

BENCH_MODULE(BENCH_NAME, module) {
  module.def("nothing", [](const py::bytes& text) { return view_of(text).size(); });
  py::class_<hushbit_cost>(module, "Cost")
      .FIELD("epsilon", &hushbit_cost::epsilon)
      .FIELD("average", &hushbit_cost::average)
      .FIELD("worst_case", &hushbit_cost::worst_case)
      .FIELD("words", &hushbit_cost::words)
      .FIELD("unknown", &hushbit_cost::unknown)
      .FIELD("dropped", &hushbit_cost::dropped)
      .FIELD("verbatim", &hushbit_cost::verbatim)
      .FIELD("public_words", &hushbit_cost::public_words);
  py::class_<Result>(module, "Result")
      .READ_ONLY(
          "text",
          [](const Result& result) {
            return steal(PyBytes_FromStringAndSize(result.text.data(), static_cast<Py_ssize_t>(result.text.size())));
          })
      .READ_ONLY("rows", &rows)
      .FIELD("cost", &Result::cost);
  py::class_<Privatizer>(module, "Privatizer")
      .def(py::init<const char*, double>())
      .def("privatize", &Privatizer::privatize)
      .def("privatize_batch", &Privatizer::privatize_batch);
}
