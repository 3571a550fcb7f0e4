#include <fmt/format.h>

#include <functional>
#include <optional>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

constexpr char const* speedup_map_spec = R"json({
  "encoding": {
    "x": {
      "field": "cost", "type": "quantitative", "scale": {"type": "log", "nice": false},
      "title": "cost c of a draft step",
      "axis": {"values": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1], "tickCount": 20, "format": "~g"}
    },
    "y": {"field": "alpha", "type": "quantitative", "scale": {"domain": [0, 1]}, "title": "acceptance rate α"}
  },
  "layer": [
    {
      "transform": [{"filter": "datum.kind == 'region'"}],
      "mark": {"type": "area", "opacity": 0.75},
      "encoding": {
        "y2": {"field": "alpha_above"},
        "color": {
          "field": "label", "type": "ordinal", "sort": null, "legend": {"title": "best γ", "columns": 4, "titleOrient": "left"},
          "scale": {"range": "ramp"}
        }
      }
    },
    {
      "transform": [{"filter": "datum.kind == 'contour'"}],
      "mark": {"type": "line", "style": "contour"},
      "encoding": {"detail": {"field": "label"}}
    },
    {
      "transform": [
        {"filter": "datum.kind == 'contour'"},
        {"joinaggregate": [{"op": "min", "field": "cost", "as": "first"}], "groupby": ["label"]},
        {"filter": "datum.cost == datum.first"}
      ],
      "mark": {"type": "text", "style": "contour-label"},
      "encoding": {"text": {"field": "label"}}
    }
  ]
})json";

/// The least α in [0, 1] from which on `holds`, which holds at 1 if anywhere; none where it does not.
std::optional<double> least_alpha(std::function<bool(double)> const& holds) {
  if (!holds(1)) return std::nullopt;
  double low = 0, high = 1;
  for (int i = 0; i < 30; ++i) (holds((low + high) / 2) ? high : low) = (low + high) / 2;
  return high;
}

struct Region {
  std::int64_t least;
  std::optional<std::int64_t> most;  ///< none: all above
};
constexpr Region regions[] = {{0, 0}, {1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, {}}};
constexpr double contours[] = {1.2, 1.5, 2, 3, 5};

std::string to_string(Region const& region) {
  return !region.most                   ? fmt::format("≥ {}", region.least)
         : region.least == *region.most ? fmt::format("{}", region.least)
                                        : fmt::format("{}–{}", region.least, *region.most);
}

/// From which α on a γ of so many drafts, or more, is best at this cost; 1 where none is.
double from_alpha(std::int64_t gamma, double cost) {
  if (gamma == 0) return 0;
  return least_alpha([&](double alpha) {
           auto const best = best_gamma(IidRounds{alpha, {.draft = cost}}).gamma;
           return !best || *best >= gamma;
         })
      .value_or(1);
}

Figure draw_speedup_map(FigureInput const& input, std::string_view name) {
  Table table{{"kind", "kind", Align::left},
              {"label", "label", Align::left},
              {"cost", "c"},
              {"alpha", "α from"},
              {"alpha_above", "α to"}};
  auto const costs = or_else(input.costs, even_ratios(.01, 1, 60));
  for (Region const& region : regions)
    for (double const cost : costs)
      table.add({"region", to_string(region), Number{cost}, Number{from_alpha(region.least, cost)},
                 Number{region.most ? from_alpha(*region.most + 1, cost) : 1}});
  for (double const speedup : contours)
    for (double const cost : costs)
      if (auto const alpha = least_alpha(
              [&](double each) { return best_gamma(IidRounds{each, {.draft = cost}}).speedup >= speedup; }))
        table.add({"contour", fmt::format("{:g}×", speedup), Number{cost}, Number{*alpha}, Cell()});
  return {std::string(name), "Speed-up and the best draft length over α and c",
          "The greatest speed-up that Theorem 3.8 of Leviathan et al. 2023 (arXiv 2211.17192) allows (lines) and the "
          "γ that gives it (regions). Below the diagonal α = c, in the region of 0, no draft pays (Corollary 3.9).",
          spec_of(speedup_map_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::speedup_map() {
  return {"speedup-map",
          "speed-up over α and c, with the regions of the best γ",
          "Leviathan et al. 2023, Theorem 3.8",
          false,
          {.costs = true},
          draw_speedup_map,
          OnTheoryPage::plane};
}

}  // namespace draftgauge
