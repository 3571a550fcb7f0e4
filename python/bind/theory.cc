#include <nanobind/stl/vector.h>

#include "analysis/report/theory.h"
#include "analysis/theory/closed_form.h"
#include "python/bind/result.h"

namespace draftgauge::python {
namespace {

nb::any at(double alpha, std::int64_t gamma, double cost, double ops_cost, bool bonus) {
  return to_python(theory_row(alpha, gamma, {cost, ops_cost, bonus}));
}

}  // namespace

void bind_theory(nb::module_& module) {
  module.def("theory", at, nb::arg("alpha"), nb::arg("gamma"), nb::arg("cost"), nb::arg("ops_cost"),
             nb::arg("bonus"));
  module.def("tokens_law", theory::tokens_law, nb::arg("alpha"), nb::arg("gamma"), nb::arg("bonus"));
  module.def(
      "alpha_of_tokens",
      [](double tokens, std::int64_t gamma, bool bonus) {
        return to_python(theory::implied_alpha(tokens, gamma, bonus));
      },
      nb::arg("tokens"), nb::arg("gamma"), nb::arg("bonus"));
  module.def(
      "alpha_of_speedup",
      [](double speedup, std::int64_t gamma, double cost, bool bonus) {
        return to_python(theory::implied_alpha_of_speedup(speedup, gamma, cost, bonus));
      },
      nb::arg("speedup"), nb::arg("gamma"), nb::arg("cost"), nb::arg("bonus"));
}

}  // namespace draftgauge::python
