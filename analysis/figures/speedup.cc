#include "analysis/figures/speedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/text_speedup.h"

namespace draftgauge {
namespace {

constexpr char const* alone = R"json({
  "encoding": {"x": {"field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}}},
  "layer": [
    {"band_of": "speedup"},
    {"mark": "line", "encoding": {"y": {"field": "speedup", "type": "quantitative", "title": "speed-up S"}}},
    {"mark": {"type": "rule", "style": "theory"}, "encoding": {"x": null, "y": {"datum": 1}}}
  ]
})json";

/// In place of the band where one γ has an interval.
constexpr char const* one_bar = R"json({
  "transform": [{"filter": "isValid(datum.speedup_low)"}],
  "mark": {"type": "rule", "strokeWidth": 3},
  "encoding": {"y": {"field": "speedup_low", "type": "quantitative"}, "y2": {"field": "speedup_high"}}
})json";

/// Of one recording, or of an engine's counters.
Spec one_spec(Table const& data, std::string const& y_title) {
  Spec spec = spec_of(alone, data);
  spec["layer"][1]["encoding"]["y"]["title"] = y_title;
  return spec;
}

/// A picture is seen without its caption.
std::string title_at(double cost) { return fmt::format("speed-up S at c = {:.3g}", cost); }

std::string over_text(CountedOver over) {
  switch (over) {
    case CountedOver::requests: return " over requests";
    case CountedOver::parts: return " over parts of one request";
    case CountedOver::totals: return ", of totals as if each round kept all of its drafts or none";
    default: return ", rounds taken to be independent";
  }
}

Figure draw_speedup(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  double const first = all.front()->costs.draft;
  bool const one_cost = std::ranges::all_of(all, [&](auto const* each) { return each->costs.draft == first; });
  std::string const y_title = one_cost ? title_at(first) : "speed-up S";
  RecordingRows rows(all, {{"cost", "c"}, {"gamma", "γ"}, {"speedup", "S"}});
  std::string costs;
  for (std::size_t r = 0; r < all.size(); ++r) {
    FigureRecording const& of = *all[r];
    costs += fmt::format("{}{:.4g}", costs.empty() ? "" : ", ", of.costs.draft);
    if (of.rejected) continue;  // no speed-up follows from it
    rows.begin(r);
    rows.add({Number{of.costs.draft}, std::int64_t{0}, Number{1}});
    for (int const gamma : gammas_of(input, of))
      if (auto const priced = text_speedup(of.estimates, Estimator::replay, gamma, of.costs))
        rows.add({Number{of.costs.draft}, std::int64_t{gamma},
                  cell_of(priced->speedup, input.confidence, priced->speedup_limits)});
  }
  std::string caption = fmt::format(
      "Speed-up over plain decoding against γ, by replay along the texts of {}; a draft step takes {} of a plain "
      "step of the target{}. {}γ = 0 is plain decoding.",
      to_string(all), costs, other_costs(all.front()->costs, all.front()->estimates.options().bonus),
      band_text(all, fmt::format("Band: {:g} % over texts. ", 100 * input.confidence)));
  Spec speedup_spec = all.size() > 1 ? overlay_spec({{gamma_axis, y_title, {{"speedup"}}}}, rows.table())
                                     : one_spec(rows.table(), y_title);
  if (!one_cost) {
    Spec costs_of = Spec::object();
    for (std::size_t r = 0; r < all.size(); ++r)
      costs_of[rows.names()[r]] = fmt::format(", c = {:.3g}", all[r]->costs.draft);
    speedup_spec["encoding"]["color"]["legend"]["labelExpr"] =
        fmt::format("datum.label + {}[datum.label]", costs_of.dump());
  }
  return {std::string(name), "Speed-up against the draft length", std::move(caption), std::move(speedup_spec),
          rows.table()};
}

}  // namespace

Figure counted_speedup_figure(CountedCurve const& curve, Costs const& costs, CountedAsked const& asked,
                              std::string const& of) {
  Table rows{{"cost", "c"}, {"gamma", "γ"}, {"mean_tokens", "E[N]"}, {"speedup", "S"}};
  for (std::size_t gamma = 0; gamma < curve.rows.size(); ++gamma) {
    auto const& within = curve.rows[gamma].interval;
    rows.add({Number{costs.draft}, static_cast<std::int64_t>(gamma), Number{curve.rows[gamma].tokens},
              within ? Cell(Estimate{*within}) : Cell(Number{curve.rows[gamma].speedup})});
  }
  bool const barred = std::ranges::any_of(curve.rows, [](GammaRow const& row) { return row.interval.has_value(); });
  std::string const which = curve.ran ? fmt::format("Bar at γ = {}, which ran", *curve.ran) : "Bars, of a replay";
  std::string const bar =
      barred ? fmt::format("{}: {:g} %{}. ", which, 100 * asked.confidence, over_text(curve.over)) : "";
  std::string caption = fmt::format(
      "Speed-up over plain decoding against γ, by what an engine counted ({}); a draft step takes {:.4g} of a plain "
      "step of the target{}. {}γ = 0 is plain decoding.",
      of, costs.draft, other_costs(costs, asked.bonus), bar);
  Spec drawn = one_spec(rows, title_at(costs.draft));
  drawn["layer"][0] = Spec::parse(one_bar);
  return {std::string(figures::speedup().name), "Speed-up against the draft length", std::move(caption),
          std::move(drawn), std::move(rows)};
}

FigureCard figures::speedup() {
  return {"speedup", "speed-up against γ by replay with its band, a colour for each draft",   "",
          true,      {.gammas = true, .round_costs = true, .bonus = true, .intervals = true}, draw_speedup};
}

}  // namespace draftgauge
