#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/exact/exact.h"
#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "analysis/frontier/round_program.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

constexpr char const* lossy_frontier_spec = R"json({
  "encoding": {
    "x": {"field": "tv", "type": "quantitative", "title": "total variation of the text from the target's"},
    "y": {
      "field": "accepted", "type": "quantitative", "title": "accepted drafts per round", "scale": {"zero": false}
    }
  },
  "layer": [
    {
      "transform": [{"filter": "datum.rule == 'any rule, at most'"}],
      "mark": {"type": "line", "style": "theory"}
    },
    {
      "transform": [{"filter": "datum.rule != 'any rule, at most'"}],
      "mark": {"type": "line", "point": true},
      "encoding": {
        "color": {"field": "rule", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 2}}
      }
    }
  ]
})json";

/// A rule at several values of a parameter, by a line, or at one.
struct Swept {
  std::string_view rule, key;
  std::vector<std::string_view> values;
};

/// The pair that most examples are of, and drafts that fit it badly enough for rules to differ.
ExactModel example_pair() {
  auto const tenths = [](std::vector<int> const& all) {
    std::vector<Rational> law;
    for (int const each : all) law.emplace_back(each, 10);
    return law;
  };
  return {Follow::independent, {{tenths({3, 4, 3}), tenths({6, 3, 1})}}};
}

Figure draw_lossy_frontier(FigureInput const&, std::string_view name) {
  constexpr int gamma = 2, length = gamma + 1;
  ExactModel const model = example_pair();
  SequenceLaw const target = target_law(model, length);
  Table table{{"rule", "rule", Align::left}, {"setting", "setting", Align::left}, {"tv", "TV"}, {"accepted", "E[τ]"}};
  for (int const hundredths : {0, 3, 6, 9, 12, 15, 18, 20, 21, 24, 27, 30, 33, 36, 39, 70}) {
    Rational const distance(hundredths, 100);
    table.add({std::string("any rule, at most"), std::string(), Number{static_cast<double>(distance)},
               Number{static_cast<double>(round_frontier(model, gamma, distance, length).mean_accepted)}});
  }
  // No more than a reader tells apart by colour.
  std::vector<Swept> const all = {{"mentored", "a", {"1", "1.1", "1.2", "1.4", "1.6", "2"}},
                                  {"lenient", "lenience", {"1", ".9", ".8", ".7", ".6", ".5"}},
                                  {"cactus", "delta", {"0", ".01", ".03", ".06", ".1", ".2"}},
                                  {"ears", "tolerance", {"0", ".2", ".4", ".6", ".8", "1"}},
                                  {"token-v3", "alpha", {".1"}},
                                  {"fly", "window", {"1"}},
                                  {"relaxed", "top", {"2"}}};
  for (Swept const& swept : all)
    for (std::string_view const value : swept.values) {
      std::string const setting = fmt::format("{}={}", swept.key, value);
      Task task{.rule = fmt::format("{}:{}", swept.rule, setting), .shape = {.gamma = gamma}};
      ExactRound const round = exact_round(task, model);
      table.add({std::string(swept.rule), setting,
                 Number{static_cast<double>(total_variation(completed(round, model, length), target))},
                 Number{static_cast<double>(round.mean_accepted())}});
    }
  return {std::string(name), "What lossy rules accept, and what could be had for it",
          "Accepted drafts of a round of γ = 2 against the total variation of three tokens from the target's, in "
          "fractions, on p = (.3, .4, .3) and q = (.6, .3, .1). Each rule is swept over its parameter; fly, relaxed "
          "and token-v3 are points. Dashed: the most that any rule accepts at that distance, by a linear program whose "
          "optimum is proved. At a distance of 0 that is block verification.",
          spec_of(lossy_frontier_spec, table), table};
}

}  // namespace

FigureCard figures::lossy_frontier() {
  return {"lossy-frontier",
          "what lossy rules accept against what they distort, and the most that could be had",
          "",
          false,
          {},
          draw_lossy_frontier};
}

}  // namespace draftgauge
