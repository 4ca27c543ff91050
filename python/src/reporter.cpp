#include "reporter.h"

#include "batches.h"

namespace hushbit::python {
namespace {

// `count` reports by `make_report`, a function of a number, a report and an error, without the interpreter lock.
template <typename MakeReport>
py::tuple many_reports(size_t count, MakeReport make_report) {
  std::vector<uint64_t> reports;
  hushbit_error error = {};
  hushbit_status status = HUSHBIT_OK;
  {
    py::gil_scoped_release release;
    reports.reserve(count);
    for (size_t i = 0; i < count && status == HUSHBIT_OK; ++i) {
      hushbit_report report = {.struct_size = sizeof(hushbit_report)};
      status = make_report(i, &report, &error);
      if (status == HUSHBIT_OK) reports.push_back(report.report);
    }
  }
  const py::object failure =
      status == HUSHBIT_OK ? py::none() : py::object(error_of(status, error.message, error.position));
  return py::make_tuple(ReportArray(static_cast<py::ssize_t>(reports.size()), reports.data()), failure);
}

}  // namespace

Reporter::Reporter(const Bundle* bundle, const std::string& values, std::optional<double> epsilon,
                   const std::optional<std::string>& punctuation, bool skin_tones, bool none, const py::bytes& list,
                   const py::bytes& pass_over, const std::optional<py::bytes>& device_key,
                   std::optional<uint64_t> epoch, const Budget* budget, const std::optional<std::string>& audit_log)
    : memory_(bundle == nullptr ? nullptr : bundle->memory()) {
  const std::string_view lines = list, words = pass_over;
  hushbit_reporter_options options = {.struct_size = sizeof(hushbit_reporter_options)};
  hushbit_reporter_options_init(&options, nullptr);
  options.values = value_of("kind of values", values, kValues);
  if (epsilon) options.epsilon = *epsilon;
  if (punctuation) options.punctuation = value_of("punctuation policy", *punctuation, kPunctuationPolicies);
  options.skin_tones = skin_tones ? 1 : 0;
  options.none = none ? 1 : 0;
  options.list = lines.data();
  options.list_bytes = lines.size();
  options.pass_over = words.data();
  options.pass_over_bytes = words.size();
  if (device_key) options.device_key = key_bytes(*device_key, "a device key");
  if (epoch) options.epoch = *epoch;
  if (budget != nullptr) options.budget = budget->handle();
  if (audit_log) options.audit_log = audit_log->c_str();
  hushbit_reporter* handle = nullptr;
  checked([&](hushbit_error* error) {
    return hushbit_reporter_create(bundle == nullptr ? nullptr : bundle->handle(), &options, &handle, error);
  });
  handle_.reset(handle);
}

std::vector<py::bytes> Reporter::spellings(uint32_t first, uint32_t count) const {
  const hushbit_reporter_info info = this->info();
  if (first > info.value_count || count > info.value_count - first) {
    raise_invalid_argument("values are out of range; there are " + std::to_string(info.value_count));
  }
  std::vector<char> buffer(info.max_value_bytes + 1);
  std::vector<py::bytes> spellings;
  spellings.reserve(count);
  for (uint32_t value = first; value < first + count; ++value) {
    size_t bytes = 0;
    hushbit_error error = {};
    const hushbit_status status =
        hushbit_reporter_value(handle_.get(), value, buffer.data(), buffer.size(), &bytes, &error);
    if (status != HUSHBIT_OK) raise_error(status, error.message, error.position);
    spellings.push_back(to_bytes(buffer.data(), bytes));
  }
  return spellings;
}

py::tuple Reporter::report_batch(const OffsetArray& offsets, const py::buffer& data) const {
  const Texts texts(offsets, data);
  return many_reports(texts.count(), [&](size_t i, hushbit_report* report, hushbit_error* error) {
    const std::string_view text = texts[i];
    return hushbit_report_text(handle_.get(), text.data(), text.size(), report, error);
  });
}

py::tuple Reporter::report_values(const IdArray& values) const {
  const uint32_t* const in = values.data();
  return many_reports(static_cast<size_t>(values.size()), [&](size_t i, hushbit_report* report, hushbit_error* error) {
    return hushbit_report_value(handle_.get(), in[i], report, error);
  });
}

void bind_reporter(py::module_& module) {
  py::class_<hushbit_reporter_info>(module, "ReporterInfo")
      .def_property_readonly("values", [](const hushbit_reporter_info& info) { return name_of(info.values, kValues); })
      .def_readonly("value_count", &hushbit_reporter_info::value_count)
      .def_property_readonly("has_none", [](const hushbit_reporter_info& info) { return info.has_none != 0; })
      .def_readonly("requested_epsilon", &hushbit_reporter_info::requested_epsilon)
      .def_readonly("effective_epsilon", &hushbit_reporter_info::effective_epsilon)
      .def_readonly("reports", &hushbit_reporter_info::reports)
      .def_readonly("prime", &hushbit_reporter_info::prime)
      .def_readonly("dimension", &hushbit_reporter_info::dimension)
      .def_readonly("points", &hushbit_reporter_info::points)
      .def_readonly("set_size", &hushbit_reporter_info::set_size)
      .def_readonly("groups", &hushbit_reporter_info::groups)
      .def_readonly("threshold", &hushbit_reporter_info::threshold)
      .def_readonly("probability", &hushbit_reporter_info::probability)
      .def_property_readonly("memoized", [](const hushbit_reporter_info& info) { return info.memoized != 0; })
      .def_property_readonly("hash", [](const hushbit_reporter_info& info) { return to_bytes(info.hash, 32); });
  py::class_<hushbit_report>(module, "Report")
      .def_readonly("report", &hushbit_report::report)
      .def_readonly("epsilon", &hushbit_report::epsilon)
      .def_property_readonly("values", [](const hushbit_report& report) { return to_bytes(report.values, 8); });
  py::class_<Reporter>(module, "Reporter")
      .def(py::init<const Bundle*, const std::string&, std::optional<double>, const std::optional<std::string>&, bool,
                    bool, const py::bytes&, const py::bytes&, const std::optional<py::bytes>&, std::optional<uint64_t>,
                    const Budget*, const std::optional<std::string>&>(),
           py::arg("bundle").none(true), py::kw_only(), py::arg("values"), py::arg("epsilon") = py::none(),
           py::arg("punctuation") = py::none(), py::arg("skin_tones") = false, py::arg("none") = false,
           py::arg("list") = py::bytes(), py::arg("pass_over") = py::bytes(), py::arg("device_key") = py::none(),
           py::arg("epoch") = py::none(), py::arg("budget") = py::none(), py::arg("audit_log") = py::none())
      .def("info", &Reporter::info)
      .def("spellings", &Reporter::spellings, py::arg("first"), py::arg("count"))
      .def("report", &Reporter::report, py::arg("text"))
      .def("report_value", &Reporter::report_value, py::arg("value"))
      .def("report_word", &Reporter::report_word, py::arg("word"))
      .def("report_batch", &Reporter::report_batch, py::arg("offsets"), py::arg("data"))
      .def("report_values", &Reporter::report_values, py::arg("values"));
}

}  // namespace hushbit::python
