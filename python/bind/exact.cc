#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "python/bind/exact_dict.h"

namespace draftgauge::python {
namespace {

/// {tokens: "139/140"}
nb::dict to_dict(SequenceLaw const& law) {
  nb::dict out;
  for (auto const& [tokens, probability] : law) {
    nb::list key;
    for (Token const x : tokens) key.append(x);
    out[nb::tuple(key)] = to_python(probability);
  }
  return out;
}

}  // namespace

nb::dict exact_dict(ExactText const& text, Source const& source, Task const& task, ExactBounds const& bounds) {
  nb::dict out;
  out["source"] = source.description;
  out["rule"] = task.rule;
  out["drafter"] = task.drafter;
  out["policy"] = task.policy;
  out["gamma"] = task.shape.gamma;
  out["candidates"] = task.shape.branching;
  out["bonus"] = task.shape.bonus;
  out["paths"] = text.round.paths;
  out["acceptance"] = to_python(text.round.acceptance());
  out["mean_accepted"] = to_python(text.round.mean_accepted());
  out["mean_tokens"] = to_python(text.round.mean_tokens());
  out["accepted_law"] = to_python(text.round.accepted);
  out["tokens_law"] = to_python(text.round.tokens_law());
  nb::list ranks;
  for (auto const& [place, accepted] : accepted_by_rank(task.shape, text.round))
    ranks.append(nb::make_tuple(place.depth, place.rank, to_python(accepted)));
  out["accepted_by_rank"] = ranks;
  bool const tree = !text.round.passed.empty();
  out["tree"] = tree ? nb::cast(tree_parents(task.shape)) : nb::none();
  out["passed"] = tree ? nb::object(to_python(text.round.passed)) : nb::none();
  out["accepted_bound"] = to_python(bounds.accepted);
  out["acceptance_bound"] = to_python(bounds.acceptance);
  out["output_law"] = to_python(marginal(text.output, 0, source.tables.vocab()));
  out["target_law"] = to_python(marginal(text.target, 0, source.tables.vocab()));
  out["text_law"] = to_dict(text.output);
  out["target_text_law"] = to_dict(text.target);
  out["tv_to_target"] = to_python(text.distance);
  out["kl_to_target"] = std::isfinite(text.divergence) ? nb::cast(text.divergence) : nb::none();
  out["lossless"] = text.distance == 0;
  return out;
}

namespace {

nb::dict exact_law(Source const& source, Task const& asked, std::uint64_t max_paths, nb::object const& progress) {
  Simulation const simulation(asked, source.tables, 1);
  Task const& task = simulation.task();
  ExactModel const model = exact_model(source);
  Listener const listener(progress);
  ExactText const text = [&] {
    nb::gil_scoped_release const released;
    return exact_text(task, model, simulation.starts(), telling_length(task, source.tables.telling_tokens()),
                      max_paths, [&](std::uint64_t paths) {
                        constexpr std::uint64_t between = 1 << 14;  // paths, a few hundredths of a second
                        if (paths % between == 0 && !listener(paths))
                          throw UsageError("progress returned False (the distribution is not whole)");
                      });
  }();
  nb::dict out =
      exact_dict(text, source, task, exact_bounds(task, simulation.rule().reference, simulation.starts(), model));
  out["claims_lossless"] = claims_lossless(simulation.rule_called());
  return out;
}

}  // namespace

void bind_exact(nb::module_& module) {
  module.def("exact", exact_law, nb::arg("laws"), nb::arg("task"), nb::kw_only(), nb::arg("max_paths"),
             nb::arg("progress").none());
}

}  // namespace draftgauge::python
