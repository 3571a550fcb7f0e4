#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "analysis/choose/text_choice.h"
#include "analysis/figures/figure.h"
#include "analysis/figures/tree_columns.h"
#include "analysis/trees/sequoia.h"
#include "analysis/trees/tree_replay.h"
#include "analysis/trees/tree_speedup.h"
#include "tests/analysis/figures/figure_cells.h"
#include "tests/analysis/figures/shipped_recordings.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using namespace testing;
using Row = std::vector<Cell>;

/// What the figure has of one column, row by row.
Cell const& at(Figure const& figure, Row const& row, std::string_view key) {
  auto const& columns = figure.data.columns();
  return row[static_cast<std::size_t>(std::ranges::find(columns, key, &Column::key) - columns.begin())];
}
std::vector<Row> rows_where(Figure const& figure, std::string_view key, std::string_view value) {
  std::vector<Row> rows;
  std::ranges::copy_if(figure.data.rows(), std::back_inserter(rows),
                       [&](Row const& row) { return text(at(figure, row, key)) == value; });
  return rows;
}

// Pair R of docs/trees.md, p = (.3, .4, .3) and q = (.6, .3, .1): what recursive rejection accepts without replacement.
FigureInput of_pair_r(int nodes, Costs costs = {}) {
  FigureInput input;
  input.trees = {.of = "R", .ranks = {.7, .175, .125}, .nodes = nodes, .costs = std::move(costs)};
  return input;
}
Costs const priced{.draft = .1, .verify = {{1, 1.}, {2, 1.02}}};

FigureInput recorded() {
  FigureInput input{.threads = 2};
  input.recordings.push_back(shipped_rows(EstimateOptions::of_these({1}, true), priced));
  input.trees.nodes = 24;
  return input;
}

TEST_CASE("tree_columns: first children stand below their parents, siblings in order, no two nodes on each other") {
  for (auto const& parents : std::vector<std::vector<int>>{{-1, 0, 0, 1, 1, 3},
                                                           {-1, 0, 0, 0, 1, 2, 2, 3, 3, 3},
                                                           {-1, 0, 1, 2, 2, 2},
                                                           {-1, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4}}) {
    TreeShape const tree = TreeShape::of_parents(parents);
    std::vector<double> const columns = tree_columns(tree);
    std::map<int, double> last;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      CAPTURE(tree.text(), node, columns[node]);
      if (last.contains(tree.depth(node))) CHECK(columns[node] >= last[tree.depth(node)] + 1);
      last[tree.depth(node)] = columns[node];
      if (tree.children(node).count > 0) CHECK(columns[tree.children(node).first] == columns[node]);
    }
  }
  CHECK(tree_columns(TreeShape::of_parents({-1, 0, 0, 1, 1, 3})) == std::vector<double>{0, 0, 1, 0, 1, 0});
}

// Sequoia's F of this vector at 4, 6, 8 and 16 nodes, recomputed in fractions.
TEST_CASE("figure tree: of each size the best tree is drawn, with the tokens that its nodes add up to") {
  Figure const figure = card("tree").make(of_pair_r(16));
  std::map<int, double> tokens;
  for (Row const& row : rows_where(figure, "kind", "tree")) {
    int const nodes = static_cast<int>(number(at(figure, row, "from")));
    tokens[nodes] = number(at(figure, row, "tokens"));
    double reached = 0;
    int drawn = 0;
    for (Row const& draft : rows_where(figure, "kind", "draft"))
      if (number(at(figure, draft, "from")) <= nodes && nodes <= number(at(figure, draft, "to"))) {
        reached += number(at(figure, draft, "reach"));
        ++drawn;
      }
    CHECK(drawn == nodes);
    CHECK(reached == Approx(tokens[nodes]).epsilon(1e-12));
  }
  CHECK(tokens.size() == 16);
  CHECK(tokens[4] == Approx(2.533).epsilon(1e-9));
  CHECK(tokens[6] == Approx(2.9481).epsilon(1e-9));
  CHECK(tokens[8] == Approx(3.24117).epsilon(1e-6));
  CHECK(tokens[16] == Approx(4.036069).epsilon(1e-6));
  CHECK(figure.spec["params"][0]["value"] == 16);
  CHECK(figure.spec["params"][0]["bind"]["max"] == 16);
}

TEST_CASE("figure tree: a tree that is given is drawn alone, with the chances that its rounds have") {
  FigureInput input = of_pair_r(16);
  input.trees.tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 3});
  input.trees.reach = [](TreeShape const&) { return std::vector<double>{1, .7, .175, .55, .1, .454}; };
  Figure const figure = card("tree").make(input);
  CHECK(rows_where(figure, "kind", "draft").size() == 6);
  CHECK(number(at(figure, rows_where(figure, "kind", "draft")[5], "acceptance")) == Approx(.454 / .55));
  CHECK(number(at(figure, rows_where(figure, "kind", "tree")[0], "tokens")) == Approx(2.979));
  CHECK_FALSE(figure.spec["params"][0].contains("bind"));
  CHECK(figure.caption.starts_with("A tree of 6 nodes"));
  input.trees.tree.reset();  // the best by the ranks, as its rounds were simulated
  input.trees.nodes = 6;
  CHECK(rows_where(card("tree").make(input), "kind", "draft").size() == 6);
}

