#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr char const* leviathan_4_spec = R"json({
  "vconcat": [
    {
      "encoding": {
        "x": {"field": "alpha", "type": "quantitative", "title": null},
        "y": {"field": "speedup", "type": "quantitative", "title": "speed-up"},
        "color": {"field": "series", "type": "nominal", "sort": null, "legend": null}
      },
      "layer": [{"mark": "line"}]
    },
    {
      "encoding": {
        "x": {"field": "alpha", "type": "quantitative", "title": "acceptance rate α"},
        "y": {"field": "operations", "type": "quantitative", "title": "operations"},
        "color": {"field": "series", "type": "nominal", "sort": null, "legend": null}
      },
      "layer": [{"mark": "line"}]
    }
  ]
})json";

Figure draw_leviathan_4(FigureInput const& input, std::string_view name) {
  double const cost = or_else(input.costs, {0}).front();
  Table table{{"series", "series", Align::left},
              {"gamma", "γ"},
              {"alpha", "α"},
              {"speedup", "speed-up"},
              {"operations", "operations"}};
  for (int const gamma : or_else(input.gammas, {1, 3, 5, 7, 10}))
    for (double const alpha : or_else(input.alphas, even_steps(0, 1, 50)))
      table.add({fmt::format("γ = {}", gamma), std::int64_t{gamma}, Number{alpha, 2},
                 Number{theory::speedup(alpha, gamma, cost)}, Number{theory::operations(alpha, gamma, cost)}});
  Spec drawn = spec_of(leviathan_4_spec, table);
  // The curves of operations all end at 1, where labels would lie on each other.
  drawn["vconcat"][0]["layer"].push_back(end_labels(table, "alpha", "speedup", "series", label_height_in_panel));
  std::string caption = fmt::format(
      "What a draft saves in time and costs in arithmetic, as factors over plain decoding: Theorems 3.8 and 3.11 of "
      "Leviathan et al. 2023 (arXiv 2211.17192) at c = ĉ = {:g}, redrawing its Figure 4.",
      cost);
  return {std::string(name), "Speed-up and operations against the acceptance rate", std::move(caption),
          std::move(drawn), std::move(table)};
}

}  // namespace

FigureCard figures::leviathan_4() {
  return {"leviathan-4",
          "speed-up and operations against α for several γ",
          "Leviathan et al. 2023, Figure 4",
          false,
          {.alphas = true, .gammas = true, .costs = true},
          draw_leviathan_4,
          OnTheoryPage::settings};
}

}  // namespace draftgauge
