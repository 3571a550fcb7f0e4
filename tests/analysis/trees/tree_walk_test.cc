#include "analysis/trees/tree_walk.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "analysis/trees/text_ranks.h"
#include "analysis/trees/tree_rules.h"
#include "tests/tree_models.h"

namespace draftgauge {
namespace {

using namespace testing;

/// The rows of a model along a text, from context 0 on.
struct Along {
  std::vector<std::vector<double>> p, q;
  std::vector<Token> text;

  Along(ExactModel const& model, std::vector<Token> const& tokens) : text(tokens) {
    std::uint32_t row = 0;
    for (Token const x : tokens) {
      auto const& here = model.row(row);
      for (auto const& [exact, numbers] : {std::pair(&here.p, &p), std::pair(&here.q, &q)}) {
        std::vector<double>& law = numbers->emplace_back();
        for (Rational const& each : *exact) law.push_back(static_cast<double>(each));
      }
      row = model.contexts().after(row, x);
    }
  }
  std::vector<double> ranks(RankDrafts drafts, int k) const {
    std::vector<double> a(text.size() * static_cast<std::size_t>(k));
    for (std::size_t t = 0; t < text.size(); ++t)
      ranks_at(p[t], q[t], text[t], drafts, TokenCoins(1, t),
               std::span(a).subspan(t * static_cast<std::size_t>(k), static_cast<std::size_t>(k)));
    return a;
  }
  std::vector<WalkRow> rows() const {
    std::vector<WalkRow> rows;
    for (std::size_t t = 0; t < text.size(); ++t)
      rows.push_back({std::make_shared<RankedPair<double> const>(p[t], q[t]), p[t][text[t]], q[t][text[t]]});
    return rows;
  }
  std::vector<double> drafted() const {
    std::vector<double> all;
    for (std::size_t t = 0; t < text.size(); ++t) all.push_back(q[t][text[t]]);
    return all;
  }
  std::vector<PathToken> path_tokens() const {
    std::vector<PathToken> all;
    for (std::size_t t = 0; t < text.size(); ++t) {
      Token const x = text[t];
      all.push_back({std::log(q[t][x] / p[t][x]), q[t][x], lower_q(p[t], q[t], x)});
    }
    return all;
  }
};

/// Every text of so many tokens that p allows, with its probability.
void for_texts(ExactModel const& model, int length,
               std::function<void(std::vector<Token> const&, double)> const& visit) {
  for (auto const& [text, probability] : target_law(model, length)) visit(text, static_cast<double>(probability));
}

/// P(a round stops after i drafts | the text), by the enumeration of all rounds, for each i.
std::vector<double> enumerated_stops(ExactRound const& round, ExactModel const& model,
                                     std::vector<Token> const& text) {
  std::vector<double> stops;
  double begun = 1;  // P of the text so far
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    begun *= static_cast<double>(model.row(row).p[text[i]]);
    row = model.contexts().after(row, text[i]);
    auto const emitted = round.emitted.find({text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i) + 1});
    stops.push_back(emitted == round.emitted.end() ? 0 : static_cast<double>(emitted->second) / begun);
  }
  return stops;
}

/// Given every text of the model, a round stops after i drafts as often as the enumeration of all rounds has it, and
/// passes each node as often in the mean.
void check_walks(std::string const& rule, std::string const& tree, ExactModel const& model,
                 std::function<TreeRound(TreeShape const&, Along const&)> const& walk_of) {
  Task const asked = tree_task(rule, tree);
  TreeShape const shape = asked.tree.size() > 1
                              ? asked.tree
                              : TreeShape::of_levels(std::vector<int>(static_cast<std::size_t>(asked.shape.gamma),
                                                                      asked.shape.branching));
  ExactRound const round = exact_round(asked, model);
  std::vector<double> passed(shape.size());
  bool by_node = true;
  for_texts(model, asked.shape.gamma + 1, [&](std::vector<Token> const& text, double probability) {
    TreeRound const walk = walk_of(shape, Along(model, text));
    std::vector<double> const stops = enumerated_stops(round, model, text);
    for (std::size_t i = 0; i < text.size(); ++i) {
      CAPTURE(rule, tree, text, i);
      REQUIRE(walk.alive[i] - (i + 1 < text.size() ? walk.alive[i + 1] : 0) == Approx(stops[i]).margin(1e-12));
    }
    by_node = !walk.passed.empty();
    for (std::size_t v = 0; v < walk.passed.size(); ++v) passed[v] += probability * walk.passed[v];
  });
  if (!by_node || round.passed.empty()) return;
  for (std::size_t v = 0; v < passed.size(); ++v) {
    CAPTURE(rule, tree, v);
    REQUIRE(passed[v] == Approx(static_cast<double>(round.passed[v])).margin(1e-12));
  }
}

