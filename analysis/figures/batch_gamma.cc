#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/load/batch_choice.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr std::int64_t longest_draft = 64;

constexpr char const* batch_gamma_spec = R"json({
  "encoding": {
    "x": {"field": "batch", "type": "quantitative", "title": "sequences decoded at once", "scale": {"type": "log", "base": 2, "nice": false}},
    "y": {"field": "gamma", "type": "quantitative", "title": "optimal γ", "axis": {"tickMinStep": 1}},
    "color": {"field": "series", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 4}}
  },
  "layer": [
    {"mark": {"type": "line", "interpolate": "step-after"}},
    {
      "transform": [{"filter": "datum.plain"}],
      "mark": {"type": "point", "filled": true},
      "encoding": {"tooltip": {"field": "batch"}}
    }
  ]
})json";

constexpr std::int64_t standard_batches = 512;

Figure draw_batch_gamma(FigureInput const& input, std::string_view name) {
  constexpr double standard_cost = .05;
  double const draft = input.costs.empty() ? standard_cost : input.costs.front();
  FigureLoad const& load = input.load;
  BatchCosts const costs = load.costs ? *load.costs : standard_batch_costs(draft);
  std::int64_t const first = costs.batches().front();
  std::int64_t const last = load.costs ? costs.batches().back() : standard_batches;
  Table table{{"series", "series", Align::left},
              {"alpha", "α"},
              {"batch", "sequences"},
              {"gamma", "optimal γ"},
              {"speedup", "S"},
              {"plain", "plain decoding begins"}};
  for (double const alpha : or_else(input.alphas, {.6, .7, .8, .9})) {
    auto const tokens = [&](std::int64_t gamma, std::int64_t) -> std::optional<double> {
      return theory::expected_tokens(alpha, gamma);
    };
    std::optional<std::int64_t> before;
    for (std::int64_t batch = first; batch <= last; ++batch) {
      BatchPoint const best = best_of(points_in_batch(costs, tokens, longest_draft, batch));
      if (before == best.gamma && batch < last) continue;
      table.add({fmt::format("α = {:g}", alpha), Number{alpha, 3}, batch, best.gamma, Number{best.speedup()},
                 before.value_or(0) > 0 && best.gamma == 0});
      before = best.gamma;
    }
  }
  std::string const of = load.costs
                             ? fmt::format("by the times of {}{}", load.of,
                                           costs.whole_rounds() ? ", whole rounds up to the longest that ran"
                                           : costs.by_tokens()  ? ", a pass of B sequences costing by its tokens"
                                                                : "")
                             : fmt::format(
                                   "where a pass over t tokens takes 1 + t/64 times the reading of the weights, and "
                                   "a draft step {:g} of a plain step of the batch",
                                   draft);
  return {std::string(name), "The best draft length against the batch size",
          fmt::format(
              "The γ of greatest speed-up for each number of sequences decoded at once, {}; independent drafts, and "
              "sequences that go on each by what it accepted. 0 is plain decoding; a point marks where it begins.",
              of),
          spec_of(batch_gamma_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::batch_gamma() {
  return {"batch-gamma",
          "optimal γ against the batch size for several α, by times of steps in batches",
          "",
          false,
          {.alphas = true, .costs = true, .batches = true},
          draw_batch_gamma};
}

}  // namespace draftgauge
