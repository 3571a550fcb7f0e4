#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/counters/documents.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/opened.h"
#include "analysis/recordings/engines.h"
#include "analysis/theory/optimum.h"
#include "python/bind/bind.h"

namespace draftgauge::python {
namespace {

nb::object to_python(CountEstimate const& estimate, double confidence) {
  if (estimate.interval) return python::to_python(estimate.interval);
  return nb::make_tuple(estimate.value, nb::none(), nb::none(), confidence);
}

nb::object words(CountedOver over) {
  switch (over) {
    case CountedOver::requests: return nb::str("requests");
    case CountedOver::rounds: return nb::str("rounds");
    case CountedOver::totals: return nb::str("totals");
    case CountedOver::nothing: break;
  }
  return nb::none();
}

nb::dict counted(std::vector<std::string> const& files, std::optional<std::int64_t> length,
                 std::optional<Costs> costs, bool own_passes, double confidence) {
  EngineCounters const counters = counters_of(files, length, "draft_length");
  EngineCard const* const engine = own_passes ? engine_that_writes(counters.format) : nullptr;
  if (costs && engine) costs->extra_draft_passes = engine->extra_draft_passes;
  CounterEstimates const found = counter_estimates(counters, confidence);
  CountEstimate const& tokens = tokens_per_round_of(counters, found);
  auto const gamma = set_length(counters);
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
  out["speedup"] =
      gamma && costs ? to_python(over_time(tokens, time_of_round(*costs, *gamma)), confidence) : nb::none();
  out["notes"] = counters.notes;
  return out;
}

}  // namespace

void bind_counters(nb::module_& module) {
  module.def("counters", counted, nb::arg("files"), nb::arg("draft_length").none(), nb::arg("costs").none(),
             nb::arg("own_passes"), nb::arg("confidence"));
}

}  // namespace draftgauge::python
