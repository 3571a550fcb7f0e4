#include "analysis/trees/sequoia.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "analysis/trees/medusa.h"
#include "analysis/trees/tree_speedup.h"
#include "tests/message.h"
#include "tests/sum.h"
#include "tests/tree_models.h"

namespace draftgauge {
namespace {

using testing::message;

// Acceptance by rank of p = (.3, .4, .3), q = (.6, .3, .1), with and without replacement.
std::vector<double> const with{.7, .12, .028, .0152, .01368}, without{.7, .175, .125};

// Llama3-70B with an 8B draft on CNN: the vector that Sequoia's repository ships.
std::vector<double> const vector_a{.7732, .1039, .0402, .0206, .0128, .0081, .0064, .0043, .0035, .0026, .0025,
                                   .0021, .0016, .0014, .0010, .0010, .0010, .0007, .0007, .0006, .0007, .0006,
                                   .0004, .0004, .0005, .0006, .0004, .0003, .0002, .0004, .0001};

/// The greatest F(T) of all trees of n nodes and at most d levels.
double most_of_all(int n, int d, std::vector<double> const& ranks) {
  double best = 0;
  for (std::vector<int> const& parents : testing::trees_of(static_cast<std::size_t>(n))) {
    TreeShape const tree = TreeShape::of_parents(parents);
    if (tree.depth() <= d && tree.widest() <= static_cast<int>(ranks.size()))
      best = std::max(best, testing::sum(reach_by_rank(tree, ranks)));
  }
  return best;
}

TEST_CASE("sequoia: the best trees of each size, as enumerated by hand") {
  SequoiaTable const drawn_with(with, 16), drawn_without(without, 16);
  auto const deepest = [](SequoiaTable const& table, int n) { return *table.tokens(n, table.depth()); };
  int const sizes[] = {4, 6, 8, 16};
  double const expected_with[] = {2.533, 2.94117, 3.178819, 3.704381};
  double const expected_without[] = {2.533, 2.9481, 3.24117, 4.036069};
  for (int i = 0; i < 4; ++i) {
    CAPTURE(sizes[i]);
    CHECK(deepest(drawn_with, sizes[i]) == Approx(expected_with[i]).margin(1e-6));
    CHECK(deepest(drawn_without, sizes[i]) == Approx(expected_without[i]).margin(1e-6));
  }
  double const flat_with[] = {2.31, 2.478, 2.5256}, flat_without[] = {2.365, 2.6125, 2.8225};
  SequoiaTable const shallow_with(with, 8, 2), shallow_without(without, 8, 2);
  CHECK(shallow_with.depth() == 2);
  for (int i = 0; i < 3; ++i) {
    CAPTURE(sizes[i]);
    CHECK(*shallow_with.tokens(sizes[i], 2) == Approx(flat_with[i]).margin(1e-9));
    CHECK(*shallow_without.tokens(sizes[i], 2) == Approx(flat_without[i]).margin(1e-9));
  }
}

TEST_CASE("sequoia: the published vector") {
  SequoiaTable const table(vector_a, 64);
  std::pair<int, double> const by_depth[] = {{4, 4.41524}, {6, 5.24822}, {8, 5.65327}, {10, 5.80125}};
  for (auto const& [depth, tokens] : by_depth) {
    CAPTURE(depth);
    CHECK(*table.tokens(64, depth) == Approx(tokens).margin(1e-5));
  }
  std::pair<int, double> const by_size[] = {{2, 1.7732},   {4, 2.83329},  {8, 3.84593},
                                            {16, 4.53762}, {32, 5.21989}, {64, 5.91664}};
  for (auto const& [nodes, tokens] : by_size) {
    CAPTURE(nodes);
    CHECK(*table.tokens(nodes, table.depth()) == Approx(tokens).margin(1e-5));
  }
  SequoiaTable const large(vector_a, 256);
  CHECK(*large.tokens(128, large.depth()) == Approx(6.60661).margin(1e-5));
  CHECK(*large.tokens(256, large.depth()) == Approx(7.28871).margin(1e-5));
}

TEST_CASE("sequoia: no tree of a few nodes has more, whatever the order of the ranks") {
  std::vector<std::vector<double>> const vectors{{.7, .175, .125}, {.1, .5, .4}, {.3, 0, .3, .2}, {.9}, {0, .5}};
  for (auto const& ranks : vectors)
    for (int n = 1; n <= 7; ++n) {
      SequoiaTable const table(ranks, n, 4);
      for (int d = 1; d <= table.depth(); ++d) {
        CAPTURE(ranks, n, d);
        auto const tokens = table.tokens(n, d);
        double const most = n == 1 ? 1 : most_of_all(n, d, ranks);
        REQUIRE(tokens.has_value() == (most > 0));
        if (tokens) CHECK(*tokens == Approx(most).margin(1e-12));
      }
    }
}

TEST_CASE("sequoia: the tree has the size, the depth and the value that the table says") {
  for (auto const& ranks : {vector_a, without, std::vector<double>{.1, .5, .4}, std::vector<double>{0., .5}}) {
    SequoiaTable const table(ranks, 40, 12);
    for (int n = 1; n <= 40; ++n)
      for (int d = 0; d <= table.depth(); ++d) {
        auto const tokens = table.tokens(n, d);
        if (!tokens) continue;
        CAPTURE(ranks.size(), n, d);
        TreeShape const tree = table.tree(n, d);
        CHECK(static_cast<int>(tree.size()) == n);
        CHECK(tree.depth() <= d);
        CHECK(testing::sum(reach_by_rank(tree, ranks)) == Approx(*tokens).epsilon(1e-12));
      }
  }
}

TEST_CASE("sequoia: more depth than gains anything is not tabled") {
  CHECK(SequoiaTable(std::vector<double>{.7, .175, .125}, 4).depth() == 3);
  CHECK(SequoiaTable(std::vector<double>{.5}, 6).depth() == 5);
  CHECK(SequoiaTable(std::vector<double>{.5}, 6).tokens(6, 5) == 1.96875);
  CHECK(!SequoiaTable(std::vector<double>{.5}, 6).tokens(6, 4));
  CHECK(SequoiaTable(std::vector<double>{.5}, 1).depth() == 0);
}

TEST_CASE("sequoia: 512 nodes, 16 levels and 31 ranks take well below a second") {
  auto const begin = std::chrono::steady_clock::now();
  SequoiaTable const table(vector_a, 512, 16);
  TreeShape const tree = table.tree(512, 16);
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
  CHECK(tree.size() == 512);
  CHECK(took.count() < 1);
}

TEST_CASE("sequoia: what is no acceptance by rank is refused") {
  auto const refused = [](std::vector<double> const& ranks, int nodes = 4, std::optional<int> depth = {}) {
    return message([&] { SequoiaTable(ranks, nodes, depth); });
  };
  CHECK(refused({}) == "there is no acceptance by rank (P_1 is that of a node's first child) give one at least");
  CHECK(refused({.5, 1.5}) == "P_2 is 1.5 (it is a probability) give numbers from 0 to 1");
  CHECK(
      refused({.7, .6}) ==
      "the acceptances by rank sum to 1.3 (one child is accepted at most, so that P_r is of all visits to a node and "
      "not of the tests of its r-th child) multiply each by the share of visits that come to test it");
  CHECK(refused(std::vector<double>(33, .01)) ==
        "there are 33 acceptances by rank (a node has at most 32 children) give fewer");
  CHECK(refused({.5}, 0) ==
        "a tree of 0 nodes is out of range (its root is one; at most 4096) give a number from 1 to 4096");
  CHECK(refused({.5}, 5000) ==
        "a tree of 5000 nodes is out of range (its root is one; at most 4096) give a number from 1 to 4096");
  CHECK(refused({.5}, 4, 0) == "a tree of 0 levels drafts nothing (1 or more do) give 1 or more");
}

TEST_CASE("tree speed-up: the best size and depth where passes cost by their tokens") {
  Costs const costs{.draft = .1, .verify = {{1, 1}, {2, 1.02}}};  // v = 1 + .02 (n − 1)
  TreeChoice const choice = choose_tree(SequoiaTable(with, 16), costs, .01);
  CHECK(choice.tree().nodes == 10);
  CHECK(choice.tree().depth == 3);
  CHECK(choice.tree().speedup == Approx(2.02527).margin(1e-5));
  TreeChoice const different = choose_tree(SequoiaTable(without, 16), costs, .01);
  CHECK(different.tree().nodes == 16);
  CHECK(different.tree().depth == 3);
  CHECK(different.tree().speedup == Approx(2.30875).margin(1e-5));
  // The chain beside it is the best γ of the formula for chains.
  BestGamma const chain = best_gamma({.alpha = .7, .costs = costs});
  CHECK(choice.chain.depth == *chain.gamma);
  CHECK(choice.chain.speedup == Approx(chain.speedup).epsilon(1e-12));
  for (SizedTree const& size : choice.sizes)
    CHECK(in_any(choice.near_optimal, size.nodes) == (size.speedup >= .99 * choice.tree().speedup));
}

TEST_CASE("tree speed-up: where drafts cost too much plain decoding is best") {
  TreeChoice const choice = choose_tree(SequoiaTable(with, 16), {.draft = 2}, .01);
  CHECK(choice.tree().nodes == 1);
  CHECK(choice.tree().speedup == 1);
  CHECK(choice.chain.depth == 0);
}

TEST_CASE("medusa: greedy is the best where acceptance falls with the rank, and not else") {
  std::vector<std::vector<double>> const heads{{.5, .1, .4}};
  TreeShape const greedy = medusa_tree(heads, 4);
  CHECK(greedy.text() == "[-1,0,1,2]");
  CHECK(testing::sum(reach_by_rank(greedy, heads[0])) == Approx(1.875));
  CHECK(*SequoiaTable(heads[0], 4).tokens(4, 2) == Approx(2));
  for (int n = 2; n <= 40; ++n) {
    CAPTURE(n);
    std::vector<std::vector<double>> const one{without};
    CHECK(testing::sum(reach_by_rank(medusa_tree(one, n), without)) ==
          Approx(*SequoiaTable(without, n).tokens(n, SequoiaTable(without, n).depth())).epsilon(1e-12));
  }
}

TEST_CASE("medusa: each level goes by its own head, and the tree ends where heads end") {
  std::vector<std::vector<double>> const heads{{.5, .4}, {.9}, {}};
  CHECK(medusa_tree(heads, 9).text() == "[-1,0,0,1,2]");
  // Of equal ones the child, which could be added before the sibling.
  CHECK(medusa_tree(std::vector<std::vector<double>>{{.5, .25}}, 3).text() == "[-1,0,1]");
  CHECK(message([] { medusa_tree({}, 4); }) == "there are no heads (each drafts one level) give one at least");
}

}  // namespace
}  // namespace draftgauge
