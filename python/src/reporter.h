// hushbit_reporter for Python.
#ifndef HUSHBIT_PYTHON_REPORTER_H_
#define HUSHBIT_PYTHON_REPORTER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "bundle.h"
#include "hushbit/hushbit.h"
#include "names.h"
#include "privatizer.h"
#include "support.h"

namespace hushbit::python {

inline const Names kValues = {{"words", HUSHBIT_VALUES_WORDS},
                              {"emoji", HUSHBIT_VALUES_EMOJI},
                              {"list", HUSHBIT_VALUES_LIST},
                              {"new-words", HUSHBIT_VALUES_NEW_WORDS}};

using ReportArray = py::array_t<uint64_t, py::array::c_style>;

// What is not given is the default of C.
class Reporter {
 public:
  Reporter(const Bundle* bundle, const std::string& values, std::optional<double> epsilon,
           const std::optional<std::string>& punctuation, bool skin_tones, bool none, const py::bytes& list,
           const py::bytes& pass_over, const std::optional<py::bytes>& device_key, std::optional<uint64_t> epoch,
           const Budget* budget, const std::optional<std::string>& audit_log);

  hushbit_reporter_info info() const {
    hushbit_reporter_info info = {.struct_size = sizeof(hushbit_reporter_info)};
    checked([&](hushbit_error* error) { return hushbit_reporter_get_info(handle_.get(), &info, error); });
    return info;
  }

  // The spellings of `count` values from `first` on; that of none is empty.
  std::vector<py::bytes> spellings(uint32_t first, uint32_t count) const;

  hushbit_report report(const py::bytes& text) const {
    const std::string_view view = text;
    return reported([&](hushbit_report* report, hushbit_error* error) {
      return hushbit_report_text(handle_.get(), view.data(), view.size(), report, error);
    });
  }
  hushbit_report report_value(uint32_t value) const {
    return reported([&](hushbit_report* report, hushbit_error* error) {
      return hushbit_report_value(handle_.get(), value, report, error);
    });
  }
  hushbit_report report_word(const py::bytes& word) const {
    const std::string_view view = word;
    return reported([&](hushbit_report* report, hushbit_error* error) {
      return hushbit_report_word(handle_.get(), view.data(), view.size(), report, error);
    });
  }

  // The reports of the texts, or of the values, up to the first that fails, and its error or None.
  py::tuple report_batch(const OffsetArray& offsets, const py::buffer& data) const;
  py::tuple report_values(const IdArray& values) const;

  const hushbit_reporter* handle() const { return handle_.get(); }

  template <typename MakeReport>
  static hushbit_report reported(MakeReport make_report) {
    hushbit_report report = {.struct_size = sizeof(hushbit_report)};
    checked([&](hushbit_error* error) { return make_report(&report, error); });
    return report;
  }

 private:
  std::shared_ptr<std::vector<uint64_t>> memory_;  // of a bundle from bytes
  std::unique_ptr<hushbit_reporter, decltype(&hushbit_reporter_destroy)> handle_{nullptr, hushbit_reporter_destroy};
};

}  // namespace hushbit::python

#endif  // HUSHBIT_PYTHON_REPORTER_H_
