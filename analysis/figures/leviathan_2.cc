#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr char const* leviathan_2_spec = R"json({
  "encoding": {
    "x": {"field": "alpha", "type": "quantitative", "title": "acceptance rate α"},
    "y": {"field": "tokens", "type": "quantitative", "title": "tokens per round E[N]"},
    "color": {"field": "series", "type": "nominal", "sort": null, "legend": null}
  },
  "layer": [{"mark": "line"}]
})json";

Figure draw_leviathan_2(FigureInput const& input, std::string_view name) {
  Table table{{"series", "series", Align::left}, {"gamma", "γ"}, {"alpha", "α"}, {"tokens", "E[N]"}};
  for (int const gamma : or_else(input.gammas, {1, 3, 5, 7, 10}))
    for (double const alpha : or_else(input.alphas, even_steps(0, 1, 50)))
      table.add({fmt::format("γ = {}", gamma), std::int64_t{gamma}, Number{alpha, 2},
                 Number{theory::expected_tokens(alpha, gamma)}});
  Spec drawn = spec_of(leviathan_2_spec, table);
  drawn["layer"].push_back(end_labels(table, "alpha", "tokens", "series"));
  return {std::string(name), "Expected tokens per round against the acceptance rate",
          "Tokens that a round of γ drafts is expected to emit, (1 − α^(γ+1)) / (1 − α): Eq. (1) of Leviathan et al. "
          "2023 (arXiv 2211.17192), redrawing its Figure 2.",
          std::move(drawn), std::move(table)};
}

}  // namespace

FigureCard figures::leviathan_2() {
  return {"leviathan-2",
          "E[N] against α for several γ, by Eq. (1)",
          "Leviathan et al. 2023, Figure 2",
          false,
          {.alphas = true, .gammas = true},
          draw_leviathan_2,
          OnTheoryPage::settings};
}

}  // namespace draftgauge
