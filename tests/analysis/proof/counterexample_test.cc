#include "analysis/proof/counterexample.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>

#include "analysis/exact/exact.h"
#include "analysis/proof/for_all.h"
#include "sim/play/simulation.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// Every faulty rule: caught by the test that its card says, exactly and by simulation, and let pass by the one that its
// card says is too weak. Seeds are fixed; a right rule would fail one of these 64 tests with probability 64e-9.

namespace {

constexpr double false_alarm = 1e-9;

}  // namespace

TEST_CASE("faulty rules: every piece is caught, and passes where the test is too weak", "[faulty]") {
  std::size_t pieces = 0;
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample) continue;
    ++pieces;
    CAPTURE(card.name);
    CHECK(card.name.starts_with("faulty/"));
    CHECK_FALSE(card.lossless);
    Counterexample const& counterexample = *card.counterexample;
    Finding const shows = examine(card, counterexample.shows, counterexample.rounds, 1, cpu_backend(), 2);
    CHECK(shows.distance.str() == counterexample.distance);
    CHECK(shows.distance > 0);
    CHECK(shows.observed.p_value < false_alarm);
    CHECK(shows.rounds >= counterexample.rounds);
    Finding const hides = examine(card, counterexample.hides, counterexample.rounds, 1, cpu_backend(), 2);
    CHECK(hides.distance == 0);
    CHECK(hides.observed.p_value >= false_alarm);
  }
  CHECK(pieces == 32);
}

TEST_CASE("faulty rules: no smaller table shows a piece", "[faulty]") {
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample || card.name == "faulty/coarse-coin") continue;  // 2048 answers a flip
    CAPTURE(card.name);
    Counterexample::Test const& shows = card.counterexample->shows;
    if (!shows.memory.empty()) continue;  // below
    Task const asked = task(std::string(card.name), shows.gamma, shows.branching);
    auto const smallest = smallest_counterexample(for_all_claim(asked), 3);
    REQUIRE(smallest);
    auto const texts = [](std::vector<Rational> const& law) {
      std::string list;
      for (Rational const& entry : law) list += (list.empty() ? "" : ",") + entry.str();
      return list;
    };
    CHECK(texts(smallest->row.p) == shows.p);
    CHECK(texts(smallest->row.q) == shows.q);
  }
}

TEST_CASE("faulty rules: of a target with a memory no table of a smaller denominator shows a piece") {
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample || card.counterexample->shows.memory.empty()) continue;
    CAPTURE(card.name);
    Counterexample::Test test = card.counterexample->shows;
    CHECK(test.p == "1/2,1/2");  // of two tokens, in halves: smaller are one-hot
    for (std::string_view const p : {"1,0", "0,1"})
      for (std::string_view const q : {"1,0", "0,1"}) {
        test.p = p;
        test.q = q;
        Source const source = counterexample_source(test);
        std::uint32_t const starts[] = {0};
        CHECK(
            exact_text(task(std::string(card.name), test.gamma), exact_model(source), starts, test.tokens).distance ==
            0);
      }
  }
}

TEST_CASE("faulty rules: the token rule passes every test that a wrong one fails", "[faulty]") {
  RuleCard const& token = rule_card("token");
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample || card.counterexample->shows.branching > 1) continue;
    CAPTURE(card.name);
    Finding const finding =
        examine(token, card.counterexample->shows, card.counterexample->rounds, 1, cpu_backend(), 2);
    CHECK(finding.distance == 0);
    CHECK(finding.observed.p_value >= false_alarm);
  }
}

