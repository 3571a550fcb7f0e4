#include "analysis/theory/rule_acceptance.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/recordings/row_rules.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr char const* rule_acceptance_spec = R"json({
  "encoding": {
    "x": {"field": "temperature", "type": "quantitative", "title": "temperature of both distributions"},
    "y": {
      "field": "acceptance", "type": "quantitative", "title": "P(a draft is accepted)", "scale": {"domain": [0, 1]}
    },
    "color": {
      "field": "rule", "type": "nominal", "sort": null,
      "legend": {"title": null, "columns": 2, "symbolType": "stroke"}
    },
    "strokeDash": {"field": "candidates", "type": "nominal", "legend": {"title": "drafts a position"}}
  },
  "layer": [{"mark": "line"}]
})json";

/// One draft a position, then four.
struct Shown {
  std::string_view rule, drafter;
  int branching;
};
constexpr Shown shown[] = {{"token", "sample", 1}, {"coupled", "sample", 1},   {"one-hot", "top", 1},
                           {"k-seq", "sample", 4}, {"recursive", "sample", 4}, {"top-set", "top", 4}};

double mean(std::vector<std::vector<double>> const& texts) {
  double sum = 0, count = 0;
  for (std::vector<double> const& text : texts)
    for (double const each : text) sum += each, ++count;
  return sum / count;
}

Figure draw_rule_acceptance(FigureInput const& input, std::string_view name) {
  require_one_recording(input, name, "its colours are rules, and its dashes drafts a position");
  auto const of = std::ranges::find_if(input.recordings, [](auto const& each) { return bool(each.rows); });
  if (of == input.recordings.end())
    throw InputError(
        fmt::format("{} is drawn of full rows (two numbers a token do not tell what other rules or temperatures "
                    "would accept)",
                    name),
        "give a recording of rows, such as data/smollm2_prune2_24.safetensors");
  Table table{{"rule", "rule", Align::left}, {"candidates", "k"}, {"temperature", "T"}, {"acceptance", "acceptance"}};
  int const branching[] = {1, 4};
  auto const is_shown = [](AcceptanceFormula const& formula, int k) {
    return std::ranges::any_of(shown, [&](Shown const& each) {
      return formula.rule == each.rule && formula.drafter == each.drafter && k == each.branching;
    });
  };
  std::uint64_t rows = 0, before = 0, vocab = 0;
  std::string left_out;
  std::vector<double> const temperatures = even_steps(0, 1.6, 8);
  for (double const temperature : temperatures) {
    RowPairs pairs = of->rows();
    rows = pairs.target->layout().rows;
    vocab = pairs.target->layout().vocab;
    SamplingParameters const sampling{.temperature = temperature};
    auto const rules = rules_at_rows(
        pairs, sampling, sampling, branching, {}, input.threads,
        [&](std::uint64_t done) {
          if (input.progress) input.progress(before + done, rows * temperatures.size());
        },
        is_shown);
    before += rows;
    for (Shown const& each : shown) {
      auto const found = std::ranges::find_if(rules, [&](RowRule const& rule) {
        return rule.formula.rule == each.rule && rule.formula.drafter == each.drafter &&
               rule.branching == each.branching;
      });
      if (found == rules.end()) {  // drafts of one position that differ are no more than tokens
        left_out = fmt::format(" {} is left out: it drafts {} different tokens, and there are {}.", each.rule,
                               each.branching, vocab);
        continue;
      }
      table.add({std::string(each.rule), std::int64_t{each.branching}, Number{temperature, 2},
                 Number{mean(found->accepted)}});
    }
  }
  std::string caption = fmt::format(
      "Mean over {} recorded positions of {} of the probability that a rule accepts a draft, with both distributions "
      "at the temperature on the axis: exact at each position, along a text of one temperature.",
      rows, of->name);
  caption += left_out;
  return {std::string(name), "What verification rules accept, by temperature", std::move(caption),
          spec_of(rule_acceptance_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::rule_acceptance() {
  return {"rule-acceptance",   "acceptance of rules against temperature, over full rows", "", true, {},
          draw_rule_acceptance};
}

}  // namespace draftgauge
