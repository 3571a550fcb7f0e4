#include <array>
#include <catch2/catch.hpp>
#include <map>

#include "tests/analysis/exact/tree_laws.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("tree rules: E[τ] on six shapes, with and without replacement, as computed elsewhere", "[reference]") {
  using Pairs = std::array<double, 3>;  // of R, L and M
  struct Vector {
    char const* tree;
    bool with;
    Pairs rejection, traversal, walk;
  };
  Vector const known[] = {
      {"kary:2,1", true, {.82, .8, .86}, {.82, .8, .86}, {.513, .489, .552}},
      {"kary:2,1", false, {.875, .94, .92}, {.875, .94, .92}, {.678333, .634643, .686429}},
      {"levels:2,1", true, {1.394, 1.28, 1.458}, {1.454, 1.32, 1.528}, {.709191, .648919, .740436}},
      {"levels:2,1", false, {1.4875, 1.504, 1.566}, {1.57, 1.572, 1.636}, {.902183, .818689, .893664}},
      {"levels:3,1", false, {1.7, 1.6, 1.71}, {1.7825, 1.668, 1.78}, {1.33, 1.29, 1.308}},
      {"kary:2,2", false, {1.640625, 1.8236, 1.777}, {1.690625, 1.8356, 1.821643}, {1.138469, 1.037414, 1.126941}},
      {"[-1,0,0,1,1,3]", true, {1.737, 1.496, 1.909}, {1.902, 1.6, 2.075}, {.718227, .655199, .74778}},
      {"[-1,0,0,1,1,3]", false, {1.8305, 1.72, 2.044}, {1.979, 1.81, 2.188643}, {.93812, .843078, .932079}}};
  ExactModel const models[] = {reference_r(), reference_l(), reference_m()};
  for (Vector const& one : known)
    for (std::size_t pair = 0; pair < 3; ++pair) {
      CAPTURE(one.tree, one.with, pair);
      std::string const without = one.with ? "" : "-without";
      CHECK(prints(mean("recursive" + without, one.tree, models[pair]), one.rejection[pair]));
      CHECK(prints(mean("traversal" + without, one.tree, models[pair]), one.traversal[pair]));
      Task walk = tree_task("target-walk", one.tree);
      walk.drafter = one.with ? "sample" : "sample-without";
      CHECK(prints(exact_round(walk, models[pair]).mean_accepted(), one.walk[pair]));
      CHECK(prints(mean("naive-set" + without, one.tree, models[pair]), one.walk[pair]));
    }
  for (auto const& [tree, top] : std::map<std::string, Pairs>{
           {"kary:2,1", {.7, .7, .8}}, {"levels:2,1", {.91, .77, .93}}, {"[-1,0,0,1,1,3]", {.937, .771, 1.013}}})
    for (std::size_t pair = 0; pair < 3; ++pair)
      for (auto const* rule : {"top-set", "target-walk", "naive-set", "sglang"}) {
        CAPTURE(tree, pair, rule);
        Task asked = tree_task(rule, tree);
        asked.drafter = "top";
        CHECK(prints(exact_round(asked, models[pair]).mean_accepted(), top[pair]));
      }
}

