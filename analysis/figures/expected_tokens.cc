#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"

namespace draftgauge {
namespace {

constexpr char const* expected_tokens_spec = R"json({
  "encoding": {
    "x": {"field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}},
    "color": {
      "field": "by", "type": "nominal", "legend": {"title": null},
      "scale": {"domain": ["Eq. (1)", "replay", "simulated"]}
    }
  },
  "layer": [
    {"band_of": "tokens", "where": "datum.by == 'replay'"},
    {
      "transform": [{"filter": "datum.by == 'replay'"}],
      "mark": "line",
      "encoding": {"y": {"field": "tokens", "type": "quantitative", "title": "tokens per round"}}
    },
    {
      "transform": [{"filter": "datum.by == 'Eq. (1)'"}],
      "mark": {"type": "line", "style": "theory"},
      "encoding": {"y": {"field": "tokens", "type": "quantitative"}}
    },
    {
      "transform": [{"filter": "datum.by == 'simulated'"}],
      "mark": {"type": "rule", "style": "whisker"},
      "encoding": {"y": {"field": "tokens_low", "type": "quantitative"}, "y2": {"field": "tokens_high"}}
    },
    {
      "transform": [{"filter": "datum.by == 'simulated'"}],
      "mark": {"type": "point", "filled": true, "opacity": 1},
      "encoding": {"y": {"field": "tokens", "type": "quantitative"}}
    }
  ]
})json";

/// What is drawn, each by the heading of its card.
std::array<Estimator, 3> curves() { return {Estimator::iid, Estimator::replay, Estimator::simulated}; }

Figure draw_expected_tokens(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  RecordingRows rows(all, {{"by", "by", Align::left}, {"gamma", "γ"}, {"tokens", "tokens per round"}});
  for (std::size_t r = 0; r < all.size(); ++r) {
    rows.begin(r);
    TextEstimates const& of = all[r]->estimates;
    for (Estimator const curve : curves())
      for (int const gamma : gammas_of(input, *all[r])) {
        TextEstimate const* const tokens = of.tokens_per_round(curve, gamma);
        // What is simulated is not shown without an interval, which one text does not give.
        if (!tokens || (curve == Estimator::simulated && !delta_interval(*tokens, input.confidence))) continue;
        rows.add({std::string(curve.card->heading), std::int64_t{gamma},
                  cell_of(*tokens, input.confidence, tokens_in_round(gamma, of.options().bonus))});
      }
  }
  Spec alone = spec_of(expected_tokens_spec, rows.table());
  Spec& legend = alone["encoding"]["color"]["scale"]["domain"] = Spec::array();  // of what is drawn
  for (Estimator const curve : curves())
    if (std::ranges::any_of(rows.table().rows(), [&](auto const& row) {
          return std::ranges::any_of(row, [&](Cell const& cell) {
            auto const* const words = std::get_if<std::string>(&cell);
            return words && *words == curve.card->heading;
          });
        }))
      legend.push_back(std::string(curve.card->heading));
  bool const simulated = legend.size() == curves().size();
  std::string caption = fmt::format(
      "Tokens per round of the token rule against γ, {}. Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192) at the "
      "recording's α{} takes acceptances for independent; replay is the expectation along the text itself{}{}. {}",
      to_string(all), all.size() > 1 ? ", dashed," : "",
      simulated ? "; simulated rounds toss a coin for each token" : "",
      simulated && all.size() > 1 ? ", and are in the data" : "",
      band_text(all,
                fmt::format("{}: {:g} % over texts.", simulated ? "Band and bars" : "Band", 100 * input.confidence)));
  auto const drawn = [&] {
    return overlay_spec({{gamma_axis,
                          "tokens per round",
                          {{"tokens", "datum.by == 'replay'"}, {"tokens", "datum.by == 'Eq. (1)'", true}}}},
                        rows.table());
  };
  return {std::string(name),
          simulated ? "Tokens per round: theory, replay, simulation" : "Tokens per round: theory and replay",
          std::move(caption), all.size() > 1 ? drawn() : std::move(alone), rows.table()};
}

}  // namespace

FigureCard figures::expected_tokens() {
  return {"expected-tokens",
          "tokens per round against γ: Eq. (1), replay with its band, simulated",
          "",
          true,
          {.gammas = true, .bonus = true, .intervals = true},
          draw_expected_tokens};
}

}  // namespace draftgauge
