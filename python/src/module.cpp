// hushbit._core: the C interface for Python. The stubs in python/hushbit/_core.pyi are its documentation.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushbit/hushbit.h"
#include "hushbit/testing.h"

namespace py = pybind11;

namespace {

using CodeArray = py::array_t<uint8_t, py::array::c_style | py::array::forcecast>;
using IdArray = py::array_t<uint32_t, py::array::c_style | py::array::forcecast>;

[[noreturn]] void raise_error(hushbit_status status, std::string_view message, uint64_t position) {
  const py::object from_status = py::module_::import("hushbit.errors").attr("from_status");
  const py::object exception = from_status(static_cast<int>(status), py::str(message.data(), message.size()), position);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

[[noreturn]] void raise_invalid_argument(std::string_view message) {
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

py::bytes to_bytes(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

std::string unpack_unicode_version(uint32_t version) {
  return std::to_string(version >> 16) + '.' + std::to_string(version >> 8 & 0xFF) + '.' +
         std::to_string(version & 0xFF);
}

const char* kind_name(hushbit_token_kind kind) {
  switch (kind) {
    case HUSHBIT_TOKEN_WORD: return "word";
    case HUSHBIT_TOKEN_UNKNOWN: return "unknown";
    default: return "punctuation";
  }
}

// The value that belongs to `name`, or an error that lists the names.
template <typename Value>
Value named(const char* what, const std::string& name, const std::vector<std::pair<const char*, Value>>& values) {
  std::string known;
  for (const auto& [known_name, value] : values) {
    if (name == known_name) return value;
    known += known.empty() ? known_name : std::string(", ") + known_name;
  }
  raise_invalid_argument("unknown " + std::string(what) + " '" + name + "'; known: " + known);
}

struct Result {
  py::bytes text;
  py::list tokens;
  hushbit_cost cost = {};
  CodeArray noisy_codes;
};

py::list copy_tokens(const hushbit_result* handle) {
  size_t count = 0;
  const hushbit_token* tokens = hushbit_result_tokens(handle, &count);
  py::list list(count);
  for (size_t i = 0; i < count; ++i) list[i] = py::cast(tokens[i]);
  return list;
}

using ResultHandle = std::unique_ptr<hushbit_result, decltype(&hushbit_result_destroy)>;

ResultHandle make_result() {
  hushbit_result* result = nullptr;
  checked([&](hushbit_error* error) { return hushbit_result_create(&result, error); });
  return {result, hushbit_result_destroy};
}

class Bundle {
 public:
  static std::unique_ptr<Bundle> open(const std::string& path) {
    return make([&](hushbit_bundle** out, hushbit_error* error) {
      return hushbit_bundle_open(path.c_str(), out, error);
    });
  }

  static std::unique_ptr<Bundle> open_fd(int fd, uint64_t offset, uint64_t length) {
    return make([&](hushbit_bundle** out, hushbit_error* error) {
      return hushbit_bundle_open_fd(fd, offset, length, out, error);
    });
  }

  static std::unique_ptr<Bundle> from_bytes(const py::bytes& data) {
    const std::string_view view = data;
    auto memory = std::make_shared<std::vector<uint64_t>>(view.size() / 8 + 1);
    std::memcpy(memory->data(), view.data(), view.size());
    auto bundle = make([&](hushbit_bundle** out, hushbit_error* error) {
      return hushbit_bundle_open_memory(memory->data(), view.size(), out, error);
    });
    bundle->memory_ = std::move(memory);
    return bundle;
  }

  hushbit_bundle_info info() const {
    hushbit_bundle_info info;
    hushbit_bundle_get_info(handle_.get(), &info);
    return info;
  }

  py::bytes meta() const {
    size_t length = 0;
    const char* meta = hushbit_bundle_meta(handle_.get(), &length);
    return to_bytes(meta, length);
  }

  std::vector<hushbit_section_info> sections() const {
    std::vector<hushbit_section_info> sections(hushbit_bundle_section_count(handle_.get()));
    for (uint32_t i = 0; i < sections.size(); ++i) {
      checked([&](hushbit_error* error) { return hushbit_bundle_section(handle_.get(), i, &sections[i], error); });
    }
    return sections;
  }

  void verify() const {
    checked([&](hushbit_error* error) { return hushbit_bundle_verify(handle_.get(), error); });
  }

  std::optional<uint32_t> find(const py::bytes& word) const {
    const std::string_view view = word;
    uint32_t id = 0;
    hushbit_error error = {};
    const hushbit_status status = hushbit_bundle_find(handle_.get(), view.data(), view.size(), &id, &error);
    if (status == HUSHBIT_UNKNOWN_WORD) return std::nullopt;
    if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
    return id;
  }

  py::bytes word(uint32_t id) const {
    char buffer[256];
    size_t length = 0;
    hushbit_error error = {};
    const hushbit_status status = hushbit_bundle_word(handle_.get(), id, buffer, sizeof(buffer), &length, &error);
    if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
    return to_bytes(buffer, length);
  }

  CodeArray codes(const IdArray& ids) const {
    const size_t bytes = code_bytes();
    CodeArray codes({static_cast<size_t>(ids.size()), bytes});
    uint8_t* out = codes.mutable_data();
    const uint32_t* in = ids.data();
    const auto count = static_cast<size_t>(ids.size());
    checked([&](hushbit_error* error) {
      for (size_t i = 0; i < count; ++i) {
        const hushbit_status status = hushbit_bundle_code(handle_.get(), in[i], out + i * bytes, error);
        if (status != HUSHBIT_OK) return status;
      }
      return HUSHBIT_OK;
    });
    return codes;
  }

  py::tuple nearest(const CodeArray& codes) const {
    if (codes.ndim() != 2 || static_cast<size_t>(codes.shape(1)) != code_bytes()) {
      raise_invalid_argument("codes must be uint8 of shape (count, " + std::to_string(code_bytes()) + ")");
    }
    const auto count = static_cast<size_t>(codes.shape(0));
    std::vector<hushbit_nearest> nearest(count);
    checked([&](hushbit_error* error) {
      return hushbit_bundle_nearest(handle_.get(), codes.data(), count, nearest.data(), error);
    });
    IdArray distances(count), ties(count), words(count);
    for (size_t i = 0; i < count; ++i) {
      distances.mutable_data()[i] = nearest[i].distance;
      ties.mutable_data()[i] = nearest[i].ties;
      words.mutable_data()[i] = nearest[i].word;
    }
    return py::make_tuple(distances, ties, words);
  }

  py::tuple neighbors(const CodeArray& code, size_t k) const {
    if (static_cast<size_t>(code.size()) != code_bytes()) {
      raise_invalid_argument("a code of this bundle has " + std::to_string(code_bytes()) + " bytes");
    }
    if (k > info().words) raise_invalid_argument("k is above the number of words");
    IdArray ids(k), distances(k);
    checked([&](hushbit_error* error) {
      return hushbit_bundle_neighbors(handle_.get(), code.data(), k, ids.mutable_data(), distances.mutable_data(),
                                      error);
    });
    return py::make_tuple(ids, distances);
  }

  uint32_t farthest(uint32_t first, uint32_t last, uint32_t floor) const {
    uint32_t distance = 0;
    checked([&](hushbit_error* error) {
      return hushbit_bundle_farthest(handle_.get(), first, last, floor, &distance, error);
    });
    return distance;
  }

  py::list tokenize(const py::bytes& text) const {
    const std::string_view view = text;
    const ResultHandle result = make_result();
    checked([&](hushbit_error* error) {
      return hushbit_tokenize(handle_.get(), view.data(), view.size(), result.get(), error);
    });
    return copy_tokens(result.get());
  }

  const hushbit_bundle* handle() const { return handle_.get(); }
  const std::shared_ptr<std::vector<uint64_t>>& memory() const { return memory_; }

 private:
  template <typename Open>
  static std::unique_ptr<Bundle> make(Open open) {
    auto bundle = std::make_unique<Bundle>();
    hushbit_bundle* handle = nullptr;
    checked([&](hushbit_error* error) { return open(&handle, error); });
    bundle->handle_.reset(handle);
    return bundle;
  }

  size_t code_bytes() const { return info().bits / 8; }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // outlives the handle
  std::unique_ptr<hushbit_bundle, decltype(&hushbit_bundle_close)> handle_{nullptr, hushbit_bundle_close};
};

class Privatizer {
 public:
  Privatizer(const Bundle& bundle, const std::string& mechanism, std::optional<double> epsilon, const std::string& oov,
             const std::string& punctuation, const py::bytes& mask)
      : memory_(bundle.memory()) {
    const std::string_view mask_view = mask;
    hushbit_options options;
    hushbit_options_init(bundle.handle(), &options);
    options.mechanism = named<hushbit_mechanism>("mechanism", mechanism, {{"brr", HUSHBIT_BRR}});
    if (epsilon) options.epsilon = *epsilon;
    options.oov = named<hushbit_oov_policy>("out-of-vocabulary policy", oov,
                                            {{"random", HUSHBIT_OOV_RANDOM},
                                             {"drop", HUSHBIT_OOV_DROP},
                                             {"mask", HUSHBIT_OOV_MASK},
                                             {"error", HUSHBIT_OOV_ERROR},
                                             {"verbatim-unsafe", HUSHBIT_OOV_VERBATIM_UNSAFE}});
    options.punctuation = named<hushbit_punctuation_policy>(
        "punctuation policy", punctuation,
        {{"drop", HUSHBIT_PUNCTUATION_DROP}, {"privatize", HUSHBIT_PUNCTUATION_PRIVATIZE}});
    options.mask = mask_view.data();
    options.mask_bytes = mask_view.size();
    hushbit_privatizer* handle = nullptr;
    checked([&](hushbit_error* error) {
      return hushbit_privatizer_create(bundle.handle(), &options, &handle, error);
    });
    handle_.reset(handle);
  }

  hushbit_privatizer_info info() const {
    hushbit_privatizer_info info;
    hushbit_privatizer_get_info(handle_.get(), &info);
    return info;
  }

  Result privatize(const py::bytes& text) const {
    return run(text, [this](std::string_view view, hushbit_result* result, hushbit_error* error) {
      return hushbit_privatize(handle_.get(), view.data(), view.size(), result, error);
    });
  }

  Result privatize_seeded(const py::bytes& text, const py::bytes& seed) const {
    const std::string_view key = seed;
    if (key.size() != 32) raise_invalid_argument("a seed has 32 bytes");
    return run(text, [&](std::string_view view, hushbit_result* result, hushbit_error* error) {
      return hushbit_testing_privatize(handle_.get(), reinterpret_cast<const uint8_t*>(key.data()), view.data(),
                                       view.size(), result, error);
    });
  }

 private:
  template <typename Call>
  static Result run(const py::bytes& text, Call call) {
    const std::string_view view = text;
    const ResultHandle handle = make_result();
    checked([&](hushbit_error* error) { return call(view, handle.get(), error); });
    Result result;
    size_t length = 0, count = 0, code_bytes = 0;
    const char* output = hushbit_result_text(handle.get(), &length);
    result.text = to_bytes(output, length);
    result.tokens = copy_tokens(handle.get());
    hushbit_result_get_cost(handle.get(), &result.cost);
    const uint8_t* noisy = hushbit_testing_noisy_codes(handle.get(), &count, &code_bytes);
    result.noisy_codes = CodeArray({count, code_bytes});
    if (count > 0) std::memcpy(result.noisy_codes.mutable_data(), noisy, count * code_bytes);
    return result;
  }

  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  std::unique_ptr<hushbit_privatizer, decltype(&hushbit_privatizer_close)> handle_{nullptr, hushbit_privatizer_close};
};

void bind_records(py::module_& module) {
  py::class_<hushbit_bundle_info>(module, "BundleInfo")
      .def_readonly("format_major", &hushbit_bundle_info::format_major)
      .def_readonly("format_minor", &hushbit_bundle_info::format_minor)
      .def_readonly("bits", &hushbit_bundle_info::bits)
      .def_readonly("words", &hushbit_bundle_info::words)
      .def_readonly("max_word_bytes", &hushbit_bundle_info::max_word_bytes)
      .def_readonly("max_distance", &hushbit_bundle_info::max_distance)
      .def_readonly("average_distance", &hushbit_bundle_info::average_distance)
      .def_readonly("default_epsilon", &hushbit_bundle_info::default_epsilon)
      .def_readonly("default_mechanism", &hushbit_bundle_info::default_mechanism)
      .def_property_readonly("unicode_version",
                             [](const hushbit_bundle_info& info) { return unpack_unicode_version(info.unicode_version); })
      .def_readonly("file_bytes", &hushbit_bundle_info::file_bytes)
      .def_property_readonly("hash", [](const hushbit_bundle_info& info) { return to_bytes(info.hash, 32); });
  py::class_<hushbit_section_info>(module, "SectionInfo")
      .def_property_readonly("name", [](const hushbit_section_info& section) { return std::string(section.name); })
      .def_readonly("type", &hushbit_section_info::type)
      .def_readonly("offset", &hushbit_section_info::offset)
      .def_readonly("length", &hushbit_section_info::length)
      .def_property_readonly("sha256",
                             [](const hushbit_section_info& section) { return to_bytes(section.sha256, 32); });
  py::class_<hushbit_token>(module, "Token")
      .def_property_readonly("kind", [](const hushbit_token& token) { return kind_name(token.kind); })
      .def_property_readonly("word",
                             [](const hushbit_token& token) {
                               return token.word == HUSHBIT_NO_WORD ? std::nullopt : std::optional(token.word);
                             })
      .def_readonly("byte_begin", &hushbit_token::byte_begin)
      .def_readonly("byte_end", &hushbit_token::byte_end)
      .def_readonly("utf16_begin", &hushbit_token::utf16_begin)
      .def_readonly("utf16_end", &hushbit_token::utf16_end)
      .def_readonly("output_begin", &hushbit_token::output_begin)
      .def_readonly("output_end", &hushbit_token::output_end);
  py::class_<hushbit_cost>(module, "Cost")
      .def_readonly("epsilon", &hushbit_cost::epsilon)
      .def_readonly("average", &hushbit_cost::average)
      .def_readonly("worst_case", &hushbit_cost::worst_case)
      .def_readonly("words", &hushbit_cost::words)
      .def_readonly("unknown", &hushbit_cost::unknown)
      .def_readonly("dropped", &hushbit_cost::dropped)
      .def_readonly("verbatim", &hushbit_cost::verbatim);
  py::class_<hushbit_privatizer_info>(module, "PrivatizerInfo")
      .def_readonly("requested_epsilon", &hushbit_privatizer_info::requested_epsilon)
      .def_readonly("effective_epsilon", &hushbit_privatizer_info::effective_epsilon)
      .def_readonly("flip_threshold", &hushbit_privatizer_info::flip_threshold)
      .def_readonly("flip_probability", &hushbit_privatizer_info::flip_probability)
      .def_readonly("average_per_token", &hushbit_privatizer_info::average_per_token)
      .def_readonly("worst_case_per_token", &hushbit_privatizer_info::worst_case_per_token)
      .def_property_readonly("clamped", [](const hushbit_privatizer_info& info) { return info.clamped != 0; });
  py::class_<Result>(module, "Result")
      .def_readonly("text", &Result::text)
      .def_readonly("tokens", &Result::tokens)
      .def_readonly("cost", &Result::cost)
      .def_readonly("noisy_codes", &Result::noisy_codes);
}

void bind_handles(py::module_& module) {
  py::class_<Bundle>(module, "Bundle")
      .def_static("open", &Bundle::open, py::arg("path"))
      .def_static("open_fd", &Bundle::open_fd, py::arg("fd"), py::arg("offset"), py::arg("length"))
      .def_static("from_bytes", &Bundle::from_bytes, py::arg("data"))
      .def("info", &Bundle::info)
      .def("meta", &Bundle::meta)
      .def("sections", &Bundle::sections)
      .def("verify", &Bundle::verify)
      .def("find", &Bundle::find, py::arg("word"))
      .def("word", &Bundle::word, py::arg("id"))
      .def("codes", &Bundle::codes, py::arg("ids"))
      .def("nearest", &Bundle::nearest, py::arg("codes"))
      .def("neighbors", &Bundle::neighbors, py::arg("code"), py::arg("k"))
      .def("farthest", &Bundle::farthest, py::arg("first"), py::arg("last"), py::arg("floor"))
      .def("tokenize", &Bundle::tokenize, py::arg("text"));
  py::class_<Privatizer>(module, "Privatizer")
      .def(py::init<const Bundle&, const std::string&, std::optional<double>, const std::string&, const std::string&,
                    const py::bytes&>(),
           py::arg("bundle"), py::kw_only(), py::arg("mechanism") = "brr", py::arg("epsilon") = py::none(),
           py::arg("oov") = "random", py::arg("punctuation") = "drop", py::arg("mask") = py::bytes("[unk]"))
      .def("info", &Privatizer::info)
      .def("privatize", &Privatizer::privatize, py::arg("text"))
      .def("privatize_seeded", &Privatizer::privatize_seeded, py::arg("text"), py::arg("seed"));
}

py::bytes testing_keystream(const py::bytes& seed, uint64_t offset, size_t size) {
  const std::string_view key = seed;
  if (key.size() != 32) raise_invalid_argument("a seed has 32 bytes");
  std::string out(size, '\0');
  hushbit_testing_keystream(reinterpret_cast<const uint8_t*>(key.data()), offset, reinterpret_cast<uint8_t*>(out.data()),
                            size);
  return out;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The native core of hushbit; see _core.pyi.";
  module.attr("VERSION") = hushbit_version();
  module.attr("UNICODE_VERSION") = unpack_unicode_version(hushbit_unicode_version());
  bind_records(module);
  bind_handles(module);
  module.def("testing_keystream", &testing_keystream, py::arg("seed"), py::arg("offset"), py::arg("size"));
}