TEST_CASE("tree rules: which drafts are accepted, as computed elsewhere", "[reference]") {
  auto const passes = [](ExactModel const& model, std::array<double, 5> const& known) {
    ExactRound const round = exact_round(tree_task("traversal-without", "[-1,0,0,1,1,3]"), model);
    REQUIRE(round.passed.size() == 6);
    for (std::size_t v = 1; v < 6; ++v) {
      CAPTURE(v, round.passed[v].str());
      CHECK(prints(round.passed[v], known[v - 1]));
    }
  };
  passes(reference_r(), {.7, .175, .55, .1, .454});
  passes(reference_m(), {.8, .12, .62, .165643, .483});

  auto const lengths = [](ExactModel const& model) {
    return exact_round(tree_task("traversal-without", "levels:2,1"), model).accepted;
  };
  CHECK(lengths(reference_r()) == std::vector<Rational>{micros(125000), micros(180000), micros(695000)});
  CHECK(lengths(reference_l()) == std::vector<Rational>{micros(60000), micros(308000), micros(632000)});
  CHECK(lengths(reference_m()) == std::vector<Rational>{micros(80000), micros(204000), micros(716000)});

  for (bool const traversal : {false, true}) {
    auto begun = beginnings(
        exact_round(tree_task(traversal ? "traversal-without" : "recursive-without", "levels:2,1"), reference_m()));
    auto const passed = [&](std::vector<Token> const& prefix) {
      return Rational(begun[prefix].whole - begun[prefix].ended);
    };
    CHECK(passed({0}) == micros(420000));
    CHECK(passed({1}) == micros(300000));
    CHECK(passed({2}) == micros(200000));
    CHECK(begun[{0}].ended == micros(80000));
    CHECK(passed({1, 0}) == micros(traversal ? 100000 : 60000));
    CHECK(begun[{1, 0}].ended == micros(traversal ? 80000 : 120000));
  }
}

TEST_CASE("tree rules: how often siblings are accepted and tested, as computed elsewhere", "[reference]") {
  using Three = std::vector<Rational>;
  auto const ranks = [](std::string const& rule, ExactModel const& model) {
    auto passed = exact_round(tree_task(rule, "kary:3,1"), model).passed;
    passed.erase(passed.begin());
    return passed;
  };
  auto const tests = [](Three const& accepted) {  // of 1, 2 and 3 drafts, in the mean
    Three sums;
    Rational left = 1, sum = 0;
    for (Rational const& each : accepted) {
      sums.push_back(sum += left);
      left -= each;
    }
    return sums;
  };
  struct Vector {
    ExactModel model;
    Three with, without, tested;
  };
  auto const thousandths = [](int a, int b, int c) {
    return Three{Rational(a, 1000), Rational(b, 1000), Rational(c, 1000)};
  };
  for (auto const& [model, with, without, tested] :
       {Vector{reference_r(), thousandths(700, 120, 28), thousandths(700, 175, 125), thousandths(1000, 1300, 1480)},
        Vector{reference_l(), thousandths(600, 200, 80), thousandths(600, 340, 60), thousandths(1000, 1400, 1600)},
        Vector{reference_m(), thousandths(800, 60, 42), thousandths(800, 120, 80), thousandths(1000, 1200, 1340)}}) {
    CHECK(ranks("recursive", model) == with);
    CHECK(tests(with) == tested);
    CHECK(ranks("recursive-without", model) == without);
  }
}

TEST_CASE("tree rules: where a round stops, given the text, as computed elsewhere", "[reference]") {
  std::vector<Token> const text = {1, 0, 2};
  auto const stops = [&](std::string const& rule, ExactModel const& model) {
    ExactRound const round = exact_round(tree_task(rule, "levels:2,1"), model);
    std::vector<Rational> given;
    Rational written = 1;
    std::uint32_t row = 0;
    for (std::size_t depth = 0; depth < 3; ++depth) {
      written *= model.row(row).p[text[depth]];
      row = model.contexts().after(row, text[depth]);
      auto const found = round.emitted.find({text.begin(), text.begin() + static_cast<std::ptrdiff_t>(depth) + 1});
      given.push_back(found == round.emitted.end() ? Rational(0) : Rational(found->second / written));
    }
    return given;
  };
  using Law = std::vector<Rational>;
  Law const r{Rational(1, 40), 0, Rational(39, 40)}, m_rejection{0, Rational(2, 3), Rational(1, 3)},
      m_traversal{0, Rational(4, 9), Rational(5, 9)};
  for (auto const* rule : {"recursive", "traversal"}) {
    CHECK(stops(rule, reference_r()) == r);
    CHECK(stops(rule, reference_l()) == Law{Rational(3, 10), 0, Rational(7, 10)});
    CHECK(stops(rule + std::string("-without"), reference_l()) == Law{Rational(1, 10), 0, Rational(9, 10)});
  }
  for (auto const* drafts : {"", "-without"}) {
    CHECK(stops("recursive" + std::string(drafts), reference_m()) == m_rejection);
    CHECK(stops("traversal" + std::string(drafts), reference_m()) == m_traversal);
  }
}

