#include "analysis/trees/text_trees.h"

#include <catch2/catch.hpp>
#include <random>

#include "analysis/choose/text_choice.h"
#include "analysis/replay/replay.h"
#include "analysis/trees/sequoia.h"
#include "analysis/trees/tree_replay.h"
#include "tests/message.h"
#include "tests/tree_models.h"

namespace draftgauge {
namespace {

struct DoublePair {
  std::vector<double> p, q;
};
DoublePair const pair_r{{.3, .4, .3}, {.6, .3, .1}}, pair_l{{.1, .6, .3}, {.5, .3, .2}},
    poor_second{{.45, .02, .53}, {.5, .3, .2}};

/// A text of these tokens, of one pair throughout.
TextRanks ranks_of(DoublePair const& pair, std::vector<std::vector<Token>> const& texts, RankDrafts drafts,
                   int ranks) {
  TextRanks result{.ranks = ranks, .of = {}, .exact = ranks};
  std::uint64_t run = 0;
  for (auto const& text : texts) {
    std::vector<double>& of = result.of.emplace_back(text.size() * static_cast<std::size_t>(ranks));
    for (std::size_t t = 0; t < text.size(); ++t)
      ranks_at(pair.p, pair.q, text[t], drafts, TokenCoins(1, run++),
               std::span(of).subspan(t * static_cast<std::size_t>(ranks), static_cast<std::size_t>(ranks)));
  }
  return result;
}

void check_stops(DoublePair const& pair, RankDrafts drafts, std::vector<double> const& stops) {
  auto const ranks = ranks_of(pair, {{1, 0, 2}}, drafts, 2);
  auto const alive = walk_by_rank(TreeShape::of_levels({2, 1}), ranks.of[0], 2).alive;
  REQUIRE(alive.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(alive[i] - (i < 2 ? alive[i + 1] : 0) == Approx(stops[i]).margin(1e-12));
}

TEST_CASE("text trees: where a round ends given the text") {
  check_stops(pair_r, RankDrafts::with, {.025, 0, .975});
  check_stops(pair_l, RankDrafts::with, {.3, 0, .7});
  check_stops(pair_l, RankDrafts::without, {.1, 0, .9});
  // Token 1 is the second of q in both, and token 0 the first.
  check_stops(pair_r, RankDrafts::top, {0, 0, 1});
}

TEST_CASE("text ranks: in the mean over the target's tokens they are the acceptance by rank") {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    DoublePair pair{std::vector<double>(6), std::vector<double>(6)};
    for (auto* law : {&pair.p, &pair.q}) {
      double sum = 0;
      for (double& each : *law) sum += each = static_cast<double>(random() % 9 + (law == &pair.p));
      for (double& each : *law) each /= sum;
    }
    for (RankDrafts const drafts : rank_drafts) {
      auto const expected = rank_acceptance(Acceptance<double>(pair.p, pair.q), drafts, 4);
      std::vector<double> mean(4);
      constexpr int runs = 200;
      for (int run = 0; run < (drafts == RankDrafts::without ? runs : 1); ++run)
        for (Token x = 0; x < 6; ++x) {
          std::vector<double> a(4);
          ranks_at(pair.p, pair.q, x, drafts, TokenCoins(1, static_cast<std::uint64_t>(run) * 6 + x), a);
          for (std::size_t rank = 0; rank < 4; ++rank)
            mean[rank] += pair.p[x] * a[rank] / (drafts == RankDrafts::without ? runs : 1);
        }
      for (std::size_t rank = 0; rank < 4; ++rank) {
        CAPTURE(round, drafter_name(drafts), rank);
        bool const sampled = drafts == RankDrafts::without && rank >= 2;
        CHECK(mean[rank] == Approx(expected[rank]).margin(sampled ? .01 : 1e-12));
      }
    }
  }
}

std::vector<Token> drawn_text(DoublePair const& pair, std::size_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::discrete_distribution<Token> law(pair.p.begin(), pair.p.end());
  std::vector<Token> text;
  for (std::size_t i = 0; i < length; ++i) text.push_back(law(random));
  return text;
}

/// The heaviest of all trees of n nodes, by their nodes' worth along the texts.
double most_of_all(TextRanks const& ranks, int n, int depth) {
  double best = 0;
  auto const worth = [&](TreeShape const& tree) {
    std::vector<double> of_node(tree.size(), 1.);
    std::vector<std::vector<int>> path(tree.size());
    double sum = 1;
    for (std::uint32_t node = 0; node < tree.size(); ++node)
      for (std::uint32_t i = 0; i < tree.children(node).count; ++i) {
        std::uint32_t const child = tree.children(node).first + i;
        path[child] = path[node];
        path[child].push_back(static_cast<int>(i));
        double total = 0;
        std::size_t starts = 0;
        for (std::size_t text = 0; text < ranks.of.size(); ++text)
          for (std::size_t t = 0; t + path[child].size() <= ranks.length(text); ++t, ++starts) {
            double reached = 1;
            for (std::size_t d = 0; d < path[child].size(); ++d)
              reached *= ranks.at(text, t + d)[static_cast<std::size_t>(path[child][d])];
            total += reached;
          }
        of_node[child] = std::min(of_node[node], total / static_cast<double>(starts));
        sum += of_node[child];
      }
    return sum;
  };
  for (std::vector<int> const& parents : testing::trees_of(static_cast<std::size_t>(n))) {
    TreeShape const tree = TreeShape::of_parents(parents);
    if (tree.depth() <= depth && tree.widest() <= ranks.ranks) best = std::max(best, worth(tree));
  }
  return best;
}

TEST_CASE("text trees: no tree of a few nodes is heavier") {
  for (RankDrafts const drafts : rank_drafts)
    for (DoublePair const& pair : {pair_r, pair_l, poor_second}) {
      auto const ranks = ranks_of(pair, {drawn_text(pair, 40, 1), drawn_text(pair, 25, 2)}, drafts, 3);
      for (int n = 2; n <= 6; ++n) {
        TextTrees const trees(ranks, n, 4);
        for (int d = 1; d <= 4; ++d) {
          CAPTURE(drafter_name(drafts), n, d);
          int const deep = std::min(d, trees.depth());  // more depth gains nothing
          auto const tokens = trees.tokens(n, deep);
          double const most = most_of_all(ranks, n, d);
          REQUIRE(tokens.has_value() == (most > 0));
          if (!tokens) continue;
          CHECK(*tokens == Approx(most).epsilon(1e-12));
          TreeShape const tree = trees.tree(n, deep);
          CHECK(static_cast<int>(tree.size()) == n);
          CHECK(tree.depth() <= d);
        }
      }
    }
}

TEST_CASE("text trees: on much text of one context they are those of its acceptance by rank") {
  for (RankDrafts const drafts : rank_drafts) {
    auto const ranks = ranks_of(pair_r, {drawn_text(pair_r, 60'000, 3), drawn_text(pair_r, 60'000, 4)}, drafts, 3);
    TextTrees const trees(ranks, 12, 6);
    auto const by_rank = rank_acceptance(Acceptance<double>(pair_r.p, pair_r.q), drafts, 3);
    SequoiaTable const table(by_rank, 12, 6);
    auto const sample = std::make_shared<TextSample const>(std::vector<double>{60'000, 60'000}, 0, 1);
    for (int n : {2, 5, 12}) {
      CAPTURE(drafter_name(drafts), n);
      double const expected = *table.tokens(n, table.depth());
      CHECK(*trees.tokens(n, trees.depth()) == Approx(expected).epsilon(.01));
      CHECK(replayed(trees.tree(n, trees.depth()), ranks).tokens(sample).value == Approx(expected).epsilon(.01));
    }
  }
}

TEST_CASE("text trees: how often rounds along a text come to each draft") {
  auto const text = drawn_text(pair_r, 3000, 7);
  auto const ranks = ranks_of(pair_r, {text}, RankDrafts::with, 3);
  auto const sample = std::make_shared<TextSample const>(std::vector<double>{3000}, 0, 1);
  TreeShape const tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 3});
  auto const reach = replayed(tree, ranks).reach();
  CHECK(reach[0] == Approx(1));
  double sum = 0;
  for (double const each : reach) sum += each;
  CHECK(sum == Approx(replayed(tree, ranks).tokens(sample).value).epsilon(.002));
  CHECK(reach[1] == Approx(.7).margin(.03));
  CHECK(reach[3] == Approx(.49).margin(.03));
}

