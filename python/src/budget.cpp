#include "budget.h"

namespace hushbit::python {

void bind_budget(py::module_& module) {
  py::class_<hushbit_budget_state>(module, "BudgetState")
      .def_readonly("day", &hushbit_budget_state::day)
      .def_readonly("worst_case_today", &hushbit_budget_state::worst_case_today)
      .def_readonly("worst_case_lifetime", &hushbit_budget_state::worst_case_lifetime)
      .def_readonly("tokens_today", &hushbit_budget_state::tokens_today)
      .def_readonly("tokens_lifetime", &hushbit_budget_state::tokens_lifetime)
      .def_readonly("texts_today", &hushbit_budget_state::texts_today)
      .def_readonly("texts_lifetime", &hushbit_budget_state::texts_lifetime);
  py::class_<Budget>(module, "Budget")
      .def(py::init<const std::string&, double, double, uint64_t, uint64_t>(), py::arg("path"), py::kw_only(),
           py::arg("worst_case_per_day"), py::arg("worst_case_lifetime"), py::arg("tokens_per_day"),
           py::arg("tokens_lifetime"))
      .def("spend", &Budget::spend, py::arg("worst_case"), py::arg("tokens"))
      .def("spend_texts", &Budget::spend_texts, py::arg("worst_case"), py::arg("texts"))
      .def("state", &Budget::state)
      .def_static("read", &Budget::read, py::arg("path"))
      .def_static("reset", &Budget::reset, py::arg("path"));
}

}  // namespace hushbit::python
