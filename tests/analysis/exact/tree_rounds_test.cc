#include <catch2/catch.hpp>

#include "analysis/exact/enumerate_round.h"
#include "analysis/exact/exact.h"
#include "analysis/stats/tree_counts.h"
#include "analysis/theory/expectation.h"
#include "sim/draft/drafting.h"
#include "sim/fast/engine.h"
#include "sim/rules/recursive.h"
#include "sim/sources/source.h"
#include "tests/tree_models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("how often the accepted path passes a node, as computed elsewhere", "[reference]") {
  ExactRound const round = exact_round(tree_task("recursive-without", "levels:2,1"), reference_m());
  REQUIRE(round.passed.size() == 5);
  CHECK(round.passed[0] == 1);
  CHECK(round.passed[1] + round.passed[2] == micros(920000));
  CHECK(round.passed[1] == micros(800000));  // β
  CHECK(round.accepted == std::vector<Rational>{micros(80000), micros(274000), micros(646000)});
}

TEST_CASE("every lossless rule of several drafts has the target's distribution on every shape of up to six nodes") {
  auto const shapes = trees_up_to(6);
  std::size_t checked = 0;
  for (auto const& parents : shapes) {
    if (parents.size() == 1) continue;
    std::string const text = TreeShape::of_parents(parents).text();
    Task shape = tree_task("token", text);
    for (RuleCard const& card : rule_cards()) {
      if (!card.lossless || !card.many_children) continue;
      if (drafter_card(card.drafter).distinct && shape.shape.branching > 2) continue;
      for (bool const bonus : {true, false}) {
        CAPTURE(card.name, text, bonus);
        Task const asked = tree_task(std::string(card.name), text, bonus);
        ExactModel const model = referred(
            random_prefix_model(static_cast<std::uint32_t>(checked % 7 + 1), 2, asked.shape.gamma), card.reference);
        int const length = asked.shape.gamma + 1;
        REQUIRE(total_variation(completed(exact_round(asked, model), model, length), target_law(model, length)) == 0);
        ++checked;
      }
    }
  }
  CHECK(shapes.size() == 1 + 1 + 2 + 5 + 14 + 42);  // Catalan: level by level, each tree once
  CHECK(checked > 600);
}

TEST_CASE("a walk that shares what it has enumerated is the round itself") {
  // A path rule's way, over whole rounds: every answer at every node anew.
  auto const by_paths = []<class Rule>(Rule const& rule, Task const& asked, ExactModel const& model) {
    ExactRound round;
    round.accepted.resize(static_cast<std::size_t>(asked.shape.gamma) + 1);
    Enumerator<Rational> chance;
    do {
      std::vector<Token> tokens;
      int const tau = play_round(rule, drafting_of(asked), model, asked.shape, chance,
                                 model.contexts().first(chance, 0), [&](Token x) { tokens.push_back(x); });
      round.emitted[tokens] += chance.probability();
      round.accepted[static_cast<std::size_t>(tau)] += chance.probability();
    } while (chance.next_path());
    return round;
  };
  ExactModel const two_rows(Follow::independent, {row({3, 4, 3}, {6, 3, 1}), row({1, 6, 3}, {5, 3, 2})});
  for (auto const& model : {random_prefix_model(5, 3, 2), two_rows})
    for (auto const* tree : {"levels:2,1", "[-1,0,0,2]", "chain:2"})
      for (bool const bonus : {true, false}) {
        CAPTURE(tree, bonus, static_cast<int>(model.contexts().follow));
        Task const asked = tree_task("recursive", tree, bonus);
        ExactRound const round = exact_round(asked, model);
        ExactRound const whole = by_paths(rules::Recursive<drafters::Sample>(), asked, model);
        CHECK(round.emitted == whole.emitted);
        CHECK(round.accepted == whole.accepted);
      }
}

TEST_CASE("seven nodes over three tokens are few paths once subtrees are shared") {
  ExactRound const round = exact_round(tree_task("recursive", "kary:2,2"), reference_r());
  CHECK(round.paths < 200);
}