TEST_CASE("text trees: a chain's replay is the token rule's") {
  auto const text = drawn_text(pair_r, 500, 9);
  auto const ranks = ranks_of(pair_r, {text}, RankDrafts::with, 1);
  auto const sample = std::make_shared<TextSample const>(std::vector<double>{500}, 0, 1);
  std::vector<double> a;
  for (Token const x : text) a.push_back(std::min(1., pair_r.q[x] / pair_r.p[x]));
  double const rounds = token_rounds(a, {.gamma = 3}).mean.front();
  CHECK(replayed(TreeShape::of_levels({1, 1, 1}), ranks).tokens(sample).value == Approx(500 / rounds).epsilon(1e-12));
}

TEST_CASE("text trees: the choice by replay, with an interval over texts") {
  std::vector<std::vector<Token>> texts;
  std::vector<double> lengths;
  for (unsigned i = 0; i < 12; ++i) texts.push_back(drawn_text(pair_r, 200, i)), lengths.push_back(200);
  auto const ranks = ranks_of(pair_r, texts, RankDrafts::with, 3);
  auto const sample = std::make_shared<TextSample const>(lengths, 0, 1);
  Costs const costs{.draft = .1, .verify = {{1, 1}, {2, 1.02}}};
  TextTreeChoice const choice = choose_text_tree(ranks, sample, costs, 16, 6, .01);
  TextTree const& best = choice.tree();
  CHECK(best.tree.size() > 4);
  CHECK(best.speedup.value == Approx(2.025).epsilon(.05));
  CHECK(best.speedup.value == Approx(best.tokens.value / best.sized.time));
  CHECK(best.sized.time == Approx(.1 * best.tree.depth() + 1 + .02 * (best.tree.size() - 1)));
  auto const interval = delta_interval(best.speedup, .95);
  REQUIRE(interval);
  CHECK(interval->low < 2.025);
  CHECK(interval->high > 2.025);
  for (TextTree const& tree : choice.sizes) {
    CHECK(tree.speedup.value <= best.speedup.value * (1 + 1e-12));
    CHECK(in_any(choice.near_optimal, tree.sized.nodes) == (tree.speedup.value >= .99 * best.speedup.value));
  }
  CHECK(choice.chain().tree.widest() == 1);
  CHECK(choice.chain().speedup.value < best.speedup.value);
  TextTreeChoice const plain = choose_text_tree(ranks, sample, {.draft = 3}, 16, 6, .01);
  CHECK(plain.tree().tree.size() == 1);
  CHECK(plain.tree().speedup.value == 1);
  CHECK(plain.chain().tree.size() == 1);
}

