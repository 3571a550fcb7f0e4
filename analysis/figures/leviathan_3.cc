#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/theory/optimum.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr char const* leviathan_3_spec = R"json({
  "encoding": {
    "x": {"field": "alpha", "type": "quantitative", "title": "acceptance rate α", "scale": {"nice": false}},
    "y": {"field": "gamma", "type": "quantitative", "title": "optimal γ"},
    "color": {"field": "series", "type": "nominal", "sort": null, "legend": null}
  },
  "layer": [{"mark": {"type": "line", "interpolate": "step-after"}}]
})json";

Figure draw_leviathan_3(FigureInput const& input, std::string_view name) {
  Table table{{"series", "series", Align::left}, {"cost", "c"}, {"alpha", "α"}, {"gamma", "optimal γ"}};
  for (double const cost : or_else(input.costs, {.01, .02, .05, .1, .2})) {
    if (cost == 0)
      throw UsageError(fmt::format("{} at c = 0 is empty (drafts that cost nothing are better the longer)", name),
                       "give `cost` > 0");
    for (double const alpha : or_else(input.alphas, even_steps(0, .95, 190))) {
      auto const best =
          best_gamma(IidRounds{alpha, {.draft = cost}}).gamma;  // none: ever longer drafts are ever better
      table.add({fmt::format("c = {:g}", cost), Number{cost, 2}, Number{alpha, 3}, best ? Cell(*best) : Cell()});
    }
  }
  Spec drawn = spec_of(leviathan_3_spec, table);
  drawn["layer"].push_back(end_labels(table, "alpha", "gamma", "series"));
  return {std::string(name), "The best draft length against the acceptance rate",
          "The γ of greatest speed-up by Theorem 3.8 of Leviathan et al. 2023 (arXiv 2211.17192) for several costs c "
          "of a draft step in target steps, redrawing its Figure 3; 0 is plain decoding.",
          std::move(drawn), std::move(table)};
}

}  // namespace

FigureCard figures::leviathan_3() {
  return {"leviathan-3",
          "optimal γ against α for several c",
          "Leviathan et al. 2023, Figure 3",
          false,
          {.alphas = true, .costs = true},
          draw_leviathan_3,
          OnTheoryPage::settings};
}

}  // namespace draftgauge