TEST_CASE("what is simulated on a tree is what is enumerated, node by node") {
  Source const source = open_source("markov:vocab=3");
  for (auto const* rule :
       {"recursive", "recursive-without", "k-seq", "naive-set", "traversal", "traversal-without", "target-walk"}) {
    CAPTURE(rule);
    Task asked = tree_task(rule, "[-1,0,0,1,1,3]");
    asked.rounds_per_trial = 1;
    asked.start = 1;
    Simulation const simulation(asked, source.tables, 7);
    Tally const tally = simulate(simulation, {0, 40'000}, serial_backend(), 1).tally;
    ExactRound const exact = exact_round(simulation.task(), exact_model(source.tables), 1);
    REQUIRE(exact.passed.size() == 6);
    REQUIRE(tally.passed().size() == 5);
    for (std::size_t v = 1; v < 6; ++v) {
      double const expected = static_cast<double>(exact.passed[v]),
                   seen = static_cast<double>(tally.passed()[v - 1]) / 4e4;
      CAPTURE(v, expected, seen);
      // Six standard errors: a false alarm in 2·10^-9 of seeds a node; a shift of .03 is found surely.
      CHECK(std::abs(seen - expected) < 6 * std::sqrt(expected * (1 - expected) / 4e4) + 1e-12);
    }
  }
}

TEST_CASE("counts by depth and rank") {
  Task const asked = tree_task("recursive", "[-1,0,0,1,1,2]");
  std::vector<std::uint64_t> const passed{60, 20, 30, 12, 15};
  auto const counts = rank_counts(asked.shape, 100, passed);
  REQUIRE(counts.size() == 4);
  auto const check = [&](std::size_t i, int depth, int rank, std::uint64_t offered, std::uint64_t tested,
                         std::uint64_t accepted) {
    CAPTURE(i);
    CHECK(counts[i].depth == depth);
    CHECK(counts[i].rank == rank);
    CHECK(counts[i].offered == offered);
    CHECK(counts[i].tested == tested);
    CHECK(counts[i].accepted == accepted);
  };
  check(0, 1, 1, 100, 100, 60);
  check(1, 1, 2, 100, 40, 20);
  check(2, 2, 1, 80, 80, 45);
  check(3, 2, 2, 60, 30, 12);
  CHECK(counts[1].of_offered() == .2);
  CHECK(counts[1].of_tested() == .5);
  CHECK(rank_counts(asked.shape, 0, std::vector<std::uint64_t>(5, 0))[0].of_offered() == std::nullopt);
}

TEST_CASE("tokens per round on a tree: by levels, by one node and by enumeration") {
  Source const source = open_source("zipf:vocab=6,exponent=1,draft-exponent=.5");
  for (bool const bonus : {true, false}) {
    CAPTURE(bonus);
    Task const asked = tree_task("recursive", "levels:3,1,2", bonus);
    Simulation const simulation(asked, source.tables, 1);
    auto const closed = closed_form_tokens(simulation), one = exact_tokens(simulation, 400),
               whole = exact_tokens(simulation, 4'000'000);
    REQUIRE((closed && one && whole));
    CHECK(closed->origin == "products of levels' α");
    CHECK(one->origin == "one position");
    CHECK(whole->origin == "enumeration");
    CHECK(closed->value == Approx(whole->value).epsilon(1e-12));
    CHECK(one->value == Approx(whole->value).epsilon(1e-12));
  }
  Simulation const uneven(tree_task("recursive", "[-1,0,0,2]"), source.tables, 1);
  CHECK_FALSE(closed_form_tokens(uneven));
  for (bool const bonus : {true, false}) {  // nodes 1, 3 and 5 are leaves above the last level
    Simulation const leaf(tree_task("recursive", "[-1,0,0,2,2,4,4,6]", bonus), source.tables, 1);
    std::uint64_t const all = exact_round(leaf.task(), exact_model(source.tables)).paths;
    auto const one = exact_tokens(leaf, all - 1), whole = exact_tokens(leaf);
    REQUIRE((one && whole));
    CHECK(one->origin == "one position");
    CHECK(whole->origin == "enumeration");
    CHECK(one->value == Approx(whole->value).epsilon(1e-12));
  }
}
