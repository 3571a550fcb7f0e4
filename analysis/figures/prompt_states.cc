#include <fmt/format.h>

#include <cmath>

#include "analysis/families/prompt_choice.h"
#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "analysis/tables/shipped_accuracies.h"

namespace draftgauge {
namespace {

constexpr char const* prompt_states_spec = R"json({
  "encoding": {
    "x": {
      "field": "x", "type": "quantitative", "title": "state: prompts behind the last accepted node",
      "axis": {"tickMinStep": 1, "format": "d", "grid": false, "ticks": false, "domain": false}, "scale": {"nice": false}
    },
    "y": {"field": "y", "type": "quantitative", "axis": null, "scale": {"nice": false}}
  },
  "layer": [
    {
      "transform": [{"filter": "datum.kind == 'change'"}],
      "mark": {"type": "line", "style": "edge"},
      "encoding": {
        "detail": {"field": "change"}, "order": {"field": "order"},
        "strokeWidth": {"field": "probability", "type": "quantitative", "scale": {"domain": [0, 1]}, "legend": null}
      }
    },
    {
      "transform": [{"filter": "datum.kind == 'to the right'"}],
      "mark": {"type": "point", "shape": "triangle-right", "filled": true, "opacity": 1}
    },
    {
      "transform": [{"filter": "datum.kind == 'to the left'"}],
      "mark": {"type": "point", "shape": "triangle-left", "filled": true, "opacity": 1}
    },
    {
      "transform": [{"filter": "datum.kind == 'state'"}],
      "mark": {"type": "point", "filled": true, "opacity": 1},
      "encoding": {
        "size": {"field": "probability", "type": "quantitative", "scale": {"domain": [0, 1]}, "legend": null},
        "tooltip": [
          {"field": "state", "title": "state"},
          {"field": "probability", "title": "rounds", "format": ".4f"},
          {"field": "tokens", "title": "E[N]", "format": ".4f"}
        ]
      }
    },
    {
      "transform": [{"filter": "isValid(datum.label)"}],
      "mark": {"type": "text", "style": "state-label"},
      "encoding": {"text": {"field": "label"}, "y": {"field": "label_y", "type": "quantitative"}}
    }
  ],
  "resolve": {"scale": {"size": "independent"}}
})json";

struct Point {
  double x, y;
};

constexpr int steps = 24;
constexpr double lift = .5;  ///< of an arc over the way from one state to the next

/// Along the way of a change: an arc above to a later state, below to an earlier one, a loop above to the same.
Point along(std::size_t from, std::size_t to, double share) {
  constexpr double pi = 3.14159265358979323846, loop = .16;
  auto const begin = static_cast<double>(from), way = static_cast<double>(to) - begin;
  if (from == to) return {begin - loop * std::sin(2 * pi * share), loop * 1.5 * (1 - std::cos(2 * pi * share)) / 2};
  return {begin + way * share, lift * way * 2 * share * (1 - share)};
}

Figure draw_prompt_states(FigureInput const& input, std::string_view name) {
  FigurePrompts const& prompts = input.prompts;
  std::string const of = prompts.of.empty() ? std::string(shipped_models()[1]) : prompts.of;
  PromptAccuracies const accuracies = prompts.of.empty() ? shipped_accuracies(of) : prompts.accuracies;
  PricedPrompts const best = choose_prompt_trees(accuracies, prompts.nodes, Costs{}).chosen();
  PromptStates const& states = best.design.states;

  Table table{{"kind", "kind", Align::left},
              {"change", "change", Align::left},
              {"order", "order"},
              {"state", "state"},
              {"probability", "probability"},
              {"tokens", "E[N]"},
              {"x", "x"},
              {"y", "y"},
              {"label", "label", Align::left},
              {"label_y", "label's y"}};
  std::size_t const count = states.share.size();
  constexpr double unseen = 5e-4;  // would be labelled .00
  for (std::size_t k = 1; k < count; ++k)
    for (std::size_t i = 1; i < count && states.share[k] > 0; ++i) {
      double const p = states.next[k][i];
      if (p < unseen) continue;
      for (int step = 0; step <= steps; ++step) {
        Point const at = along(k, i, static_cast<double>(step) / steps);
        table.add({"change", fmt::format("{} to {}", k, i), std::int64_t{step}, Cell(), Number{p}, Cell(),
                   Number{at.x}, Number{at.y}, Cell(), Cell()});
      }
      Point const middle = along(k, i, .5);
      double const beside = i < k ? -.07 : .07;
      table.add({i < k ? "to the left" : "to the right", fmt::format("{} to {}", k, i), Cell(), Cell(), Number{p},
                 Cell(), Number{middle.x}, Number{middle.y}, fmt::format("{:.2f}", p), Number{middle.y + beside}});
    }
  for (std::size_t k = 1; k < count; ++k)
    table.add({"state", Cell(), Cell(), static_cast<std::int64_t>(k), Number{states.share[k]},
               Number{1 + states.accepted[k]}, Number{static_cast<double>(k)}, Number{0},
               fmt::format("{:.0f} %", 100 * states.share[k]), Number{-.1}});
  Spec drawn = spec_of(prompt_states_spec, table);
  double const farthest = static_cast<double>(count - 1) - 1;
  drawn["encoding"]["x"]["scale"]["domain"] = {.6, static_cast<double>(count) - .6};
  drawn["encoding"]["y"]["scale"]["domain"] = {-.5 * lift * farthest - .2, std::max(.5 * lift * farthest, .24) + .2};
  std::string shares;
  for (std::size_t k = 1; k < count; ++k)
    shares += fmt::format("{}{} in {:.1f} % of rounds (E[N] = {:.3f})", k == 1 ? "" : ", ", k, 100 * states.share[k],
                          1 + states.accepted[k]);
  std::string caption = fmt::format(
      "How a round of PPD follows another, for {} within {} tokens a pass: numbers are probabilities of the next "
      "state, areas of the discs the share of rounds in a state. State {}; together 1 + R = {:.4f} tokens per round. "
      "A round that accepts nothing is followed by state {}. Chen et al. 2024 (arXiv 2405.18628), Section 4.",
      of, prompts.nodes, shares, 1 + states.mean_accepted, count - 1);
  return {std::string(name), "Parallel prompt decoding: from state to state", std::move(caption), std::move(drawn),
          std::move(table)};
}

}  // namespace

FigureCard figures::prompt_states() {
  return {"ppd-states",
          "the chain of states of parallel prompt decoding, and how often rounds are in each",
          "Chen et al. 2024, PPD (arXiv 2405.18628), Section 4",
          false,
          {.prompts = true},
          draw_prompt_states};
}

}  // namespace draftgauge
