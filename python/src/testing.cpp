// hushbit._core_testing: seeded randomness and analysis for Python, apart from the module that privatizes. The stubs in
// python/hushbit/_core_testing.pyi are its documentation.
//
// Functions over the classes of _core, which both modules know by their names in C++. Each module links the core for
// itself; the core has no state of its own, so that what one has made, the other may use.
#include "hushbit/testing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "embedder.h"
#include "names.h"
#include "privatizer.h"
#include "reporter.h"
#include "support.h"

namespace hushbit::python {
namespace {

using Seed = std::optional<py::bytes>;

// NULL, which stands for the operating system's randomness, without a seed.
const uint8_t* seed_bytes(const Seed& seed) { return seed ? key_bytes(*seed, "a seed") : nullptr; }

struct SeededResult : Result {
  std::string noisy_codes;  // rows of code_bytes
  size_t code_bytes = 0;
};

SeededResult privatize(const Privatizer& privatizer, const py::bytes& text, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const std::string_view view = text;
  const ResultHandle handle = make_result();
  SeededResult result;
  checked([&](hushbit_error* error) {
    const hushbit_status status =
        hushbit_testing_privatize(privatizer.handle(), key, view.data(), view.size(), handle.get(), error);
    if (status != HUSHBIT_OK) return status;
    size_t count = 0;
    const uint8_t* noisy = hushbit_testing_noisy_codes(handle.get(), &count, &result.code_bytes);
    if (count > 0) result.noisy_codes.assign(reinterpret_cast<const char*>(noisy), count * result.code_bytes);
    return result.copy(handle.get(), error);
  });
  return result;
}

CodeArray noisy_codes(const SeededResult& result) {
  const size_t count = result.code_bytes == 0 ? 0 : result.noisy_codes.size() / result.code_bytes;
  CodeArray codes({count, result.code_bytes});
  std::memcpy(codes.mutable_data(), result.noisy_codes.data(), result.noisy_codes.size());
  return codes;
}

IdArray replace(const Privatizer& privatizer, const IdArray& words, const Seed& seed) {
  if (words.ndim() != 1) raise_invalid_argument("word ids must be uint32 of shape (count,)");
  const uint8_t* const key = seed_bytes(seed);
  const auto count = static_cast<size_t>(words.size());
  IdArray outputs(words.size());
  uint32_t* const out = outputs.mutable_data();
  checked([&](hushbit_error* error) {
    return hushbit_testing_replace(privatizer.handle(), key, words.data(), count, out, error);
  });
  return outputs;
}

py::array_t<bool> is_public(const Bundle& bundle, const IdArray& words) {
  const auto count = static_cast<size_t>(words.size());
  std::vector<uint8_t> found(count);
  checked([&](hushbit_error* error) {
    return hushbit_testing_is_public(bundle.handle(), words.data(), count, found.data(), error);
  });
  py::array_t<bool> listed(words.size());
  std::copy(found.begin(), found.end(), listed.mutable_data());
  return listed;
}

py::bytes keystream(const py::bytes& seed, uint64_t offset, size_t size) {
  const uint8_t* const key = key_bytes(seed, "a seed");
  std::string out(size, '\0');
  hushbit_testing_keystream(key, offset, reinterpret_cast<uint8_t*>(out.data()), size);
  return out;
}

void set_clock(const Budget& budget, int64_t seconds) { hushbit_testing_budget_set_clock(budget.handle(), seconds); }

py::array_t<uint64_t> weights(const Privatizer& privatizer) {
  py::array_t<uint64_t> weights(static_cast<py::ssize_t>(privatizer.bits() + 1));
  uint64_t* const out = weights.mutable_data();
  checked([&](hushbit_error* error) { return hushbit_testing_weights(privatizer.handle(), out, error); });
  return weights;
}

// Word, share and weight of each member.
IdArray crowd(const Privatizer& privatizer, uint32_t word) {
  uint32_t count = 0;
  std::vector<hushbit_crowd_member> members(privatizer.info().output_words);
  checked([&](hushbit_error* error) {
    return hushbit_testing_crowd(privatizer.handle(), word, members.data(), static_cast<uint32_t>(members.size()),
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
      const hushbit_status status = hushbit_testing_output_weight(privatizer.handle(), word, &out[word], error);
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
    return hushbit_testing_distance_counts(bundle.handle(), codes.data(), count, out, error);
  });
  return counts;
}

hushbit_embedding embed(const Embedder& embedder, const py::bytes& text, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const std::string_view view = text;
  const ResultHandle scratch = make_result();
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  checked([&](hushbit_error* error) {
    return hushbit_testing_embed(embedder.handle(), key, view.data(), view.size(), scratch.get(), &embedding, error);
  });
  return embedding;
}

using VectorArray = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

VectorArray text_vectors(const Embedder& embedder, const std::vector<py::bytes>& texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const size_t dimensions = embedder.info().dimensions;
  VectorArray vectors({views.size(), dimensions});
  int64_t* const out = vectors.mutable_data();
  checked([&](hushbit_error* error) {
    for (size_t i = 0; i < views.size(); ++i) {
      const hushbit_status status =
          hushbit_testing_text_vector(embedder.handle(), views[i].data(), views[i].size(), out + i * dimensions, error);
      if (status != HUSHBIT_OK) return status;
    }
    return HUSHBIT_OK;
  });
  return vectors;
}

hushbit_embedding embed_vector(const Embedder& embedder, const FloatArray& numbers, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const float* const first = numbers.data();
  const auto count = static_cast<size_t>(numbers.size());
  const ResultHandle scratch = make_result();
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  checked([&](hushbit_error* error) {
    return hushbit_testing_embed_vector(embedder.handle(), key, first, count, scratch.get(), &embedding, error);
  });
  return embedding;
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
          hushbit_testing_project(embedder.handle(), first + i * numbers, numbers, out + i * dimensions, error);
      if (status != HUSHBIT_OK) return status;
    }
    return HUSHBIT_OK;
  });
  return vectors;
}

