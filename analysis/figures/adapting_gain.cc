#include <fmt/format.h>

#include <algorithm>

#include "analysis/adapting/gains.h"
#include "analysis/adapting/recorded.h"
#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/text_speedup.h"

namespace draftgauge {
namespace {

constexpr char const* adapting_gain_spec = R"json({
  "encoding": {
    "x": {
      "field": "cost", "type": "quantitative", "scale": {"type": "log"}, "title": "cost c of a draft step",
      "axis": {"values": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1], "tickCount": 20, "format": "~g"}
    },
    "color": {"field": "by", "type": "nominal", "sort": null, "legend": {"title": null}}
  },
  "layer": [
    {"mark": {"type": "rule", "style": "reference"}, "encoding": {"y": {"datum": 0}, "x": null, "color": null}},
    {"band_of": "gain", "where": "datum.by == 'best policy'"},
    {
      "mark": "line",
      "encoding": {"y": {"field": "gain", "type": "quantitative", "title": "over the best fixed γ (%)"}}
    }
  ]
})json";

/// In percent of the best fixed γ's S.
Cell gain_cell(TextEstimate const& over, TextEstimate const& best, double confidence) {
  if (only_rounding(std::abs(over.value), best.value)) return Number{0};
  return cell_of(over * (100 / best.value), confidence);
}

Figure draw_adapting_gain(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  RecordingRows rows(all, {{"by", "by", Align::left},
                           {"policy", "policy", Align::left},
                           {"cost", "c"},
                           {"gamma", "best fixed γ"},
                           {"gain", "over the best fixed γ (%)"}});
  auto const costs = or_else(input.costs, even_ratios(.01, 1, 8));
  for (std::size_t r = 0; r < all.size(); ++r) {
    FigureRecording const& of = *all[r];
    if (of.rejected) continue;  // no S follows from it
    rows.begin(r);
    RecordedTexts const recorded(of.trace, of.estimates, *Estimator::replay.card);
    auto const& sample = of.estimates.sample();
    std::vector<std::vector<Cell>> oracle;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (input.progress) input.progress(r * costs.size() + i, all.size() * costs.size());
      Costs priced = of.costs;
      priced.draft = costs[i];
      auto const best = text_best_gamma(of.estimates, Estimator::replay, priced);
      if (!best) continue;
      AdaptingTexts const texts = recorded.at(priced, best->gamma);
      TextEstimate const fixed = fixed_speedup(texts, sample);
      auto gains = adapting_gains(texts, sample);
      std::erase_if(gains, &AdaptingGain::by_order);  // a gate that never shuts is the fixed γ
      auto const& top =
          *std::ranges::max_element(gains, {}, [](AdaptingGain const& gain) { return gain.speedup.value; });
      std::int64_t const gamma = best->gamma;
      rows.add({"best policy", std::string(top.policy->name), Number{costs[i]}, gamma,
                gain_cell(top.over_best, fixed, input.confidence)});
      oracle.push_back(
          {"oracle", std::string(words_of(DraftPolicy::exact).name), Number{costs[i]}, gamma,
           gain_cell(oracle_speedup(DraftPolicy::exact, texts, sample) - fixed, fixed, input.confidence)});
    }
    for (std::vector<Cell>& row : oracle) rows.add(std::move(row));
  }
  bool const several = all.size() > 1;
  std::string caption = fmt::format(
      "What choosing each round's draft length gains over the best fixed γ, against what a draft step costs in "
      "target "
      "steps: the fastest of the policies that engines and papers have at each cost, which is chosen after the fact, "
      "and "
      "{}an oracle that drafts exactly what will be accepted. Along the texts of {}{}. {}",
      several ? "dashed " : "", to_string(all),
      other_costs(all.front()->costs, all.front()->estimates.options().bonus),
      band_text(all, fmt::format("Band: {:g} % of the policy's difference over texts.", 100 * input.confidence)));
  auto const drawn = [&] {
    std::string const x = Spec::parse(adapting_gain_spec)["encoding"]["x"].dump();
    return overlay_spec({{x,
                          "over the best fixed γ (%)",
                          {{"gain", "datum.by == 'best policy'"}, {"gain", "datum.by != 'best policy'", true}}}},
                        rows.table());
  };
  return {std::string(name), "What adapting the draft length wins", std::move(caption),
          several ? drawn() : spec_of(adapting_gain_spec, rows.table()), rows.table()};
}

}  // namespace

FigureCard figures::adapting_gain() {
  return {"adapting-gain",
          "what the best policy and an oracle gain over the best fixed γ, against c",
          "",
          true,
          {.costs = true, .round_costs = true, .bonus = true, .intervals = true},
          draw_adapting_gain};
}

}  // namespace draftgauge