TEST_CASE("text trees: texts left out of a choice value what the other texts chose") {
  Costs const costs{.draft = .1, .verify = {{1, 1}, {2, 1.02}}};
  auto const chosen_by = [&](TextRanks const& ranks, std::vector<double> const& lengths) {
    return choose_text_tree(ranks, std::make_shared<TextSample const>(lengths, 0, 1), costs, 16, 6, .01).tree();
  };
  auto const ranks = ranks_of(pair_r, {drawn_text(pair_r, 30, 1), drawn_text(pair_r, 50, 2)}, RankDrafts::with, 3);
  TextRanks first{ranks.ranks, {ranks.of[0]}, ranks.exact}, second{ranks.ranks, {ranks.of[1]}, ranks.exact};
  auto const time = [&](TextRanks const& chose, TextRanks const& left_out, double from, double length) {
    TreeShape const tree = chosen_by(chose, {from}).tree;
    auto const sample = std::make_shared<TextSample const>(std::vector<double>{length}, 0, 1);
    return length / replayed(tree, left_out).tokens(sample).value *
           costs.of_tree(tree.depth(), static_cast<std::int64_t>(tree.size()));
  };
  auto const found = left_out_texts(ranks, costs, 16, 6, .01);
  REQUIRE(found);
  CHECK(found->parts == 2);
  CHECK(found->speedup == Approx(80 / (time(second, first, 50, 30) + time(first, second, 30, 50))));
  CHECK_FALSE(left_out_texts(first, costs, 16, 6, .01));

  // Beside them the tree that much text chooses, on the same texts: it had no part of its choice from them.
  auto const sample_of_texts = [](std::size_t length, unsigned seed) {
    std::vector<std::vector<Token>> texts;
    for (unsigned i = 0; i < 6; ++i) texts.push_back(drawn_text(pair_r, length, seed + i));
    return ranks_of(pair_r, texts, RankDrafts::with, 3);
  };
  TreeShape const best = chosen_by(sample_of_texts(4000, 9000), std::vector<double>(6, 4000)).tree;
  double flattered[2] = {};
  for (int more = 0; more < 2; ++more) {
    std::size_t const length = more == 0 ? 20 : 200;
    CAPTURE(length);
    std::vector<double> const lengths(6, static_cast<double>(length));
    double own = 0, truth = 0, left_out = 0;
    for (unsigned run = 0; run < 60; ++run) {
      auto const of = sample_of_texts(length, 100 * run);
      own += chosen_by(of, lengths).speedup.value / 60;
      truth += text_tree(best, of, std::make_shared<TextSample const>(lengths, 0, 1), costs).speedup.value / 60;
      left_out += left_out_texts(of, costs, 16, 6, .01)->speedup / 60;
    }
    CHECK(own > truth);
    CHECK(left_out < truth);
    flattered[more] = own - left_out;
  }
  CHECK(flattered[1] < flattered[0] / 2);
}

