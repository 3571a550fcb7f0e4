#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/dependence.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr char const* iid_gap_spec = R"json({
  "encoding": {
    "x": {"field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}},
    "color": {"field": "part", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 2}}
  },
  "layer": [
    {"mark": {"type": "rule", "style": "reference"}, "encoding": {"y": {"datum": 0}, "x": null, "color": null}},
    {"band_of": "tokens", "where": "datum.part == 'Eq. (1) − replay'"},
    {
      "mark": "line",
      "encoding": {"y": {"field": "tokens", "type": "quantitative", "title": "tokens per round too many"}}
    }
  ]
})json";

struct Part {
  char const* words;
  TextEstimate Dependence::Gap::* estimate;
};
constexpr Part parts[] = {{"Eq. (1) − replay", &Dependence::Gap::difference},
                          {"acceptances in runs", &Dependence::Gap::runs},
                          {"starts behind rejections", &Dependence::Gap::starts},
                          {"ends of texts", &Dependence::Gap::ends}};

Figure draw_iid_gap(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  RecordingRows rows(all, {{"part", "part", Align::left}, {"gamma", "γ"}, {"tokens", "tokens per round"}});
  for (std::size_t r = 0; r < all.size(); ++r) {
    rows.begin(r);
    auto const gammas = gammas_of(input, *all[r]);
    Dependence const found = dependence(all[r]->estimates);
    for (Part const& part : parts)
      for (Dependence::Gap const& gap : found.gaps)
        if (contains(gammas, gap.gamma))
          rows.add({part.words, std::int64_t{gap.gamma}, cell_of(gap.*part.estimate, input.confidence)});
  }
  std::string caption = fmt::format(
      "How far Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192), which takes acceptances for independent, is "
      "above what the text itself gives, {}{}. {}",
      to_string(all),
      all.size() > 1 ? "; the three parts that it sums up from are in the data"
                     : "; and the three parts that it sums up from",
      band_text(all, fmt::format("Band: {:g} % of the difference over texts.", 100 * input.confidence)));
  auto const drawn = [&] {
    return overlay_spec({{gamma_axis, "tokens per round too many", {{"tokens", "datum.part == 'Eq. (1) − replay'"}}}},
                        rows.table());
  };
  return {std::string(name), "What independence promises too much", std::move(caption),
          all.size() > 1 ? drawn() : spec_of(iid_gap_spec, rows.table()), rows.table()};
}

}  // namespace

FigureCard figures::iid_gap() {
  return {"iid-gap",
          "Eq. (1) less replay against γ, with the interval of the difference",
          "",
          true,
          {.gammas = true, .bonus = true, .intervals = true},
          draw_iid_gap};
}

}  // namespace draftgauge