TEST_CASE("tree rules: local optimal transport is at the ceiling of one level, and nowhere below traversal",
          "[reference]") {
  ExactModel const models[] = {reference_r(), reference_l(), reference_m()};
  std::array<double, 3> const with{.89, .85, 1}, without{.992857, 1, 1};
  for (std::size_t pair = 0; pair < 3; ++pair) {
    CHECK(prints(mean("local-ot", "kary:2,1", models[pair]), with[pair]));
    CHECK(prints(mean("local-ot-without", "kary:2,1", models[pair]), without[pair]));
    for (auto const* tree : {"levels:2,1", "levels:3,1", "kary:2,2"})
      for (std::string const drafts : {"", "-without"}) {
        CAPTURE(pair, tree, drafts);
        CHECK(mean("local-ot" + drafts, tree, models[pair]) >= mean("traversal" + drafts, tree, models[pair]));
      }
  }
}

TEST_CASE("tree rules: one draft more, the last of all, never lowers what two of them keep") {
  std::size_t raised = 0;
  for (auto const& parents : trees_up_to(5)) {
    if (parents.size() < 3) continue;
    std::vector<int> const shorter(parents.begin(), parents.end() - 1);
    ExactModel const model = random_prefix_model(static_cast<std::uint32_t>(parents.size()), 3, 4);
    for (auto const* rule : {"recursive", "recursive-without", "traversal", "traversal-without"}) {
      std::string const longer = TreeShape::of_parents(parents).text();
      Task const asked = tree_task(rule, longer);
      if (asked.shape.branching > 3 && rule != std::string("recursive") && rule != std::string("traversal")) continue;
      CAPTURE(rule, longer);
      Rational const more = mean(rule, longer, model),
                     less = mean(rule, TreeShape::of_parents(shorter).text(), model);
      CHECK(more >= less);
      raised += more > less;
    }
  }
  CHECK(raised > 40);
}

TEST_CASE(
    "tree rules: where levels are alike and drafts independent, traversal keeps no less than recursive rejection") {
  for (auto const* tree : {"kary:2,1", "levels:2,1", "levels:1,2", "kary:2,2", "levels:3,1", "levels:1,3"})
    for (ExactModel const& model : tables(2)) {
      CAPTURE(tree);
      CHECK(mean("traversal", tree, model) >= mean("recursive", tree, model));
    }
}

TEST_CASE("tree rules: what looks like an order of rules and is none", "[reference]") {
  ExactModel::Row const even = row({1, 1}, {1, 1});
  std::string const bent = "[-1,0,1,1,3]";  // a node's second child has a child, its first has none
  ExactModel const markov = markov_from(row({1, 1}, {9, 1}), {row({1, 9}, {1, 1}), even});
  CHECK(mean("traversal-without", bent, markov) == Rational(12, 10));
  CHECK(mean("recursive-without", bent, markov) == Rational(14, 10));
  CHECK(mean("traversal", bent, one_context({9, 1}, {8, 2})) == micros(1841600));
  CHECK(mean("recursive", bent, one_context({9, 1}, {8, 2})) == micros(1846800));

  // Levels alike, drafts without replacement, four tokens: the draft turns from 0 to 1 after another second token
  // than 0.
  ExactModel::Row const zero = row({1, 0, 0, 0}, {1, 0, 0, 0}), one = row({1, 0, 0, 0}, {0, 1, 0, 0});
  ExactModel const turning(Follow::state,
                           {row({9, 1, 0, 0}, {1, 0, 0, 0}), row({12, 2, 2, 4}, {6, 2, 11, 1}), zero, one},
                           {1, 1, 1, 1, 2, 3, 3, 3, 2, 2, 2, 2, 3, 3, 3, 3});
  CHECK(prints(mean("traversal-without", "levels:1,2,1,1,1,1,1,1", turning), 4.949255));
  CHECK(prints(mean("recursive-without", "levels:1,2,1,1,1,1,1,1", turning), 4.95));

  // Two tokens make two drafts that differ, so that the third, below which the others are, is missing.
  ExactModel const certain = markov_from(row({1, 0}, {1, 1}), {even, even});
  CHECK(mean("recursive-without", "kary:2,1", certain) == 1);
  CHECK(mean("recursive", "[-1,0,0,0,3,4]", certain) == Rational(9, 8));

  ExactModel const twice = markov_from(row({1, 0}, {1, 0}), {row({1, 0}, {1, 1}), row({1, 0}, {1, 1})});
  CHECK(mean("recursive", "levels:2,1", twice) == Rational(3, 2));
  CHECK(mean("target-walk", "levels:2,1", twice) == Rational(7, 4));
  ExactModel const unequal = markov_from(even, {row({1, 0}, {1, 0}), row({1, 0}, {1, 0})});
  CHECK(mean("recursive-without", "[-1,0,0,2]", unequal) == 1);
  CHECK(mean("naive-set-without", "[-1,0,0,2]", unequal) == Rational(3, 2));
}

