// What the bindings share: errors, calls without the interpreter lock, result handles.
#ifndef HUSHBIT_PYTHON_SUPPORT_H_
#define HUSHBIT_PYTHON_SUPPORT_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushbit/hushbit.h"

namespace hushbit::python {

namespace py = pybind11;

using CodeArray = py::array_t<uint8_t, py::array::c_style | py::array::forcecast>;
using OffsetArray = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;
using IdArray = py::array_t<uint32_t, py::array::c_style | py::array::forcecast>;

// Each adds its part to the module.
void bind_records(py::module_& module);
void bind_bundle(py::module_& module);
void bind_budget(py::module_& module);  // before the privatizer, which takes one
void bind_privatizer(py::module_& module);
void bind_embedder(py::module_& module);  // the same
void bind_reporter(py::module_& module);
void bind_analysis(py::module_& module);  // the same

// "major.minor.update" of a packed Unicode version.
std::string unpack_unicode_version(uint32_t version);
const char* token_kind_name(hushbit_token_kind kind);

// The exception of a failure, not raised.
inline py::object error_of(hushbit_status status, std::string_view message, uint64_t position) {
  const py::object from_status = py::module_::import("hushbit.errors").attr("from_status");
  // A message can quote a path, which need not be UTF-8.
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeFSDefaultAndSize(message.data(), static_cast<Py_ssize_t>(message.size())));
  if (!text) throw py::error_already_set();
  return from_status(static_cast<int>(status), text, position);
}

[[noreturn]] inline void raise_error(hushbit_status status, std::string_view message, uint64_t position) {
  const py::object exception = error_of(status, message, position);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

[[noreturn]] inline void raise_invalid_argument(std::string_view message) {
  raise_error(HUSHBIT_INVALID_ARGUMENT, message, 0);
}

// Runs a call of the core without the interpreter lock and raises what it reports.
template <typename Call>
void checked(Call call) {
  hushbit_error error = {};
  hushbit_status status;
  {
    py::gil_scoped_release release;
    status = call(&error);
  }
  if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
}

inline py::bytes to_bytes(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

// Text that came out of a bundle; UnicodeDecodeError if it is not UTF-8.
inline py::object to_text(std::string_view text) {
  auto decoded = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
  if (!decoded) throw py::error_already_set();
  return decoded;
}

inline py::list copy_tokens(const hushbit_result* handle) {
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(handle, &count);
  py::list list(count);
  for (size_t i = 0; i < count; ++i) list[i] = py::cast(tokens[i]);
  return list;
}

using ResultHandle = std::unique_ptr<hushbit_result, decltype(&hushbit_result_destroy)>;

inline ResultHandle make_result() {
  hushbit_result* result = nullptr;
  checked([&](hushbit_error* error) { return hushbit_result_create(&result, error); });
  return {result, hushbit_result_destroy};
}

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_SUPPORT_H_
