#include "bundle.h"

namespace hushbit::python {

void bind_bundle(py::module_& module) {
  py::class_<Bundle>(module, "Bundle")
      .def_static("open", &Bundle::open, py::arg("path"))
      .def_static("open_fd", &Bundle::open_fd, py::arg("fd"), py::arg("offset"), py::arg("length"))
      .def_static("from_bytes", &Bundle::from_bytes, py::arg("data"))
      .def("info", &Bundle::info)
      .def("default_options", &Bundle::default_options)
      .def("meta", &Bundle::meta)
      .def("sections", &Bundle::sections)
      .def("verify", &Bundle::verify)
      .def("find", &Bundle::find, py::arg("word"))
      .def("word", &Bundle::word, py::arg("id"))
      .def("output_words", &Bundle::output_words)
      .def("stand_ins", &Bundle::stand_ins, py::arg("ids"))
      .def("codes", &Bundle::codes, py::arg("ids"))
      .def("nearest", &Bundle::nearest, py::arg("codes"))
      .def("neighbors", &Bundle::neighbors, py::arg("code"), py::arg("k"))
      .def("farthest", &Bundle::farthest, py::arg("first"), py::arg("last"), py::arg("floor"))
      .def("tokenize", &Bundle::tokenize, py::arg("text"));
}

}  // namespace hushbit::python
