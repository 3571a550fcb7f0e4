#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/counters/counted_curve.h"
#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/documents.h"
#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/estimates.h"
#include "analysis/open/opened.h"
#include "analysis/report/gamma.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/theory/optimum.h"
#include "python/bind/result.h"
#include "sim/base/error.h"

namespace draftgauge::python {
namespace {

nb::object to_python(CountEstimate const& estimate, double confidence) {
  if (estimate.interval) return python::to_python(estimate.interval);
  return nb::make_tuple(estimate.value, nb::none(), nb::none(), confidence);
}

nb::object words(CountedOver over) {
  if (over == CountedOver::nothing) return nb::none();
  return nb::cast(std::string(to_string(over)));
}

/// With the passes of the draft model that the engine that counted adds.
Costs as_run(Costs costs, EngineCounters const& counters) {
  if (EngineRun const* const engine = engine_that_counted(counters))
    costs.extra_draft_passes = engine->extra_draft_passes;
  return costs;
}

nb::dict counted(std::vector<std::string> const& files, std::optional<std::int64_t> length, std::string const& draft,
                 std::optional<Costs> costs, bool own_passes, double confidence) {
  EngineCounters const counters = counters_of(files, length, "draft_length", draft);
  if (costs && own_passes) costs = as_run(*costs, counters);
  CounterEstimates const found = counter_estimates(counters, confidence);
  CountEstimate const& tokens = tokens_per_round_of(counters, found);
  auto const gamma = set_length(counters);
  auto const speedup =
      gamma && costs ? std::optional(over_time(tokens, time_of_round(*costs, *gamma))) : std::nullopt;
  nb::list conditional;
  for (CountEstimate const& one : found.conditional) conditional.append(to_python(one, confidence));
  nb::dict out;
  out["engine"] = counters.engine.empty() ? nb::none() : nb::cast(counters.engine);
  out["format"] = counters.format;
  out["counts"] = counts_document(counters).dump();
  out["rates"] = rates_document(counters).dump();
  out["mean_tokens"] = to_python(tokens, confidence);
  out["alpha"] = found.alpha ? to_python(*found.alpha, confidence) : nb::none();
  out["conditional"] = conditional;
  out["over"] = words(found.over);
  out["gamma"] = gamma ? nb::cast(*gamma) : nb::none();
  out["speedup"] = speedup ? to_python(*speedup, confidence) : nb::none();
  out["alarms"] = words_of(counter_alarms(counters, costs, speedup));
  out["notes"] = counters.notes;
  return out;
}

nb::any gamma_by_counters(std::vector<std::string> const& files, std::optional<std::int64_t> length,
                          std::string const& draft, Costs const& costs, bool own_passes, CountedAsked const& asked) {
  EngineCounters const counters = counters_of(files, length, "draft_length", draft);
  auto const curve = counted_curve(counters, own_passes ? as_run(costs, counters) : costs, asked);
  if (!curve)
    throw InputError(counters.file + ": it does not say how many tokens drafts of other lengths would give",
                     "give counters by position, or draft_length where all rounds had one");
  GammaRow const& best = curve->rows[curve->best];
  ChosenGamma chosen{.alarms = words_of(counter_alarms(counters, curve->rows)),
                     .best_gamma = best.gamma,
                     .best_speedup = best.speedup,
                     .curve = curve_of(curve->rows, {.bonus = asked.bonus}, best.gamma)};
  if (curve->set) {
    chosen.confidence_set.emplace(curve->set->members.begin(), curve->set->members.end());
    chosen.expected_regret = curve->set->regret;
  }
  return python::to_python(chosen, asked.confidence);
}

}  // namespace

void bind_counters(nb::module_& module) {
  module.def("holds_counters", holds_counters, nb::arg("path"));
  module.def(
      "gamma_by_counters",
      [](std::vector<std::string> const& files, std::optional<std::int64_t> length, std::string const& draft,
         Costs const& costs, bool own_passes, bool bonus, std::optional<int> most, double confidence,
         std::size_t resamples, std::uint64_t seed) {
        require_resamples(resamples, "intervals");
        return gamma_by_counters(files, length, draft, costs, own_passes,
                                 {.confidence = confidence,
                                  .bonus = bonus,
                                  .most = most,
                                  .draws = resamples,
                                  .seed = seed,
                                  .thorough = false});
      },
      nb::arg("files"), nb::arg("draft_length").none(), nb::arg("draft_key"), nb::arg("costs"), nb::arg("own_passes"),
      nb::arg("bonus"), nb::arg("most").none(), nb::arg("confidence"), nb::arg("resamples"), nb::arg("seed"));
  module.def("counters", counted, nb::arg("files"), nb::arg("draft_length").none(), nb::arg("draft_key"),
             nb::arg("costs").none(), nb::arg("own_passes"), nb::arg("confidence"));
}

}  // namespace draftgauge::python