TEST_CASE(
    "tree rules: where p is certain and drafts differ, every lossless rule follows the text while it is drafted") {
  ExactModel const certain = markov_from(
      row({0, 1, 0}, {3, 2, 1}), {row({1, 0, 0}, {2, 2, 1}), row({0, 0, 1}, {3, 1, 4}), row({0, 1, 0}, {1, 0, 1})});
  for (auto const& parents : trees_up_to(5)) {
    if (parents.size() == 1) continue;
    std::string const tree = TreeShape::of_parents(parents).text();
    if (tree_task("token", tree).shape.branching > 3) continue;
    std::vector<Rational> walked;
    for (auto const* rule : {"target-walk", "naive-set-without", "recursive-without", "traversal-without", "top-set",
                             "sglang:threshold=1/3,single=1/2"}) {
      CAPTURE(tree, rule);
      Task asked = tree_task(rule, tree);
      asked.drafter = "sample-without";
      auto const accepted = exact_round(asked, certain).accepted;
      if (walked.empty()) walked = accepted;
      CHECK(accepted == walked);
    }
  }
}

TEST_CASE("tree rules: SGLang's thresholds accept more, and write another text", "[reference]") {
  auto const at = [](std::string const& rule, ExactModel const& model) {
    return exact_text(tree_task(rule, "levels:2,1"), model, {}, 3);
  };
  auto const half = "sglang:threshold=1/2,single=1", quarter = "sglang:threshold=1,single=1/4";
  CHECK(at(half, reference_r()).round.mean_accepted() == Rational(16, 10));
  CHECK(at(half, reference_r()).distance == Rational(42, 100));
  CHECK(at(half, reference_m()).round.mean_accepted() == Rational(128, 100));
  CHECK(at(half, reference_m()).distance == Rational(36, 100));
  CHECK(at(quarter, reference_r()).round.mean_accepted() == 2);
  CHECK(at(quarter, reference_r()).distance == Rational(91, 100));

  // Drafts that are equal count twice: with q certain of token 0 and p(0) = .3 the text has it with .6.
  Task equal = tree_task("sglang", "kary:2,1");
  equal.drafter = "sample";
  CHECK(exact_text(equal, one_context({3, 4, 3}, {1, 0, 0}), {}, 1).distance == Rational(3, 10));
}

TEST_CASE("tree rules: typical acceptance keeps the longest path that passes, and writes another text",
          "[reference]") {
  struct Vector {
    ExactModel model;
    double accepted, distance;
  };
  for (Vector const& one :
       {Vector{reference_r(), 2, .88}, Vector{reference_l(), 2, .94}, Vector{reference_m(), 2, .9}}) {
    Task const task = tree_task("typical:epsilon=.09,delta=.3", "levels:2,1");
    CHECK(prints(exact_round(task, one.model).mean_accepted(), one.accepted));
    CHECK(prints(exact_text(task, one.model, {}, 3).distance, one.distance));
  }
}

