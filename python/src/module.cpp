// hushbit._core: the C interface for Python. The stubs in python/hushbit/_core.pyi are its documentation.
#include <string>
#include <vector>

#include "hushbit/hushbit.h"
#include "names.h"
#include "support.h"

namespace hushbit::python {
namespace {

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (uint32_t i = 0; const char* name = hushbit_kernel_name(i); ++i) names.emplace_back(name);
  return names;
}

py::dict dict_of(const Names& names) {
  py::dict dict;
  for (const auto& [name, value] : names) dict[name] = value;
  return dict;
}

}  // namespace
}  // namespace hushbit::python

PYBIND11_MODULE(_core, module) {
  using namespace hushbit::python;
  module.doc() = "The native core of hushbit; see _core.pyi.";
  module.attr("VERSION") = hushbit_version();
  module.attr("KERNELS") = py::tuple(py::cast(kernel_names()));
  module.attr("MECHANISMS") = dict_of(mechanism_names());
  module.attr("OOV_POLICIES") = dict_of(kOovPolicies);
  module.attr("PUNCTUATION_POLICIES") = dict_of(kPunctuationPolicies);
  module.attr("SEARCHES") = dict_of(kSearches);
  module.attr("CROWD_SIZES") = dict_of(kCrowdSizes);
  module.attr("UNICODE_VERSION") = unpack_unicode_version(hushbit_unicode_version());
  bind_records(module);
  bind_bundle(module);
  bind_budget(module);
  bind_privatizer(module);
  bind_embedder(module);
  bind_reporter(module);
  bind_analysis(module);
}