TEST_CASE("faulty rules: a generator seeded before every test writes one text, whatever the seed", "[faulty]") {
  Source const source = counterexample_source({.p = "1/10,3/5,3/10", .q = "1/2,3/10,1/5"});
  Task asked = task("faulty/reset-seed", 2);
  asked.gram = 4;
  asked.rounds_per_trial = 4;
  for (std::uint64_t const seed : {std::uint64_t{1}, std::uint64_t{2}}) {
    Played const played = simulate(Simulation(asked, source.tables, seed), {0, 200}, cpu_backend(), 2);
    std::span<std::uint64_t const> const texts = played.tally.grams();
    CHECK(std::ranges::count(texts, std::uint64_t{200}) == 1);
    CHECK(std::ranges::count(texts, std::uint64_t{0}) == 80);
    CHECK(texts[40] == 200);  // token 1 four times: of q its number picks token 1, of p − q too
  }
  ExactText const text = exact_text(asked, exact_model(source), {}, 3);  // of a round
  CHECK(text.distance == 1 - Rational(27, 125));                         // p of its tokens
  CHECK(text.round.emitted.size() == 1);
}

TEST_CASE("faulty rules: figures known from elsewhere", "[faulty][reference]") {
  auto const at_r = [](std::string const& rule, int gamma, int branching, int tokens) {
    return exact_text(task(rule, gamma, branching), reference_r(), {}, tokens);
  };
  auto const at_l = [](std::string const& rule, int tokens) {
    return exact_text(task(rule, 1), one_context({1, 6, 3}, {5, 3, 2}), {}, tokens);
  };
  CHECK(at_r("faulty/without-as-with", 1, 2, 1).distance == Rational(1, 8));
  CHECK(at_l("faulty/constant-coin", 1).distance == Rational(2, 5));
  CHECK(marginal(at_l("faulty/constant-coin", 1).output, 0, 3) == std::vector<Rational>{{1, 2}, {3, 10}, {1, 5}});
  CHECK(at_l("faulty/reused-gumbel", 1).distance == Rational(3, 130));
  CHECK(marginal(at_l("faulty/reused-gumbel", 1).output, 0, 3) ==
        std::vector<Rational>{{1, 10}, {81, 130}, {18, 65}});
  CHECK(marginal(at_r("faulty/dropped-draft", 1, 1, 1).output, 0, 3) ==
        std::vector<Rational>{{33, 100}, {44, 100}, {23, 100}});
  CHECK(
      exact_text(task("faulty/dropped-draft:threshold=1/4", 1), one_context({1, 6, 3}, {5, 3, 2}), {}, 1).distance ==
      Rational(14, 100));

  double const uncapped_tv[] = {.06, .085091, .097282}, uncapped_mean[] = {1.31, 1.840909, 2.304203};
  for (int gamma = 2; gamma <= 4; ++gamma) {
    CAPTURE(gamma);
    ExactText const text = at_r("faulty/block-uncapped", gamma, 1, gamma + 1);
    CHECK(static_cast<double>(text.distance) == Approx(uncapped_tv[gamma - 2]).epsilon(0).margin(5.1e-7));
    CHECK(static_cast<double>(text.round.mean_accepted()) ==
          Approx(uncapped_mean[gamma - 2]).epsilon(0).margin(5.1e-7));
  }
  CHECK(at_r("faulty/block-greedy", 2, 1, 3).distance == Rational(6, 100));
  CHECK(at_r("faulty/block-greedy", 3, 1, 4).distance == Rational(96, 1000));

  auto const on_tree = [](std::string rule) {
    Task asked = task(std::move(rule), 1);
    draft_tree(asked, parse_tree("levels:2,1"));
    return static_cast<double>(exact_text(asked, reference_r(), {}, 3).distance);
  };
  CHECK(on_tree("faulty/top-as-drawn") == Approx(.413333).epsilon(0).margin(5.1e-7));
  CHECK(on_tree("faulty/top-as-drawn-without") == Approx(.236667).epsilon(0).margin(5.1e-7));
  // p = q = (.3, .4, .3): the first draft is kept, and the token after it is drawn from p² over its sum.
  CHECK(static_cast<double>(
            exact_text(task("faulty/untempered-bonus", 1), one_context({3, 4, 3}, {3, 4, 3}), {}, 2).distance) ==
        Approx(.070588).epsilon(0).margin(5.1e-7));
}
