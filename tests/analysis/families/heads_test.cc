#include "analysis/families/heads.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/trees/drafted_tree.h"
#include "tests/message.h"
#include "tests/tree_models.h"

namespace draftgauge {
namespace {

using namespace testing;

/// Rows of weights that sum to `total`, p and q alike: heads look at p alone.
PairTables markov(std::vector<std::vector<std::uint64_t>> const& p, std::uint64_t total) {
  std::vector<RowPair> rows;
  for (auto const& each : p) rows.push_back({each, each, total});
  return PairTables(rows, Follow::token);
}

PairTables const& pair_m() {
  static PairTables const tables = markov({{2, 5, 3}, {6, 1, 3}, {3, 3, 4}}, 10);
  return tables;
}

std::vector<Token> at(HeadGuesses& guesses, std::uint32_t row, int distance) {
  auto const found = guesses.at(row, distance);
  return {found.begin(), found.end()};
}

/// P(the tree passes each node) of rounds that begin after token x, for whose places the guesses are those of `root`.
double passes(TreeShape const& tree, HeadGuesses& guesses, std::uint32_t root, int skipped, std::uint32_t row,
              std::uint32_t node) {
  double sum = 0;
  TreeNode const children = tree.children(node);
  for (std::uint32_t i = 0; i < children.count; ++i) {
    Token const x = guesses.at(root, tree.depth(node) + 1 + skipped)[i];
    double const p = static_cast<double>(pair_m().p(row)[x]) / 10;
    sum += p * (1 + passes(tree, guesses, root, skipped, x, children.first + i));
  }
  return sum;
}

TEST_CASE("heads: guesses are the most likely tokens of the k-step distribution") {
  HeadGuesses guesses(pair_m(), 3, 3);
  CHECK(at(guesses, 0, 1) == std::vector<Token>{1, 2, 0});
  CHECK(at(guesses, 1, 1) == std::vector<Token>{0, 2, 1});
  // After 0: (.2, .5, .3) of the rows gives .43, .24, .33; then .329, .338, .333.
  CHECK(at(guesses, 0, 2) == std::vector<Token>{0, 2, 1});
  CHECK(at(guesses, 0, 3) == std::vector<Token>{1, 2, 0});
  HeadGuesses two(pair_m(), 2, 2);
  CHECK(at(two, 0, 2) == std::vector<Token>{0, 2});
  // Of equal ones the smaller.
  PairTables const even = markov({{1, 1}, {1, 1}}, 2);
  HeadGuesses of_even(even, 2, 2);
  CHECK(at(of_even, 1, 2) == std::vector<Token>{0, 1});
}

TEST_CASE("heads: they are what the exact marginals of trees say") {
  ExactModel const model = reference_m();
  auto const marginals = marginals_of(next_of_target(model), 3, 3);
  // The model's first row leads to rows 1 to 3.
  std::vector<RowPair> rows;
  for (auto const* p : {"532", "253", "613", "334"}) {
    std::vector<std::uint64_t> weights;
    for (char const* each = p; *each; ++each) weights.push_back(static_cast<std::uint64_t>(*each - '0'));
    rows.push_back({weights, weights, 10});
  }
  PairTables const tables(rows, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
  HeadGuesses guesses(tables, 3, 3);
  for (int distance = 1; distance <= 3; ++distance) {
    auto const law = marginals(std::vector<Token>(static_cast<std::size_t>(distance) - 1));
    auto const order = at(guesses, 0, distance);
    CHECK(law[order[0]] >= law[order[1]]);
    CHECK(law[order[1]] >= law[order[2]]);
  }
}

TEST_CASE("heads: rounds accept what the chain of texts says, whatever the heads have seen") {
  TreeShape const tree = TreeShape::of_parents({-1, 0, 0, 1, 2, 3});
  HeadGuesses guesses(pair_m(), 4, 3);
  HeadTexts const texts{2000, 64, 1};
  for (HeadsSee const see : {HeadsSee::all, HeadsSee::all_but_last}) {
    PlayedHeads const played = play_heads(guesses, tree, see, texts);
    CHECK(played.passed.front() == texts.texts * texts.length);
    std::uint64_t accepted = 0;
    for (std::size_t v = 1; v < played.passed.size(); ++v) accepted += played.passed[v];
    CHECK(accepted == played.rounds.tokens);
    // False alarm 1e-6. Rounds are a Markov chain over (token before the last, last): its stationary mean by iteration.
    double share[3][3] = {{1. / 9, 1. / 9, 1. / 9}, {1. / 9, 1. / 9, 1. / 9}, {1. / 9, 1. / 9, 1. / 9}};
    double mean = 0;
    int const skipped = see == HeadsSee::all ? 0 : 1;
    for (int round = 0; round < 200; ++round) {
      double next[3][3] = {};
      mean = 0;
      for (Token before = 0; before < 3; ++before)
        for (Token last = 0; last < 3; ++last) {
          std::uint32_t const root = skipped ? before : last;
          mean += share[before][last] * passes(tree, guesses, root, skipped, last, 0);
          struct Stop {
            double probability;
            std::uint32_t row;
          };
          auto const walk = [&](auto const& self, std::uint32_t node, std::uint32_t row, double probability) -> void {
            TreeNode const children = tree.children(node);
            for (Token x = 0; x < 3; ++x) {
              double const p = probability * static_cast<double>(pair_m().p(row)[x]) / 10;
              std::uint32_t child = 0;
              for (std::uint32_t i = 0; i < children.count; ++i)
                if (guesses.at(root, tree.depth(node) + 1 + skipped)[i] == x) child = children.first + i;
              if (child)
                self(self, child, x, p);
              else
                next[row][x] += p;
            }
          };
          walk(walk, 0, last, share[before][last]);
        }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) share[i][j] = next[i][j];
    }
    auto const within = played.mean_accepted(1 - 1e-6);
    REQUIRE(within);
    CAPTURE(mean, within->low, within->high);
    CHECK(within->low < mean);
    CHECK(mean < within->high);
    CHECK(within->high - within->low < .05);  // a head that guessed from another row would be outside
  }
}

TEST_CASE("heads: how often a guess is right, as the chain's long run says") {
  HeadGuesses guesses(pair_m(), 3, 3);
  auto const right = head_accuracies(guesses, 2, 3, HeadsSee::all, {2000, 64, 1});
  // Long run of the rows: π = (.375, .3125, .3125)/…; all texts begin at any row alike, which 64 tokens forget.
  double share[3] = {1. / 3, 1. / 3, 1. / 3};
  double const p[3][3] = {{.2, .5, .3}, {.6, .1, .3}, {.3, .3, .4}};
  for (int step = 0; step < 200; ++step) {
    double next[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) next[j] += share[i] * p[i][j];
    std::copy(next, next + 3, share);
  }
  for (std::size_t r = 0; r < 3; ++r) {
    double first = 0, second = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      first += share[i] * p[i][guesses.at(i, 1)[r]];
      for (int j = 0; j < 3; ++j) second += share[i] * p[i][j] * p[j][guesses.at(i, 2)[r]];
    }
    // 128 000 places: five standard errors are .007.
    CHECK(right[0][r] == Approx(first).margin(.007));
    CHECK(right[1][r] == Approx(second).margin(.007));
  }
  CHECK(right[0][0] + right[0][1] + right[0][2] == Approx(1));
}

TEST_CASE("heads: contexts that do not follow from the tokens say nothing") {
  PairTables const iid({{{1, 2}, {1, 2}, 3}, {{2, 1}, {2, 1}, 3}}, Follow::independent);
  CHECK(message([&] { HeadGuesses(iid, 2, 2); }) ==
        "heads guess from contexts that follow from the tokens (here they do not, and no token is likelier for those "
        "before it) give one context, a Markov pair or n-grams");
}

}  // namespace
}  // namespace draftgauge
