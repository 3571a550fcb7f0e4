#include <nanobind/stl/vector.h>

#include "analysis/theory/optimum.h"
#include "python/bind/bind.h"

namespace draftgauge::python {
namespace {

nb::dict at(double alpha, std::int64_t gamma, double cost, double ops_cost, bool bonus) {
  BestGamma const best = best_gamma({alpha, {.draft = cost}, bonus});
  nb::dict out;
  out["alpha"] = alpha;
  out["gamma"] = gamma;
  out["mean_accepted"] = theory::expected_accepted(alpha, gamma);
  out["mean_tokens"] = theory::expected_tokens(alpha, gamma, bonus);
  out["variance_tokens"] = theory::tokens_variance(alpha, gamma, bonus);
  out["speedup"] = theory::speedup(alpha, gamma, cost, bonus);
  out["operations"] = theory::operations(alpha, gamma, ops_cost, bonus);
  out["memory_reads"] = theory::memory_reads(alpha, gamma, bonus);
  out["best_gamma"] = best.gamma ? nb::cast(*best.gamma) : nb::none();
  out["best_speedup"] = best.speedup;
  out["break_even_alpha"] = to_python(theory::break_even_alpha(gamma, cost, bonus));
  out["bonus"] = bonus;
  out["break_even_cost"] = theory::break_even_cost(alpha, gamma, bonus);
  return out;
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