const int64_t* one_vector(const Embedder& embedder, const VectorArray& vector) {
  if (static_cast<uint32_t>(vector.size()) != embedder.info().dimensions) {
    raise_invalid_argument("a vector must have as many numbers as the embedder has dimensions");
  }
  return vector.data();
}

IdArray draw_directions(const Embedder& embedder, const VectorArray& vector, size_t count, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const int64_t* const numbers = one_vector(embedder, vector);
  IdArray indexes(count);
  uint32_t* const out = indexes.mutable_data();
  checked([&](hushbit_error* error) {
    return hushbit_testing_draw_directions(embedder.handle(), key, numbers, count, out, error);
  });
  return indexes;
}

IdArray text_crowd(const Embedder& embedder, const VectorArray& vector) {
  const int64_t* const numbers = one_vector(embedder, vector);
  IdArray indexes(embedder.info().crowd_directions);
  uint32_t* const out = indexes.mutable_data();
  checked([&](hushbit_error* error) { return hushbit_testing_text_crowd(embedder.handle(), numbers, out, error); });
  return indexes;
}

std::vector<hushbit_nearest> search(const Bundle& bundle, const CodeArray& codes, const std::string& name, double flips,
                                    hushbit_search_work* work) {
  std::vector<hushbit_nearest> nearest(bundle.require_codes(codes));
  const uint32_t way = search_of(name);
  checked([&](hushbit_error* error) {
    return hushbit_testing_search(bundle.handle(), way, flips, codes.data(), nearest.size(), nearest.data(), work,
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

hushbit_report report(const Reporter& reporter, const py::bytes& text, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const std::string_view view = text;
  return Reporter::reported([&](hushbit_report* report, hushbit_error* error) {
    return hushbit_testing_report_text(reporter.handle(), key, view.data(), view.size(), report, error);
  });
}

hushbit_report report_value(const Reporter& reporter, uint32_t value, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  return Reporter::reported([&](hushbit_report* report, hushbit_error* error) {
    return hushbit_testing_report_value(reporter.handle(), key, value, report, error);
  });
}

hushbit_report report_word(const Reporter& reporter, const py::bytes& word, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const std::string_view view = word;
  return Reporter::reported([&](hushbit_report* report, hushbit_error* error) {
    return hushbit_testing_report_word(reporter.handle(), key, view.data(), view.size(), report, error);
  });
}

ReportArray draw_reports(const Reporter& reporter, const IdArray& values, const Seed& seed) {
  const uint8_t* const key = seed_bytes(seed);
  const auto count = static_cast<size_t>(values.size());
  ReportArray reports(values.size());
  uint64_t* const out = reports.mutable_data();
  checked([&](hushbit_error* error) {
    return hushbit_testing_draw_reports(reporter.handle(), key, values.data(), count, out, error);
  });
  return reports;
}

void bind_reports(py::module_& module) {
  module.def("report", &report, py::arg("reporter"), py::arg("text"), py::arg("seed"));
  module.def("report_value", &report_value, py::arg("reporter"), py::arg("value"), py::arg("seed"));
  module.def("report_word", &report_word, py::arg("reporter"), py::arg("word"), py::arg("seed"));
  module.def("draw_reports", &draw_reports, py::arg("reporter"), py::arg("values"), py::arg("seed") = py::none());
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

void bind_seeded(py::module_& module) {
  py::class_<SeededResult, Result>(module, "SeededResult").def_property_readonly("noisy_codes", &noisy_codes);
  module.def("privatize", &privatize, py::arg("privatizer"), py::arg("text"), py::arg("seed"));
  module.def("replace", &replace, py::arg("privatizer"), py::arg("words"), py::arg("seed") = py::none());
  module.def("is_public", &is_public, py::arg("bundle"), py::arg("words"));
  module.def("keystream", &keystream, py::arg("seed"), py::arg("offset"), py::arg("size"));
  module.def("set_clock", &set_clock, py::arg("budget"), py::arg("seconds"));
}

void bind_embeddings(py::module_& module) {
  module.def("embed", &embed, py::arg("embedder"), py::arg("text"), py::arg("seed"));
  module.def("text_vectors", &text_vectors, py::arg("embedder"), py::arg("texts"));
  module.def("embed_vector", &embed_vector, py::arg("embedder"), py::arg("numbers"), py::arg("seed"));
  module.def("project", &project, py::arg("embedder"), py::arg("rows"));
  module.def("draw_directions", &draw_directions, py::arg("embedder"), py::arg("vector"), py::arg("count"),
             py::arg("seed") = py::none());
  module.def("text_crowd", &text_crowd, py::arg("embedder"), py::arg("vector"));
}

}  // namespace
}  // namespace hushbit::python

PYBIND11_MODULE(_core_testing, module) {
  using namespace hushbit::python;
  module.doc() = "Seeded randomness and analysis for hushbit; see _core_testing.pyi.";
  py::module_::import("hushbit._core");  // has the classes that these functions take
  bind_search(module);
  bind_seeded(module);
  bind_embeddings(module);
  bind_reports(module);
  module.def("weights", &weights, py::arg("privatizer"));
  module.def("crowd", &crowd, py::arg("privatizer"), py::arg("word"));
  module.def("output_weights", &output_weights, py::arg("privatizer"));
}
