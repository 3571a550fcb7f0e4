#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "analysis/figures/tree_columns.h"
#include "analysis/figures/tree_subject.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/token_coin.h"
#include "analysis/trees/breadth_first.h"

namespace draftgauge {
namespace {

constexpr char const* tree_spec = R"json({
  "encoding": {
    "x": {
      "field": "column", "type": "quantitative", "title": null,
      "axis": {"labels": false, "ticks": false, "domain": false, "grid": false},
      "scale": {"zero": false, "nice": false}
    },
    "y": {
      "field": "depth", "type": "quantitative", "title": "depth",
      "axis": {"tickMinStep": 1, "format": "d", "ticks": false, "domain": false, "grid": false},
      "scale": {"reverse": true, "zero": false, "nice": false}
    }
  },
  "layer": [
    {
      "transform": [{"filter": "datum.from <= nodes && nodes <= datum.to && isValid(datum.parent_column)"}],
      "mark": {"type": "rule", "style": "edge"},
      "encoding": {
        "x2": {"field": "parent_column"}, "y2": {"field": "parent_depth"},
        "size": {"field": "acceptance", "type": "quantitative", "scale": {"domain": [0, 1]}, "legend": null}
      }
    },
    {
      "transform": [{"filter": "datum.from <= nodes && nodes <= datum.to && isValid(datum.reach)"}],
      "mark": {"type": "point", "filled": true, "opacity": 1},
      "encoding": {
        "size": {"field": "reach", "type": "quantitative", "scale": {"domain": [0, 1]}, "legend": null},
        "color": {
          "field": "kind", "type": "nominal", "sort": null, "legend": {"title": null},
          "scale": {"domain": ["draft", "accepted in this round"]}
        },
        "tooltip": [
          {"field": "rank", "title": "rank"}, {"field": "depth", "title": "depth"},
          {"field": "reach", "title": "P(accepted)", "format": ".3f"},
          {"field": "acceptance", "title": "P(… | its parent is)", "format": ".3f"}
        ]
      }
    },
    {
      "transform": [{"filter": "datum.from == nodes && isValid(datum.tokens)"}],
      "mark": {"type": "text", "style": "tree-label"},
      "encoding": {"x": {"value": "width"}, "y": {"value": 0}, "text": {"field": "label"}}
    }
  ],
  "resolve": {"scale": {"size": "independent"}}
})json";

/// How often a node is written out: names of so many columns fit side by side.
constexpr double most_named_columns = 9;

/// All trees as one, and in which of them each of its nodes is.
struct Union {
  TreeShape tree;
  std::vector<std::vector<bool>> in;                ///< [node][size]
  std::vector<std::vector<std::uint32_t>> numbers;  ///< [size][node of that size's tree] its number here
};

Union united(std::span<SubjectTree const> sizes) {
  std::vector<std::vector<std::uint32_t>> children(1), numbers(sizes.size());
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    TreeShape const& tree = sizes[s].tree;
    numbers[s].assign(tree.size(), 0);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      TreeNode const below = tree.children(node);
      for (std::uint32_t rank = 0; rank < below.count; ++rank) {
        std::uint32_t const at = numbers[s][node];
        if (rank == children[at].size()) {
          children[at].push_back(static_cast<std::uint32_t>(children.size()));
          children.emplace_back();
        }
        numbers[s][below.first + rank] = children[at][rank];
      }
    }
  }
  BreadthFirst const all = breadth_first(children);
  std::vector<std::uint32_t> renumbered(children.size());
  for (std::uint32_t node = 0; node < all.nodes.size(); ++node) renumbered[all.nodes[node]] = node;
  Union result{all.tree, std::vector(all.nodes.size(), std::vector<bool>(sizes.size())), std::move(numbers)};
  for (std::size_t s = 0; s < sizes.size(); ++s)
    for (std::uint32_t& number : result.numbers[s]) {
      number = renumbered[number];
      result.in[number][s] = true;
    }
  return result;
}

/// The nodes that a round accepts, the root among them: down from it, to each child with the share of its parent's
/// rounds that come to it.
std::vector<bool> one_round(TreeShape const& tree, std::vector<double> const& reach, std::uint64_t seed) {
  std::vector<bool> accepted(tree.size());
  TokenCoins coins(seed, 0);
  for (std::optional<std::uint32_t> at = 0; at;) {
    accepted[*at] = true;
    TreeNode const below = tree.children(*at);
    std::uint32_t const i = share_holding(coins.next() * reach[*at], below.count,
                                          [&](std::uint32_t rank) { return reach[below.first + rank]; });
    at = i < below.count ? std::optional(below.first + i) : std::nullopt;
  }
  return accepted;
}

std::string label(SubjectTree const& at) {
  return fmt::format("{}: {:.2f} tokens, S = {:.2f}", counted(at.tree.size(), "node"), at.tokens, at.speedup);
}

