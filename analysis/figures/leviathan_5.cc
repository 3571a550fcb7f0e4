#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/replay/replay.h"

namespace draftgauge {
namespace {

constexpr char const* leviathan_5_spec = R"json({
  "encoding": {
    "y": {"field": "lane", "type": "nominal", "sort": null, "title": null},
    "x": {"field": "start", "type": "quantitative", "title": "time in plain steps of the target"},
    "x2": {"field": "end"}
  },
  "layer": [
    {
      "transform": [{"filter": "datum.pass == 'draft'"}],
      "mark": {"type": "bar", "style": "pass"},
      "encoding": {"color": {"field": "pass", "type": "nominal", "legend": {"title": null}}}
    },
    {
      "transform": [{"filter": "datum.pass == 'target'"}],
      "mark": {"type": "bar", "style": "target-pass"},
      "encoding": {"color": {"field": "pass", "type": "nominal"}}
    }
  ]
})json";

constexpr std::size_t most_tokens = 48;

class Timeline {
 public:
  explicit Timeline(Costs const& costs) : costs_(costs) {}

  void plain(std::size_t tokens) {
    double time = 0;
    for (std::size_t t = 0; t < tokens; ++t) pass("plain", "target", time, 1);
  }

  /// The rounds that start before `tokens` are emitted.
  void rounds(CoinRun const& run, int gamma, std::size_t tokens, bool bonus) {
    std::string const lane = fmt::format("γ = {}", gamma);
    double time = 0;
    for (std::size_t const start : run.starts({.gamma = gamma, .bonus = bonus})) {
      if (start >= tokens) break;
      for (int i = 0; i < gamma; ++i) pass(lane, "draft", time, costs_.draft);
      pass(lane, "target", time, costs_.verify_pass(gamma + 1));
      time += costs_.overhead;
    }
  }

  Table table{{"lane", "lane", Align::left}, {"pass", "pass of", Align::left}, {"start", "start"}, {"end", "end"}};

 private:
  void pass(std::string const& lane, char const* model, double& time, double takes) {
    if (takes <= 0) return;
    table.add({lane, model, Number{time}, Number{time + takes}});
    time += takes;
  }

  Costs costs_;
};

Figure draw_leviathan_5(FigureInput const& input, std::string_view name) {
  require_one_recording(input, name, "it is one run along a text");
  FigureRecording const& of = replayable(input, name);
  std::vector<double> const& accept = of.estimates.acceptance().front().a;
  bool const bonus = of.estimates.options().bonus;
  std::size_t const tokens = std::min(most_tokens, accept.size());
  CoinRun const run(accept, input.seed, 0);
  Timeline timeline(of.costs);
  std::vector<int> const gammas = or_else(input.gammas, {7, 3});
  for (int const gamma : gammas) timeline.rounds(run, gamma, tokens, bonus);
  timeline.plain(tokens);
  std::string caption = fmt::format(
      "Passes that write the first {} tokens of a text of {} with γ = {} and without a draft, as Figure 5 of "
      "Leviathan et al. 2023 (arXiv 2211.17192): one run of the token rule along the text, acceptance by a coin for "
      "each token (seed {}); a draft step takes {:g} of a plain step of the target{}.",
      tokens, name_of(of), fmt::join(gammas, ", "), input.seed, of.costs.draft, other_costs(of.costs, bonus));
  return {std::string(name), "The same text with drafts and without", std::move(caption),
          spec_of(leviathan_5_spec, timeline.table), std::move(timeline.table)};
}

}  // namespace

FigureCard figures::leviathan_5() {
  return {
      "leviathan-5", "timeline of a recorded text for two γ and plain decoding", "Leviathan et al. 2023, Figure 5",
      true,          {.gammas = true, .round_costs = true, .bonus = true},       draw_leviathan_5};
}

}  // namespace draftgauge
