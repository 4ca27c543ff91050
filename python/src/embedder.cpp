#include "embedder.h"

#include "batches.h"

namespace hushbit::python {
namespace {

py::object error_or_none(hushbit_status status, const hushbit_error& error) {
  return status == HUSHBIT_OK ? py::none() : py::object(error_of(status, error.message, error.position));
}

}  // namespace

py::tuple Embedder::embed_lines(const std::vector<py::bytes>& lines) const {
  std::vector<std::string_view> texts(lines.begin(), lines.end());
  const ResultHandle scratch = make_result();
  std::vector<hushbit_embedding> embeddings;
  embeddings.reserve(texts.size());
  hushbit_error error = {};
  hushbit_status status = HUSHBIT_OK;
  {
    py::gil_scoped_release release;
    for (const std::string_view text : texts) {
      hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
      status = hushbit_embed(handle_.get(), text.data(), text.size(), scratch.get(), &embedding, &error);
      if (status != HUSHBIT_OK) break;
      embeddings.push_back(embedding);
    }
  }
  return py::make_tuple(py::cast(embeddings), error_or_none(status, error));
}

py::tuple Embedder::embed_batch(const OffsetArray& offsets, const py::buffer& data) const {
  const Texts texts(offsets, data);
  const ResultHandle scratch = make_result();
  std::vector<uint32_t> indexes;
  hushbit_error error = {};
  hushbit_status status = HUSHBIT_OK;
  {
    py::gil_scoped_release release;
    indexes.reserve(texts.count());
    for (size_t i = 0; i < texts.count() && status == HUSHBIT_OK; ++i) {
      hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
      const std::string_view text = texts[i];
      status = hushbit_embed(handle_.get(), text.data(), text.size(), scratch.get(), &embedding, &error);
      if (status == HUSHBIT_OK) indexes.push_back(embedding.index);
    }
  }
  return py::make_tuple(IdArray(static_cast<py::ssize_t>(indexes.size()), indexes.data()),
                        error_or_none(status, error));
}

py::tuple Embedder::embed_vectors(const FloatArray& rows) const {
  if (rows.ndim() != 2) raise_invalid_argument("vectors must be float32 of shape (vectors, numbers)");
  const auto count = static_cast<size_t>(rows.shape(0)), numbers = static_cast<size_t>(rows.shape(1));
  const float* const first = rows.data();
  const ResultHandle scratch = make_result();
  std::vector<uint32_t> indexes;
  hushbit_error error = {};
  hushbit_status status = HUSHBIT_OK;
  {
    py::gil_scoped_release release;
    indexes.reserve(count);
    for (size_t i = 0; i < count && status == HUSHBIT_OK; ++i) {
      hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
      status = hushbit_embed_vector(handle_.get(), first + i * numbers, numbers, scratch.get(), &embedding, &error);
      if (status == HUSHBIT_OK) indexes.push_back(embedding.index);
    }
  }
  return py::make_tuple(IdArray(static_cast<py::ssize_t>(indexes.size()), indexes.data()),
                        error_or_none(status, error));
}

py::tuple Embedder::nearest_words(const DoubleArray& direction, size_t k) const {
  // What is asked for is checked by the core; only the arrays must exist.
  const size_t room = std::min<size_t>(k, 1 << 24);
  IdArray ids(room);
  py::array_t<double> cosines(static_cast<py::ssize_t>(room));
  uint32_t* const out = ids.mutable_data();
  double* const out_cosines = cosines.mutable_data();
  checked([&](hushbit_error* error) {
    return hushbit_embedder_nearest_words(handle_.get(), direction.data(), static_cast<size_t>(direction.size()), k,
                                          out, out_cosines, error);
  });
  return py::make_tuple(ids, cosines);
}

void bind_embedder(py::module_& module) {
  py::class_<hushbit_embedder_info>(module, "EmbedderInfo")
      .def_readonly("requested_epsilon", &hushbit_embedder_info::requested_epsilon)
      .def_readonly("effective_epsilon", &hushbit_embedder_info::effective_epsilon)
      .def_readonly("dimensions", &hushbit_embedder_info::dimensions)
      .def_readonly("directions", &hushbit_embedder_info::directions)
      .def_readonly("seed", &hushbit_embedder_info::seed)
      .def_readonly("crowd_directions", &hushbit_embedder_info::crowd_directions)
      .def_readonly("crowd_threshold", &hushbit_embedder_info::crowd_threshold)
      .def_readonly("crowd_probability", &hushbit_embedder_info::crowd_probability)
      .def_property_readonly("clamped", [](const hushbit_embedder_info& info) { return info.clamped != 0; })
      .def_property_readonly("memoized", [](const hushbit_embedder_info& info) { return info.memoized != 0; })
      .def_readonly("input_numbers", &hushbit_embedder_info::input_numbers)
      .def_property_readonly("hash", [](const hushbit_embedder_info& info) { return to_bytes(info.hash, 32); });
  py::class_<hushbit_embedding>(module, "Embedding")
      .def_readonly("index", &hushbit_embedding::index)
      .def_readonly("signs", &hushbit_embedding::signs)
      .def_readonly("dimensions", &hushbit_embedding::dimensions)
      .def_readonly("epsilon", &hushbit_embedding::epsilon);
  py::class_<Embedder>(module, "Embedder")
      .def(py::init<const Bundle&, std::optional<double>, const std::optional<std::string>&,
                    const std::optional<py::bytes>&, std::optional<uint64_t>, const Budget*,
                    const std::optional<std::string>&>(),
           py::arg("bundle"), py::kw_only(), py::arg("epsilon") = py::none(), py::arg("punctuation") = py::none(),
           py::arg("device_key") = py::none(), py::arg("epoch") = py::none(), py::arg("budget") = py::none(),
           py::arg("audit_log") = py::none())
      .def(py::init<const py::bytes&, std::optional<double>, const std::optional<py::bytes>&, std::optional<uint64_t>,
                    const Budget*, const std::optional<std::string>&>(),
           py::arg("projection"), py::kw_only(), py::arg("epsilon") = py::none(), py::arg("device_key") = py::none(),
           py::arg("epoch") = py::none(), py::arg("budget") = py::none(), py::arg("audit_log") = py::none())
      .def("info", &Embedder::info)
      .def("directions", &Embedder::directions)
      .def("embed", &Embedder::embed, py::arg("text"))
      .def("embed_lines", &Embedder::embed_lines, py::arg("lines"))
      .def("embed_batch", &Embedder::embed_batch, py::arg("offsets"), py::arg("data"))
      .def("embed_vector", &Embedder::embed_vector, py::arg("numbers"))
      .def("embed_vectors", &Embedder::embed_vectors, py::arg("rows"))
      .def("nearest_words", &Embedder::nearest_words, py::arg("direction"), py::arg("k"));
  py::class_<Classifier>(module, "Classifier")
      .def(py::init<const Embedder&, const py::bytes&>(), py::arg("embedder"), py::arg("weights"))
      .def("classes", &Classifier::classes)
      .def("classify", &Classifier::classify, py::arg("text"))
      .def("classify_vector", &Classifier::classify_vector, py::arg("numbers"));
}

}  // namespace hushbit::python