// False alarm: each of five shares is a mean of 2 000 rounds and misses by five standard deviations; below 1e-5 in all.
TEST_CASE("figure tree: the round that is marked accepts drafts as often as rounds do") {
  FigureInput input = of_pair_r(8);
  input.trees.tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 3});
  input.trees.mark_round = true;
  std::map<int, int> accepted;
  constexpr int rounds = 2'000;
  for (int seed = 1; seed <= rounds; ++seed) {
    input.seed = static_cast<std::uint64_t>(seed);
    Figure const figure = card("tree").make(input);
    std::set<int> path{0};
    for (Row const& row : rows_where(figure, "kind", "accepted in this round")) {
      CHECK(path.contains(static_cast<int>(number(at(figure, row, "parent")))));
      path.insert(static_cast<int>(number(at(figure, row, "node"))));
      ++accepted[static_cast<int>(number(at(figure, row, "node")))];
    }
  }
  std::vector<double> const reach = reach_by_rank(*input.trees.tree, input.trees.ranks);
  for (int node = 1; node < 6; ++node) {
    double const p = reach[static_cast<std::size_t>(node)];
    CAPTURE(node, p, accepted[node]);
    CHECK(std::abs(accepted[node] - rounds * p) < 5 * std::sqrt(rounds * p * (1 - p)));
  }
}

TEST_CASE("figure tree: of a recording it is the tree that replay chooses, with the chances of its rounds") {
  FigureInput const input = recorded();
  Figure const figure = card("tree").make(input);
  TextRanks const ranks = input.recordings[0].ranks(RankDrafts::without, 16);
  TextTreeChoice const choice = choose_text_tree(ranks, input.recordings[0].estimates.sample(), priced, 24, 16, .01);
  TreeShape const& best = choice.tree().tree;
  CHECK(figure.spec["params"][0]["value"] == best.size());
  double reached = 0, drawn = 0;
  for (Row const& row : rows_where(figure, "kind", "draft"))
    if (number(at(figure, row, "to")) == best.size()) reached += number(at(figure, row, "reach")), ++drawn;
  std::vector<double> const reach = replayed(best, ranks).reach();
  CHECK(drawn == best.size());
  CHECK(reached == Approx(std::accumulate(reach.begin(), reach.end(), 0.)));
  CHECK(number(at(figure, rows_where(figure, "kind", "tree").back(), "speedup")) ==
        Approx(choice.tree().speedup.value));
}

TEST_CASE("figure tree-size: the best trees and chains, and which are near the best") {
  Figure const figure = card("tree-size").make(of_pair_r(16, priced));
  SequoiaTable const table(std::vector<double>{.7, .175, .125}, 16);
  TreeChoice const choice = choose_tree(table, priced, .01);
  auto const trees = rows_where(figure, "by", "best tree"), chains = rows_where(figure, "by", "chain");
  REQUIRE(trees.size() == choice.sizes.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    CHECK(number(at(figure, trees[i], "speedup")) == choice.sizes[i].speedup);
    CHECK(std::get<bool>(at(figure, trees[i], "best")) == (i == choice.best));
    CHECK(std::get<bool>(at(figure, trees[i], "near")) == in_any(choice.near_optimal, choice.sizes[i].nodes));
  }
  CHECK(choice.tree().speedup == Approx(2.30875).epsilon(1e-6));
  auto const best =
      std::ranges::find_if(chains, [&](Row const& row) { return std::get<bool>(at(figure, row, "best")); });
  REQUIRE(best != chains.end());
  CHECK(number(at(figure, *best, "depth")) == choice.chain.depth);
  CHECK(number(at(figure, *best, "speedup")) == Approx(choice.chain.speedup));
  CHECK(chains.size() == 16);
  for (Row const& row : chains)  // 1 + .7 + .7² + …
    CHECK(number(at(figure, row, "tokens")) == Approx((1 - std::pow(.7, number(at(figure, row, "nodes")))) / .3));
  FigureInput one = of_pair_r(16);
  one.trees.tree = TreeShape::of_parents({-1, 0});
  CHECK(message<UsageError>([&] { card("tree-size").make(one); }) ==
        "tree-size is drawn of the best trees of each size (one tree has one size) name no tree");
}

TEST_CASE("figure rank-acceptance: shares of the rounds that accept the parent") {
  Figure const same = card("rank-acceptance").make(of_pair_r(16));
  for (Row const& row : same.data.rows())
    CHECK(number(at(same, row, "acceptance")) ==
          Approx(std::vector{.7, .175, .125}[static_cast<std::size_t>(number(at(same, row, "rank"))) - 1]));
  FigureInput const input = recorded();
  Figure const figure = card("rank-acceptance").make(input);
  double accepted = 1;
  for (Row const& row : figure.data.rows()) {
    accepted += number(at(figure, row, "accepted"));
    CHECK(number(at(figure, row, "accepted")) ==
          Approx(number(at(figure, row, "acceptance")) * number(at(figure, row, "offered"))));
    if (number(at(figure, row, "depth")) == 1) CHECK(number(at(figure, row, "offered")) == 1);
  }
  double reached = 0;
  Figure const tree = card("tree").make(input);
  auto const drafts = rows_where(tree, "kind", "draft");
  double const size = number(at(tree, drafts[0], "to"));
  for (Row const& row : drafts)
    if (number(at(tree, row, "to")) == size) reached += number(at(tree, row, "reach"));
  CHECK(accepted == Approx(reached));
}

TEST_CASE("figures of trees: what they need") {
  CHECK(message<InputError>([] { card("tree").make({}); }) ==
        "tree is drawn of acceptance by rank (none is given) give it, or a recording of rows, such as "
        "data/smollm2_prune2_24.safetensors");
  FigureInput two = recorded();
  two.recordings.push_back(two.recordings[0]);
  two.draw_each = true;
  CHECK(message<UsageError>([&] {
          card("tree").make(two);
        }).find("tree is drawn of one recording, and 2 are given") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