TEST_CASE("text trees: where every size is replayed, for a picture, the same ones are chosen among") {
  Costs const costs{.draft = .1, .verify = {{1, 1}, {2, 1.02}}};
  for (unsigned seed = 0; seed < 20; ++seed) {  // of so few tokens replay is often better where worth is not
    CAPTURE(seed);
    auto const ranks = ranks_of(pair_r, {drawn_text(pair_r, 12, seed)}, RankDrafts::with, 3);
    auto const sample = std::make_shared<TextSample const>(std::vector<double>{12}, 0, 1);
    TextTreeChoice const few = choose_text_tree(ranks, sample, costs, 16, 6, .01),
                         all = choose_text_tree(ranks, sample, costs, 16, 6, .01, ReplayedSizes::all);
    CHECK(all.sizes.size() > few.sizes.size());
    CHECK(all.tree().tree == few.tree().tree);
    CHECK(all.near_optimal == few.near_optimal);
  }
}

TEST_CASE("text trees: a rank that was never accepted is in no tree, and what lies behind it may be") {
  // Token 2 always: the third of q.
  auto const ranks = ranks_of(pair_r, {std::vector<Token>(30, 2)}, RankDrafts::top, 3);
  TextTrees const trees(ranks, 8, 2);
  CHECK(trees.nodes() == 7);
  CHECK(*trees.tokens(4, 1) == Approx(2));
  CHECK(trees.tree(4, 1).text() == "[-1,0,0,0]");
  CHECK(*trees.tokens(7, 2) == Approx(3));
  CHECK(trees.tree(7, 2).text() == "[-1,0,0,0,3,3,3]");
  auto const never = ranks_of(pair_r, {std::vector<Token>(30, 2)}, RankDrafts::top, 2);
  CHECK(TextTrees(never, 8, 2).nodes() == 1);
}

TEST_CASE("text trees: a path is worth no more than what it begins with, though fewer tokens may say so") {
  // Of three tokens two are the first of q; of the one pair of tokens both are.
  auto const ranks = ranks_of(pair_r, {{2}, {0, 0}}, RankDrafts::top, 1);
  TextTrees const trees(ranks, 3, 2);
  CHECK(*trees.tokens(2, 1) == Approx(1 + 2. / 3));
  CHECK(*trees.tokens(3, 2) == Approx(1 + 4. / 3));
  CHECK(trees.chains()[2] == Approx(1 + 4. / 3));
}

TEST_CASE("text ranks: a draft model that knows one token drafts the others evenly after it") {
  DoublePair const narrow{{.4, .3, .2, .1}, {1, 0, 0, 0}};
  auto const expected = rank_acceptance(Acceptance<double>(narrow.p, narrow.q), RankDrafts::without, 2);
  double mean = 0;
  for (Token x = 0; x < 4; ++x) {
    std::vector<double> a(2);
    ranks_at(narrow.p, narrow.q, x, RankDrafts::without, TokenCoins(1, x), a);
    mean += narrow.p[x] * a[1];
  }
  CHECK(mean == Approx(expected[1]));
}

TEST_CASE("text trees: sizes out of range are refused") {
  auto const ranks = ranks_of(pair_r, {{0, 1}}, RankDrafts::with, 2);
  CHECK(testing::message([&] { TextTrees(ranks, 513, 2); }) ==
        "a tree of 513 nodes is out of range for a recording (1 to 512)");
  CHECK(testing::message([&] { TextTrees(ranks, 3, 0); }) == "a tree of 0 levels is out of range (1 to 256)");
}

}  // namespace
}  // namespace draftgauge
