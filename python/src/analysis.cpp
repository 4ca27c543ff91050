// What mechanisms do, apart from any text: native/include/hushbit/analysis.h for Python.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bundle.h"
#include "embedder.h"
#include "hushbit/hushbit.h"
#include "names.h"
#include "privatizer.h"
#include "support.h"

namespace hushbit::python {
namespace {

py::array_t<bool> is_public(const Bundle& bundle, const IdArray& words) {
  const auto count = static_cast<size_t>(words.size());
  std::vector<uint8_t> found(count);
  checked([&](hushbit_error* error) {
    return hushbit_bundle_is_public(bundle.handle(), words.data(), count, found.data(), error);
  });
  py::array_t<bool> listed(words.size());
  std::copy(found.begin(), found.end(), listed.mutable_data());
  return listed;
}

py::array_t<uint64_t> weights(const Privatizer& privatizer) {
  py::array_t<uint64_t> weights(static_cast<py::ssize_t>(privatizer.bits() + 1));
  uint64_t* const out = weights.mutable_data();
  checked([&](hushbit_error* error) { return hushbit_privatizer_weights(privatizer.handle(), out, error); });
  return weights;
}

// Word, share and weight of each member.
IdArray crowd(const Privatizer& privatizer, uint32_t word) {
  uint32_t count = 0;
  std::vector<hushbit_crowd_member> members(privatizer.info().output_words);
  checked([&](hushbit_error* error) {
    return hushbit_privatizer_crowd(privatizer.handle(), word, members.data(), static_cast<uint32_t>(members.size()),
                                    &count, error);
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
IdArray output_weights(const Privatizer& privatizer) {
  const uint32_t words = privatizer.words();
  IdArray weights(words);
  uint32_t* const out = weights.mutable_data();
  checked([&](hushbit_error* error) {
    for (uint32_t word = 0; word < words; ++word) {
      const hushbit_status status = hushbit_privatizer_output_weight(privatizer.handle(), word, &out[word], error);
      if (status != HUSHBIT_OK) return status;
    }
    return HUSHBIT_OK;
  });
  return weights;
}

IdArray distance_counts(const Bundle& bundle, const CodeArray& codes) {
  const size_t count = bundle.require_codes(codes);
  IdArray counts({count, bundle.code_bytes() * 8 + 1});
  uint32_t* const out = counts.mutable_data();
  checked([&](hushbit_error* error) {
    return hushbit_bundle_distance_counts(bundle.handle(), codes.data(), count, out, error);
  });
  return counts;
}

VectorArray text_vectors(const Embedder& embedder, const std::vector<py::bytes>& texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const size_t dimensions = embedder.info().dimensions;
  VectorArray vectors({views.size(), dimensions});
  int64_t* const out = vectors.mutable_data();
  checked([&](hushbit_error* error) {
    for (size_t i = 0; i < views.size(); ++i) {
      const hushbit_status status = hushbit_embedder_text_vector(embedder.handle(), views[i].data(), views[i].size(),
                                                                 out + i * dimensions, error);
      if (status != HUSHBIT_OK) return status;
    }
    return HUSHBIT_OK;
  });
  return vectors;
}

VectorArray project(const Embedder& embedder, const FloatArray& rows) {
  if (rows.ndim() != 2) raise_invalid_argument("vectors must be float32 of shape (vectors, numbers)");
  const auto count = static_cast<size_t>(rows.shape(0)), numbers = static_cast<size_t>(rows.shape(1));
  const size_t dimensions = embedder.info().dimensions;
  const float* const first = rows.data();
  VectorArray vectors({count, dimensions});
  int64_t* const out = vectors.mutable_data();
  checked([&](hushbit_error* error) {
    for (size_t i = 0; i < count; ++i) {
      const hushbit_status status =
          hushbit_embedder_project(embedder.handle(), first + i * numbers, numbers, out + i * dimensions, error);
      if (status != HUSHBIT_OK) return status;
    }
    return HUSHBIT_OK;
  });
  return vectors;
}

IdArray text_crowd(const Embedder& embedder, const VectorArray& vector) {
  const int64_t* const numbers = one_vector(embedder, vector);
  IdArray indexes(embedder.info().crowd_directions);
  uint32_t* const out = indexes.mutable_data();
  checked([&](hushbit_error* error) { return hushbit_embedder_crowd(embedder.handle(), numbers, out, error); });
  return indexes;
}

std::vector<hushbit_nearest> search(const Bundle& bundle, const CodeArray& codes, const std::string& name, double flips,
                                    hushbit_search_work* work) {
  std::vector<hushbit_nearest> nearest(bundle.require_codes(codes));
  const uint32_t way = search_of(name);
  checked([&](hushbit_error* error) {
    return hushbit_bundle_search(bundle.handle(), way, flips, codes.data(), nearest.size(), nearest.data(), work,
                                 error);
  });
  return nearest;
}

py::tuple nearest(const Bundle& bundle, const CodeArray& codes, const std::string& name, std::optional<double> flips) {
  return columns_of(search(bundle, codes, name, flips.value_or(NAN), nullptr));
}

hushbit_search_work search_work(const Bundle& bundle, const CodeArray& codes, const std::string& name) {
  hushbit_search_work work = {};
  search(bundle, codes, name, NAN, &work);
  return work;
}

void bind_search(py::module_& module) {
  py::class_<hushbit_search_work>(module, "SearchWork")
      .def_readonly("rows", &hushbit_search_work::rows)
      .def_readonly("clusters", &hushbit_search_work::clusters)
      .def_readonly("tiles", &hushbit_search_work::tiles)
      .def_readonly("planes", &hushbit_search_work::planes)
      .def_readonly("lookups", &hushbit_search_work::lookups)
      .def_readonly("entries", &hushbit_search_work::entries)
      .def_readonly("blocks", &hushbit_search_work::blocks)
      .def_readonly("fallbacks", &hushbit_search_work::fallbacks);
  module.def("nearest", &nearest, py::arg("bundle"), py::arg("codes"), py::arg("search") = "auto",
             py::arg("expected_flips") = py::none());
  module.def("search_work", &search_work, py::arg("bundle"), py::arg("codes"), py::arg("search"));
  module.def("distance_counts", &distance_counts, py::arg("bundle"), py::arg("codes"));
}

}  // namespace

void bind_analysis(py::module_& module) {
  bind_search(module);
  module.def("is_public", &is_public, py::arg("bundle"), py::arg("words"));
  module.def("weights", &weights, py::arg("privatizer"));
  module.def("crowd", &crowd, py::arg("privatizer"), py::arg("word"));
  module.def("output_weights", &output_weights, py::arg("privatizer"));
  module.def("text_vectors", &text_vectors, py::arg("embedder"), py::arg("texts"));
  module.def("project", &project, py::arg("embedder"), py::arg("rows"));
  module.def("text_crowd", &text_crowd, py::arg("embedder"), py::arg("vector"));
}

}  // namespace hushbit::python
