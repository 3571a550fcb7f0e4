#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/theory/optimum.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr char const* best_gamma_spec = R"json({
  "encoding": {
    "x": {
      "field": "cost", "type": "quantitative", "scale": {"type": "log"}, "title": "cost c of a draft step",
      "axis": {"values": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1], "tickCount": 20, "format": "~g"}
    },
    "color": {"field": "by", "type": "nominal", "sort": null, "legend": {"title": null}}
  },
  "layer": [
    {"band_of": "gamma", "mark": {"interpolate": "step-after"}},
    {
      "transform": [{"filter": "datum.by == 'replay'"}],
      "mark": {"type": "line", "interpolate": "step-after"},
      "encoding": {"y": {"field": "gamma", "type": "quantitative", "title": "optimal γ"}}
    },
    {
      "transform": [{"filter": "datum.by != 'replay'"}],
      "mark": {"type": "line", "interpolate": "step-after", "style": "theory"},
      "encoding": {"y": {"field": "gamma", "type": "quantitative"}}
    }
  ]
})json";

/// The best γ by replay, with the ends of the confidence set that `gamma` names at this cost; empty where no γ is
/// known, and without ends where one text gives no set.
Cell best_by_replay(FigureRecording const& of, Costs const& costs, FigureInput const& input) {
  auto const best = text_best_gamma(of.estimates, Estimator::replay, costs);
  if (!best) return {};
  std::vector<int> gammas = of.estimates.options().gammas;
  std::ranges::sort(gammas);
  std::vector<TextSpeedup> priced;
  for (int const gamma : gammas)
    if (auto at = text_speedup(of.estimates, Estimator::replay, gamma, costs)) priced.push_back(std::move(*at));
  auto const set = text_gamma_set(priced, input.confidence, of.estimates.options().seed);
  double const gamma = best->gamma;
  if (!set) return Number{gamma, 0};
  return Estimate{
      {gamma, static_cast<double>(set->gammas.front()), static_cast<double>(set->gammas.back()), input.confidence},
      0};
}

/// By Eq. (1), among the γ that the replay is made at.
int best_by_theory(IidRounds const& rounds, std::vector<int> const& gammas) {
  std::vector<double> speedups{1};
  for (int const gamma : gammas) speedups.push_back(speedup(rounds, gamma));
  std::size_t const best = smallest_best(speedups);
  return best == 0 ? 0 : gammas[best - 1];
}

void add_rows(FigureRecording const& of, std::vector<double> const& costs, FigureInput const& input,
              std::function<void(std::size_t)> const& done, RecordingRows& rows) {
  double const alpha = of.estimates.alpha()->value;
  EstimateOptions const& options = of.estimates.options();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    done(i);
    Costs priced = of.costs;
    priced.draft = costs[i];
    rows.add({"replay", Number{costs[i]}, best_by_replay(of, priced, input)});
  }
  for (double const cost : costs) {
    Costs priced = of.costs;
    priced.draft = cost;
    rows.add({"i.i.d. at its α", Number{cost},
              std::int64_t{best_by_theory({alpha, std::move(priced), options.bonus}, options.gammas)}});
  }
}

/// "0.731, 0.689".
std::string alphas_of(std::vector<FigureRecording const*> const& all) {
  return joined(all, [](FigureRecording const* of) { return fmt::format("{:.3f}", of->estimates.alpha()->value); });
}

Figure draw_best_gamma(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  EstimateOptions const& options = all.front()->estimates.options();
  RecordingRows rows(all, {{"by", "by", Align::left}, {"cost", "c"}, {"gamma", "optimal γ"}});
  auto const costs = or_else(input.costs, even_ratios(.01, 1, 80));
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r]->rejected) continue;  // no γ follows from it
    rows.begin(r);
    auto const done = [&](std::size_t i) {
      if (input.progress) input.progress(r * costs.size() + i, all.size() * costs.size());
    };
    add_rows(*all[r], costs, input, done, rows);
  }
  bool const several = all.size() > 1;
  std::string caption = fmt::format(
      "The draft length of greatest speed-up against what a draft step costs in target steps: by replay along the "
      "texts of {}, and by Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192), which takes acceptances for "
      "independent, at {} α of {}{}; both at the same costs, up to γ = {}{}. {} 0 is plain decoding.",
      to_string(all), several ? "each one's" : "its", alphas_of(all), several ? ", dashed" : "",
      std::ranges::max(options.gammas), other_costs(all.front()->costs, options.bonus),
      band_text(all, fmt::format("Band: from the shortest to the longest γ of the {:g} % confidence set, those that "
                                 "the texts do not show to be worse than the best.",
                                 100 * input.confidence)));
  auto const drawn = [&] {
    std::string const x = Spec::parse(best_gamma_spec)["encoding"]["x"].dump();
    return overlay_spec(
        {{x, "optimal γ", {{"gamma", "datum.by == 'replay'"}, {"gamma", "datum.by != 'replay'", true}}, true}},
        rows.table());
  };
  return {std::string(name), "The best draft length against the draft's cost", std::move(caption),
          several ? drawn() : spec_of(best_gamma_spec, rows.table()), rows.table()};
}

}  // namespace

FigureCard figures::best_gamma() {
  return {"best-gamma", "optimal γ against c, by theory and by replay with its confidence set", "",
          true,         {.costs = true, .round_costs = true, .bonus = true, .intervals = true}, draw_best_gamma};
}

}  // namespace draftgauge
