// hushbit._core_testing: seeded randomness for Python, apart from the module that privatizes. The stubs in
// python/hushbit/_core_testing.pyi are its documentation.
//
// Functions over the classes of _core, which both modules know by their names in C++. Each module links the core for
// itself; the core has no state of its own, so that what one has made, the other may use.
#include "hushbit/testing.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "embedder.h"
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

py::bytes keystream(const py::bytes& seed, uint64_t offset, size_t size) {
  const uint8_t* const key = key_bytes(seed, "a seed");
  std::string out(size, '\0');
  hushbit_testing_keystream(key, offset, reinterpret_cast<uint8_t*>(out.data()), size);
  return out;
}

void set_clock(const Budget& budget, int64_t seconds) { hushbit_testing_budget_set_clock(budget.handle(), seconds); }

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

void bind_seeded(py::module_& module) {
  py::class_<SeededResult, Result>(module, "SeededResult").def_property_readonly("noisy_codes", &noisy_codes);
  module.def("privatize", &privatize, py::arg("privatizer"), py::arg("text"), py::arg("seed"));
  module.def("replace", &replace, py::arg("privatizer"), py::arg("words"), py::arg("seed") = py::none());
  module.def("keystream", &keystream, py::arg("seed"), py::arg("offset"), py::arg("size"));
  module.def("set_clock", &set_clock, py::arg("budget"), py::arg("seconds"));
}

void bind_embeddings(py::module_& module) {
  module.def("embed", &embed, py::arg("embedder"), py::arg("text"), py::arg("seed"));
  module.def("embed_vector", &embed_vector, py::arg("embedder"), py::arg("numbers"), py::arg("seed"));
  module.def("draw_directions", &draw_directions, py::arg("embedder"), py::arg("vector"), py::arg("count"),
             py::arg("seed") = py::none());
}

}  // namespace
}  // namespace hushbit::python

PYBIND11_MODULE(_core_testing, module) {
  using namespace hushbit::python;
  module.doc() = "Seeded randomness for hushbit; see _core_testing.pyi.";
  py::module_::import("hushbit._core");  // has the classes that these functions take
  bind_seeded(module);
  bind_embeddings(module);
  bind_reports(module);
}