Table table_of(TreeSubject const& subject, FigureInput const& input) {
  Table table{{"kind", "kind", Align::left},
              {"from", "from nodes"},
              {"to", "to nodes"},
              {"node", "node"},
              {"parent", "parent"},
              {"depth", "depth"},
              {"rank", "rank"},
              {"reach", "P(accepted)"},
              {"acceptance", "P(accepted | parent)"},
              {"column", "column"},
              {"parent_column", "parent's column"},
              {"parent_depth", "parent's depth"},
              {"tokens", "E[N]"},
              {"speedup", "S"},
              {"label", "label", Align::left}};
  std::span const sizes(subject.sizes.data(), subject.best + 1);
  Union const all = united(sizes);
  std::vector<double> const columns = tree_columns(all.tree);
  std::vector<std::vector<double>> reach(sizes.size(), std::vector<double>(all.tree.size()));
  std::vector<bool> accepted(all.tree.size());
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    std::vector<double> const here = subject.reach(sizes[s].tree);
    for (std::size_t v = 0; v < here.size(); ++v) reach[s][all.numbers[s][v]] = here[v];
    if (s != subject.best || !input.trees.mark_round) continue;
    std::vector<bool> const path = one_round(sizes[s].tree, here, input.seed);
    for (std::size_t v = 1; v < here.size(); ++v) accepted[all.numbers[s][v]] = path[v];
  }
  auto const nodes = [&](std::size_t s) { return static_cast<std::int64_t>(sizes[s].tree.size()); };
  for (std::uint32_t node = 0; node < all.tree.size(); ++node) {
    auto const parent = static_cast<std::size_t>(std::max(0, all.tree.parents()[node]));
    bool const root = node == 0;
    for (std::size_t first = 0; first < sizes.size(); ++first) {
      if (!all.in[node][first]) continue;
      std::size_t last = first;
      while (last + 1 < sizes.size() && all.in[node][last + 1]) ++last;
      std::vector<double> const& here = reach[last];  // the size nearest to the best
      auto const unless_root = [&](auto value) { return root ? Cell() : Cell(value); };
      table.add({std::string(accepted[node] ? "accepted in this round" : "draft"), nodes(first), nodes(last),
                 std::int64_t{node}, unless_root(static_cast<std::int64_t>(parent)),
                 std::int64_t{all.tree.depth(node)},
                 unless_root(std::int64_t{node} - all.tree.children(static_cast<std::uint32_t>(parent)).first + 1),
                 Number{here[node]}, unless_root(Number{here[parent] > 0 ? here[node] / here[parent] : 0}),
                 Number{columns[node], 0}, unless_root(Number{columns[parent], 0}),
                 unless_root(std::int64_t{all.tree.depth(node)} - 1), Cell(), Cell(), Cell()});
      first = last;
    }
  }
  for (std::size_t s = 0; s < sizes.size(); ++s)
    table.add({"tree", nodes(s), nodes(s), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), Cell(),
               Number{sizes[s].tokens}, Number{sizes[s].speedup}, label(sizes[s])});
  return table;
}

/// What the table cannot say: how far axes reach, which size is shown, and with what a reader changes it.
void complete(Spec& drawn, TreeSubject const& subject, Table const& table, bool mark_round) {
  double right = 0, deepest = 1;
  for (auto const& row : table.rows())
    if (auto const* column = std::get_if<Number>(&row[9])) {
      right = std::max(right, column->value);
      deepest = std::max(deepest, static_cast<double>(std::get<std::int64_t>(row[5])));
    }
  // The root, as large as nodes get, and above it a line of text.
  drawn["encoding"]["x"]["scale"]["domain"] = {-.05 * right - .2, 1.02 * right + .2};
  drawn["encoding"]["y"]["scale"]["domain"] = {-.15 * deepest - .1, 1.05 * deepest};
  Spec size = {{"name", "nodes"}, {"value", subject.tree().tree.size()}};
  if (subject.sizes.size() > 1)
    size["bind"] = {{"input", "range"},
                    {"name", "nodes "},
                    {"min", subject.sizes.front().tree.size()},
                    {"max", subject.tree().tree.size()},
                    {"step", 1}};
  drawn["params"] = Spec::array({std::move(size)});
  if (!mark_round) drawn["layer"][1]["encoding"].erase("color");
  if (right < most_named_columns)
    drawn["layer"].push_back(
        {{"transform", Spec::array({{{"filter", "datum.from <= nodes && nodes <= datum.to && datum.node > 0"}}})},
         {"mark", {{"type", "text"}, {"style", "node-label"}}},
         {"encoding", {{"text", {{"field", "reach"}, {"type", "quantitative"}, {"format", ".2f"}}}}}});
}

Figure draw_tree(FigureInput const& input, std::string_view name) {
  TreeSubject const subject = tree_subject(input, name);
  SubjectTree const& shown = subject.tree();
  Table table = table_of(subject, input);
  std::string caption = fmt::format(
      "{} {} nodes, its root among them, of {}: E[N] = {:.4g} tokens per round, S = {:.4g} at {}. The larger a node "
      "the more rounds accept it, the wider a line the more of those that accept the node above; siblings stand by "
      "rank, the first one left.{}",
      subject.sizes.size() > 1 ? "The best tree of" : "A tree of", shown.tree.size(), subject.of, shown.tokens,
      shown.speedup, cost_words_of(subject),
      input.trees.mark_round ? fmt::format(" Marked: what one round accepted (seed {}).", input.seed) : "");
  Spec drawn = spec_of(tree_spec, table);
  complete(drawn, subject, table, input.trees.mark_round);
  return {std::string(name), "A draft tree, and how often a round accepts each draft", std::move(caption),
          std::move(drawn), std::move(table)};
}

}  // namespace

FigureCard figures::tree() {
  return {"tree",
          "the best draft tree, or one that is given, with the acceptance of each draft",
          "Chen et al. 2024, Sequoia (arXiv 2402.12374)",
          true,
          {.round_costs = true, .trees = true, .one_tree = true, .mark_round = true},
          draw_tree,
          OnTheoryPage::ranks};
}

}  // namespace draftgauge
