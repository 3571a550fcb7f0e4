#include <fmt/format.h>

#include <algorithm>

#include "analysis/dependence.h"
#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"

namespace draftgauge {
namespace {

constexpr char const* spec = R"json({
  "encoding": {
    "x": {"field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}},
    "color": {"field": "part", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 2}}
  },
  "layer": [
    {"mark": {"type": "rule", "style": "reference"}, "encoding": {"y": {"datum": 0}, "x": null, "color": null}},
    {
      "transform": [{"filter": "datum.part == 'Eq. (1) − replay' && isValid(datum.tokens_low)"}],
      "mark": {"type": "area", "style": "band"},
      "encoding": {"y": {"field": "tokens_low", "type": "quantitative"}, "y2": {"field": "tokens_high"}}
    },
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

Figure make(FigureInput const& input) {
  FigureRecording const& of = replayable(input, "iid-gap");
  auto const gammas = gammas_of(input, of);
  Dependence const found = dependence(of.estimates);
  Table table{{"part", "part", Align::left}, {"gamma", "γ"}, {"tokens", "tokens per round"}};
  for (Part const& part : parts)
    for (Dependence::Gap const& gap : found.gaps)
      if (std::ranges::find(gammas, gap.gamma) != gammas.end())
        table.add({part.words, std::int64_t{gap.gamma}, cell_of(gap.*part.estimate, input.confidence)});
  std::string caption = fmt::format(
      "How far Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192), which takes acceptances for independent, is "
      "above "
      "what the text itself gives, {}; and the three parts that it sums up from. Band: {:g} % of the difference over "
      "texts.",
      words_of(of), 100 * input.confidence);
  return {"iid-gap", "What independence promises too much", std::move(caption), spec_of(spec, table),
          std::move(table)};
}

}  // namespace

FigureCard figures::iid_gap() {
  return {"iid-gap", "Eq. (1) less replay against γ, with the interval of the difference", "", true, make};
}

}  // namespace draftgauge
