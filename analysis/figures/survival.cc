#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/dependence.h"

namespace draftgauge {
namespace {

constexpr char const* survival_spec = R"json({
  "vconcat": [
    {
      "encoding": {"x": {"field": "i", "type": "quantitative", "title": null, "axis": {"tickMinStep": 1}}},
      "layer": [
        {"band_of": "survival", "encoding": {"color": {"datum": "recording"}}},
        {
          "mark": "line",
          "encoding": {
            "y": {"field": "survival", "type": "quantitative", "title": "first i accepted"},
            "color": {"datum": "recording", "legend": {"title": null}}
          }
        },
        {
          "mark": {"type": "line", "style": "theory"},
          "encoding": {"y": {"field": "geometric", "type": "quantitative"}, "color": {"datum": "i.i.d. at its α"}}
        }
      ]
    },
    {
      "encoding": {"x": {"field": "i", "type": "quantitative", "title": "draft i", "axis": {"tickMinStep": 1}}},
      "layer": [
        {"band_of": "conditional", "encoding": {"color": {"datum": "recording"}}},
        {
          "mark": "line",
          "encoding": {
            "y": {
              "field": "conditional", "type": "quantitative", "title": "then also the i-th", "scale": {"zero": false}
            },
            "color": {"datum": "recording"}
          }
        },
        {
          "mark": {"type": "line", "style": "theory"},
          "encoding": {"y": {"field": "alpha", "type": "quantitative"}, "color": {"datum": "i.i.d. at its α"}}
        }
      ]
    }
  ]
})json";

Figure draw_survival(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  RecordingRows rows(all, {{"i", "i"},
                           {"survival", "P(first i accepted)"},
                           {"geometric", "α^i"},
                           {"conditional", "P(i-th accepted | those before)"},
                           {"alpha", "α"}});
  constexpr int longest = 16;
  for (std::size_t r = 0; r < all.size(); ++r) {
    rows.begin(r);
    TextEstimates const& of = all[r]->estimates;
    for (Dependence::Position const& each : dependence(of).positions)
      if (each.i <= longest)
        rows.add({std::int64_t{each.i}, cell_of(each.survival, input.confidence, share), Number{each.geometric.value},
                  cell_of(each.conditional, input.confidence, share), Number{of.alpha()->value}});
  }
  std::string caption = fmt::format(
      "How many drafts in a row are accepted from anywhere in the text, {}. Above, P(the first i are); below, P(the "
      "i-th is, if those before it were). Independent acceptances, which Eq. (1) of Leviathan et al. 2023 (arXiv "
      "2211.17192) supposes, give α^i and α{}. {}",
      to_string(all), all.size() > 1 ? ", dashed" : "",
      band_text(all, fmt::format("Bands: {:g} % over texts.", 100 * input.confidence)));
  auto const drawn = [&] {
    constexpr char const
        *above = R"({"field": "i", "type": "quantitative", "title": null, "axis": {"tickMinStep": 1}})",
        *below = R"({"field": "i", "type": "quantitative", "title": "draft i", "axis": {"tickMinStep": 1}})";
    return overlay_spec({{above, "first i accepted", {{"survival"}, {"geometric", "", true}}},
                         {below, "then also the i-th", {{"conditional"}, {"alpha", "", true}}}},
                        rows.table());
  };
  return {std::string(name), "Drafts accepted in a row, and what independence expects", std::move(caption),
          all.size() > 1 ? drawn() : spec_of(survival_spec, rows.table()), rows.table()};
}

}  // namespace

FigureCard figures::survival() {
  return {"survival",
          "survival and conditional acceptance of drafts, with the i.i.d. fit",
          "",
          true,
          {.intervals = true},
          draw_survival};
}

}  // namespace draftgauge