TEST_CASE(
    "tree rules: of paths that pass typical acceptance the longest is kept, then the likelier, then the first") {
  auto const passed = [](ExactModel const& model, char const* tree, char const* rule) {
    return exact_round(tree_task(rule, tree), model).passed;
  };
  // Markov: 0 leads to certainty of 2, and 1 to certainty of 0; q's order is 0, 1, 2 everywhere. ε = .2 lets tokens
  // pass by p.
  ExactModel::Row const root = row({5, 3, 2}, {3, 2, 1});
  ExactModel const deep = markov_from(root, {row({0, 0, 1}, {3, 2, 1}), row({1, 0, 0}, {3, 2, 1}), root});
  char const* const threshold = "typical:epsilon=1/4,delta=1";
  // Node 1 is token 0 and the likelier, but nothing passes below it: the path over node 2 is longer.
  CHECK(passed(deep, "levels:2,1", threshold) == std::vector<Rational>{1, 0, 1, 0, 1});
  // The first level alone: token 0 is likelier, wherever it stands.
  CHECK(passed(deep, "kary:2,1", threshold) == std::vector<Rational>{1, 1, 0});
  ExactModel const turned = one_context({3, 5, 2}, {3, 2, 1});
  CHECK(passed(turned, "kary:2,1", threshold) == std::vector<Rational>{1, 0, 1});
  CHECK(passed(one_context({4, 4, 2}, {3, 2, 1}), "kary:2,1", threshold) == std::vector<Rational>{1, 1, 0});
}

TEST_CASE("tree rules: the best of K paths, and what free continuation adds, as computed elsewhere", "[reference]") {
  ExactModel const models[] = {reference_r(), reference_l(), reference_m()};
  struct Vector {
    char const* tree;
    std::array<double, 3> plain, continued;
  };
  for (Vector const& one : {Vector{"paths:2,2", {1.6254, 1.4325, 1.7526}, {1.6254, 1.4325, 1.805849}},
                            Vector{"paths:3,2", {1.625653, 1.609925, 1.6225}, {1.762225, 1.64453, 1.823627}}})
    for (std::size_t pair = 0; pair < 3; ++pair) {
      CAPTURE(one.tree, pair);
      CHECK(prints(mean("gbv", one.tree, models[pair]), one.plain[pair]));
      CHECK(prints(mean("gbv:continue=1", one.tree, models[pair]), one.continued[pair]));
    }
  double const plain[] = {.75, .625, .5625}, continued[] = {.916667, .946429, .970833};
  for (int k = 2; k <= 4; ++k) {
    std::string const tree = "paths:" + std::to_string(k) + ",1";
    CHECK(prints(mean("gbv", tree, one_context({1, 1}, {1, 1})), plain[k - 2]));
    CHECK(prints(mean("gbv:continue=1", tree, one_context({1, 1}, {1, 1})), continued[k - 2]));
  }
}

TEST_CASE("tree rules: a token that two of the drafts may be goes on below both") {
  // Worked out apart, by the trie of each drawn tree. The walk below the first of equal siblings gives 155033/200704.
  ExactModel const uneven = one_context({2, 1, 4}, {3, 3, 2});
  for (char const* rule : {"naive-set", "target-walk"})
    CHECK(mean(rule, "[-1,0,0,1,1,2,2]", uneven) == Rational(10221263, 12845056));
  // p = q certain of 0: the first child is accepted, and of the two equal paths only the second goes on.
  ExactModel const certain = one_context({1, 0}, {1, 0});
  Task task = tree_task("recursive", "[-1,0,0,2]");
  CHECK(exact_round(task, certain).mean_accepted() == 1);
  task.shape.continues = true;
  ExactRound const round = exact_round(task, certain);
  CHECK(round.mean_accepted() == 2);
  CHECK(round.passed == std::vector<Rational>{1, 0, 1, 1});
  for (char const* rule : {"gbv", "gbv:continue=1"}) {  // its own parameter is the same
    Task best = tree_task(rule, "paths:3,2");
    best.shape.continues = std::string_view(rule) == "gbv";
    CHECK(prints(exact_round(best, reference_r()).mean_accepted(), 1.762225));
  }
}