TreeRound by_rank(RankDrafts drafts, TreeShape const& tree, Along const& along) {
  auto const a = along.ranks(drafts, tree.widest());
  return walk_by_rank(tree, a, static_cast<std::size_t>(tree.widest()));
}
TreeRound by_traversal(TreeShape const& tree, Along const& along) { return walk_traversal(tree, along.rows()); }

std::vector<std::string> const shapes = {"chain:2",    "kary:2,2",       "levels:3",     "levels:2,1",
                                         "levels:1,2", "[-1,0,0,1,1,3]", "[-1,0,1,1,3]", "[-1,0,0,2]"};

std::vector<ExactModel> models(int depth) {
  std::vector<ExactModel> all = {reference_r(), reference_l(), reference_m()};
  for (std::uint32_t seed = 1; seed <= 4; ++seed) all.push_back(random_prefix_model(seed, 3, depth));
  all.push_back(random_prefix_model(9, 2, depth));
  return all;
}

TEST_CASE("tree walks: given every text, rounds do what enumeration says: children by rank") {
  for (std::string const& tree : shapes)
    for (ExactModel const& model : models(3)) {
      check_walks("recursive", tree, model,
                  [](auto const& shape, auto const& along) { return by_rank(RankDrafts::with, shape, along); });
      if (tree_task("token", tree).shape.branching > static_cast<int>(model.row(0).p.size())) continue;
      check_walks("top-set", tree, model,
                  [](auto const& shape, auto const& along) { return by_rank(RankDrafts::top, shape, along); });
      if (tree == "levels:3") continue;  // a third child without replacement is sampled
      check_walks("recursive-without", tree, model,
                  [](auto const& shape, auto const& along) { return by_rank(RankDrafts::without, shape, along); });
    }
}

TEST_CASE("tree walks: given every text, rounds do what enumeration says: traversal") {
  for (std::string const& tree : shapes)
    for (ExactModel const& model : models(3)) check_walks("traversal", tree, model, by_traversal);
}

TEST_CASE("tree walks: given every text, rounds do what enumeration says: the target's text in a tree") {
  for (std::string const& tree : shapes)
    for (ExactModel const& model : models(3))
      for (char const* rule : {"target-walk", "naive-set"})
        check_walks(rule, tree, model,
                    [](auto const& shape, auto const& along) { return walk_trie(shape, along.drafted()); });
}

TEST_CASE("tree walks: given every text, rounds do what enumeration says: the best of K paths") {
  for (int const paths : {1, 2, 3})
    for (int const length : {1, 2})
      for (ExactModel const& model : models(2))
        check_walks("gbv", "paths:" + std::to_string(paths) + "," + std::to_string(length), model,
                    [&](auto const& shape, auto const& along) {
                      return walk_best_path(paths, shape.depth(), along.path_tokens());
                    });
}

TEST_CASE("tree walks: a chain judged by traversal is block verification, whatever the drafts") {
  for (ExactModel const& model : models(3))
    for_texts(model, 4, [&](std::vector<Token> const& text, double) {
      Along const along(model, text);
      TreeShape const chain = TreeShape::of_levels({1, 1, 1});
      auto const block = walk_best_path(1, 3, along.path_tokens()).alive;
      auto const with = walk_traversal(chain, along.rows()).alive;
      auto const without = walk_traversal_without(chain, along.rows(), TokenCoins(1, 0)).alive;
      for (std::size_t i = 0; i < block.size(); ++i) {
        REQUIRE(with[i] == Approx(block[i]).margin(1e-12));
        REQUIRE(without[i] == Approx(block[i]).margin(1e-12));
      }
    });
}

