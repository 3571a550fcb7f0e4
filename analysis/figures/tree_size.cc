#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "analysis/figures/tree_subject.h"
#include "analysis/theory/optimum.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr char const* tree_size_spec = R"json({
  "encoding": {
    "x": {
      "field": "nodes", "type": "quantitative", "title": "nodes, with the root",
      "axis": {"tickMinStep": 1, "format": "d"}, "scale": {"zero": false, "nice": false}
    },
    "color": {"field": "by", "type": "nominal", "sort": null, "legend": {"title": null, "symbolType": "stroke"}}
  },
  "layer": [
    {
      "transform": [
        {"filter": "datum.near"},
        {"calculate": "datum.nodes - 0.5", "as": "begin"}, {"calculate": "datum.nodes + 0.5", "as": "end"}
      ],
      "mark": {"type": "rect", "style": "near"},
      "encoding": {"x": {"field": "begin", "type": "quantitative"}, "x2": {"field": "end"}, "color": null}
    },
    {"band_of": "speedup", "encoding": {"y": {"scale": {"zero": false}}}},
    {
      "mark": {"type": "line"},
      "encoding": {
        "y": {"field": "speedup", "type": "quantitative", "title": "speed-up S", "scale": {"zero": false}}
      }
    },
    {
      "transform": [{"filter": "datum.best"}],
      "mark": {"type": "point", "filled": true, "opacity": 1},
      "encoding": {"y": {"field": "speedup", "type": "quantitative"}}
    }
  ]
})json";

constexpr char const* ceiling_of = "ceiling of lossless rules";

/// S of the best trees if their drafts were verified as well as can be, up to the size from which they are too many to
/// enumerate. Returns the last size, 0 where there is none.
std::uint32_t add_ceiling(std::vector<SubjectTree> const& sizes, FigureTrees const& trees, Table& table) {
  std::uint32_t last = 0;
  for (SubjectTree const& each : sizes) {
    auto const most = trees.ceiling ? trees.ceiling(each.tree) : std::nullopt;
    if (!most) break;
    last = each.tree.size();
    double const time = each.tokens / each.speedup;
    table.add({ceiling_of, std::int64_t{last}, std::int64_t{each.tree.depth()}, Number{1 + *most},
               Number{(1 + *most) / time}, false, false});
  }
  return last;
}

Figure draw_tree_size(FigureInput const& input, std::string_view name) {
  if (input.trees.tree)
    throw UsageError(fmt::format("{} is drawn of the best trees of each size (one tree has one size)", name),
                     "name no tree");
  if (input.trees.reach)
    throw UsageError(
        fmt::format("{} is drawn by acceptance of ranks, which these contexts do not have (they follow each other)",
                    name),
        "give a source of independent contexts, or `accept`");
  TreeSubject const subject = tree_subject(input, name);
  Table table{{"by", "by", Align::left}, {"nodes", "nodes"}, {"depth", "levels"}, {"tokens", "E[N]"},
              {"speedup", "S"},          {"near", "near"},   {"best", "best"}};
  auto const add = [&](std::string const& by, std::vector<SubjectTree> const& trees, std::size_t best) {
    for (std::size_t i = 0; i < trees.size(); ++i) {
      SubjectTree const& each = trees[i];
      table.add({by, std::int64_t{each.tree.size()}, std::int64_t{each.tree.depth()}, Number{each.tokens},
                 each.speedup_within ? Cell(Estimate{*each.speedup_within}) : Cell(Number{each.speedup}),
                 each.near_optimal, i == best});
    }
  };
  add("best tree", subject.sizes, subject.best);
  std::size_t const chain = smallest_best(speedups_of(subject.chains, &SubjectTree::speedup));
  add("chain", subject.chains, chain);
  std::uint32_t const bounded = add_ceiling(subject.sizes, input.trees, table);
  std::string caption = fmt::format(
      "S = E[N] / (d·c + v(n) + o) of the best tree of n nodes, d levels deep, and of the chain of as many, for {}, "
      "at {}. Points: the best of each, {} nodes with S = {:.4g} and γ = {} with S = {:.4g}. Grey: trees within {:g} "
      "% of the best.",
      subject.of, cost_words_of(subject), subject.tree().tree.size(), subject.tree().speedup, chain,
      subject.chains[chain].speedup, 100 * input.trees.near_optimal);
  if (bounded > 0)
    caption += fmt::format(
        " The ceiling is what no lossless rule exceeds on the drafts of these trees{}.",
        bounded < subject.sizes.back().tree.size()
            ? fmt::format(", up to {} nodes, beyond which their drafts are too many to enumerate", bounded)
            : "");
  Spec drawn = spec_of(tree_size_spec, table);
  if (subject.tree().speedup_within)
    caption += fmt::format(" Bands: {:g} % over texts.", 100 * input.confidence);
  else
    drawn["layer"].erase(1);  // Vega warns of a band without ends
  return {std::string(name), "Speed-up against the size of the draft tree", std::move(caption), std::move(drawn),
          std::move(table)};
}

}  // namespace

FigureCard figures::tree_size() {
  return {"tree-size",
          "speed-up of the best tree of each size, beside the chain of as many nodes",
          "Chen et al. 2024, Sequoia (arXiv 2402.12374), Section 3.3",
          true,
          {.round_costs = true, .intervals = true, .trees = true},
          draw_tree_size,
          OnTheoryPage::ranks};
}

}  // namespace draftgauge