void check_stops(TreeRound const& walk, std::vector<double> const& stops) {
  REQUIRE(walk.alive.size() == stops.size());
  for (std::size_t i = 0; i < stops.size(); ++i)
    CHECK(walk.alive[i] - (i + 1 < stops.size() ? walk.alive[i + 1] : 0) == Approx(stops[i]).margin(1e-9));
}

TEST_CASE("tree walks: the text 1, 0, 2 on (2, 1), as computed elsewhere", "[reference]") {
  TreeShape const tree = TreeShape::of_levels({2, 1});
  Along const in_l(reference_l(), {1, 0, 2}), in_m(reference_m(), {1, 0, 2});
  check_stops(by_rank(RankDrafts::with, tree, in_m), {0, 2. / 3, 1. / 3});
  check_stops(by_rank(RankDrafts::without, tree, in_m), {0, 2. / 3, 1. / 3});
  check_stops(by_traversal(tree, in_m), {0, 4. / 9, 5. / 9});
  check_stops(walk_best_path(2, 2, in_l.path_tokens()), {.15, 0, .85});
  check_stops(walk_best_path(2, 2, in_m.path_tokens()), {1. / 6, 1. / 3, .5});
}

// The mean of 400 walks a text, each of 32 orders a node; a difference beyond six standard errors of the mean, as
// estimated from the walks, has probability 2e-9 a comparison, of which there are fewer than 10^4: false alarm 2e-5.
// Fixed seeds.
TEST_CASE("tree walks: traversal of different drafts is right in the mean over its orders") {
  constexpr int runs = 400;
  // After the first token q knows one token, or two: the drafts after these are uniform.
  ExactModel const narrow = markov_from(row({5, 2, 2, 1}, {6, 2, 1, 1}),
                                        {row({0, 5, 4, 1}, {1, 0, 0, 0}), row({2, 3, 4, 1}, {0, 9, 0, 1}),
                                         row({1, 1, 7, 1}, {0, 0, 1, 0}), row({1, 2, 3, 4}, {1, 1, 0, 0})});
  for (std::string const& tree : {std::string("kary:2,2"), std::string("levels:3,1"), std::string("levels:1,3"),
                                  std::string("[-1,0,0,1,1,3]"), std::string("[-1,0,0,2,2]")})
    for (ExactModel const& model :
         {reference_r(), reference_m(), random_prefix_model(2, 3, 3), random_prefix_model(3, 4, 3), narrow}) {
      Task const asked = tree_task("traversal-without", tree);
      TreeShape const shape = asked.tree.size() > 1 ? asked.tree : TreeShape::of_levels({2, 2});
      if (asked.shape.branching > static_cast<int>(model.row(0).p.size())) continue;
      ExactRound const round = exact_round(asked, model);
      for_texts(model, asked.shape.gamma + 1, [&](std::vector<Token> const& text, double) {
        Along const along(model, text);
        auto const rows = along.rows();
        std::vector<double> sum(text.size()), squares(text.size());
        for (int run = 0; run < runs; ++run) {
          auto const alive =
              walk_traversal_without(shape, rows, TokenCoins(7, static_cast<std::uint64_t>(run))).alive;
          for (std::size_t i = 0; i < text.size(); ++i) {
            double const stop = alive[i] - (i + 1 < text.size() ? alive[i + 1] : 0);
            sum[i] += stop / runs;
            squares[i] += stop * stop / runs;
          }
        }
        std::vector<double> const stops = enumerated_stops(round, model, text);
        for (std::size_t i = 0; i < text.size(); ++i) {
          double const error = std::sqrt(std::max(0., squares[i] - sum[i] * sum[i]) / runs);
          CAPTURE(tree, text, i, error);
          REQUIRE(std::abs(sum[i] - stops[i]) < 6 * error + 1e-3);
          REQUIRE(error < .01);
        }
      });
    }
}

TEST_CASE("tree walks: nothing is known below a text's end") {
  TreeShape const tree = TreeShape::of_levels({2, 2});
  Along const along(reference_r(), {0});
  CHECK(by_rank(RankDrafts::with, tree, along).alive == std::vector<double>{1, 1, 0});
  CHECK(by_traversal(tree, along).alive[2] == 0);
  CHECK(walk_trie(tree, along.drafted()).alive[2] == 0);
  CHECK(walk_best_path(2, 2, along.path_tokens()).alive[2] == 0);
}

}  // namespace
}  // namespace draftgauge
