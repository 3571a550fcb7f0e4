#include "analysis/verifier/verdict.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analysis/verifier/tv_lower.h"
#include "tests/analysis/verifier/world.h"
#include "tests/draws.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr int gamma_drafts = 2;
constexpr VerifierAsked asked{};

/// Rounds whose tokens have a rule's own distribution.
VerifierGame played(World const& world, KnownRule const& rule, int rounds) {
  VerifierGame game(world.pair.tables, gamma_drafts, 1);
  std::mt19937_64 bits(11);
  std::discrete_distribution<std::size_t> outcome(rule.emitted.begin(), rule.emitted.end());
  std::vector<std::vector<std::int64_t>> tokens_of(world.cells.emitted());
  std::vector<std::int64_t> starts_of(world.cells.emitted());
  for (std::uint32_t start = 0; start < world_vocab; ++start)
    for (std::int64_t a = 0; a < world_vocab; ++a) {
      auto const put = [&](std::vector<std::int64_t> tokens) {
        std::size_t const cell = world.cells.emitted(start, tokens);
        tokens.resize(3, -1);
        tokens_of[cell] = tokens;
        starts_of[cell] = start;
      };
      put({a});
      for (std::int64_t b = 0; b < world_vocab; ++b) {
        put({a, b});
        for (std::int64_t c = 0; c < world_vocab; ++c) put({a, b, c});
      }
    }
  std::vector<std::int64_t> const drafts(2, 0);  // of which only the number of those kept is counted
  for (int i = 0; i < rounds; ++i) {
    std::size_t const cell = outcome(bits);
    auto const round = static_cast<std::uint64_t>(i);
    OpenTexts open = game.open({round, round + 1}, {starts_of[cell]});
    game.add(open, drafts, tokens_of[cell]);
  }
  return game;
}

double half_of_distance(std::vector<double> const& a, std::vector<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

}  // namespace

TEST_CASE("each rule is its own nearest, and lossless exactly if it is") {
  World const world(gamma_drafts);
  int too_small = 0;
  for (KnownRule const& rule : world.known) {
    if (!rule.lossless() && rule.tv < .02) continue;  // 40 000 rounds do not tell it from a lossless one
    INFO(rule.name);
    VerifierVerdict const verdict =
        judge_verifier(played(world, rule, 40'000), world.target, world.known, {.tv = .1});  // false alarm 1e-6 each
    CHECK(verdict.lossless == rule.lossless());
    REQUIRE(verdict.nearest);
    // Or one that 40 000 rounds do not tell from it.
    auto const nearest = std::ranges::find(world.known, verdict.nearest->rule, &KnownRule::name);
    REQUIRE(nearest != world.known.end());
    INFO(nearest->name);
    CHECK(half_of_distance(nearest->emitted, rule.emitted) < .01);
    CHECK(verdict.tv_at_least <= rule.tv);
    too_small += verdict.certificate.tv_at_most < rule.tv;
    CHECK(verdict.counterexample.has_value() == !rule.lossless());
  }
  CHECK(too_small <= 5);  // of about 30 certificates at .99 six or more have a probability of 5e-7
}

TEST_CASE("too few rounds say nothing") {
  World const world(gamma_drafts);
  VerifierGame const game = played(world, world.known.front(), 1'000);
  VerifierVerdict const verdict = judge_verifier(game, world.target, world.known, asked);
  CHECK_FALSE(verdict.lossless);
  CHECK(verdict.test.draws == 1'000);
  VerifierGame const none(world.pair.tables, gamma_drafts, 1);
  CHECK(message([&] { judge_verifier(none, world.target, world.known, asked); }) ==
        "no round was played (there is nothing to judge) play one or more");
}

TEST_CASE(
    "after the rounds of the plan no verifier is left undecided, and a faulty one is found with the power stated") {
  World const world(gamma_drafts);
  VerifierPlan const plan = plan_audit(world.target, world.known, {.tv = .1});
  REQUIRE(plan.rounds_to_find);
  auto const game = played(world, world.known.front(), static_cast<int>(*plan.rounds_to_find));
  CHECK(judge_verifier(game, world.target, world.known, {.tv = .1}).lossless == true);
  std::mt19937_64 bits(5);
  for (FaultPlan const& fault : plan.faults) {
    KnownRule const& rule =
        *std::ranges::find_if(world.known, [&](KnownRule const& one) { return one.name == fault.rule; });
    INFO(fault.rule);
    CHECK(fault.rounds.has_value() == (fault.tv > 0));
    if (!fault.rounds || *fault.rounds > 100'000) continue;
    int found = 0;
    constexpr int samples = 300;
    for (int i = 0; i < samples; ++i)
      found +=
          g_test(draw(rule.texts, static_cast<int>(*fault.rounds), bits), world.target).p_value < asked.false_alarm;
    // At .99 fewer than 285 have a probability of 4e-7; the noncentral limit is off by some thousandths where rounds
    // are few.
    CHECK(found >= 285);
  }
}

TEST_CASE("a faulty rule is missed where rounds are far fewer than planned") {
  World const world(gamma_drafts);
  VerifierPlan const plan = plan_audit(world.target, world.known, asked);
  std::mt19937_64 bits(6);
  for (FaultPlan const& fault : plan.faults) {
    if (fault.rule != "faulty/residual-from-target") continue;
    KnownRule const& rule =
        *std::ranges::find_if(world.known, [&](KnownRule const& one) { return one.name == fault.rule; });
    int found = 0;
    for (int i = 0; i < 100; ++i)
      found += g_test(draw(rule.texts, static_cast<int>(*fault.rounds / 4), bits), world.target).p_value <
               asked.false_alarm;
    CHECK(found < 50);
  }
}

TEST_CASE("of rounds that share nothing no faulty rule looks like one whose rounds do") {
  // G grows as Σ (P − p)²/p: what a second and a third round add to it is less than shared_from allows for.
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (int gamma = 1; gamma <= 3; ++gamma) {
      Source const pair = verifier_pair(3, seed);
      auto const growths = [&](int rounds) {
        VerifierCells const cells{3, gamma, rounds};
        std::vector<double> const target = target_texts(pair.tables, cells);
        std::vector<double> all;
        for (KnownRule const& rule : known_rules(pair, cells, false)) {
          double sum = 0;
          for (std::size_t i = 0; i < target.size(); ++i)
            if (target[i] > 0) sum += (rule.texts[i] - target[i]) * (rule.texts[i] - target[i]) / target[i];
          all.push_back(sum);
        }
        return all;
      };
      std::vector<double> const one = growths(1), two = growths(2), three = growths(3);
      for (std::size_t rule = 0; rule < one.size(); ++rule) {
        if (one[rule] < 1e-20) continue;
        CHECK(two[rule] < VerifierVerdict::shared_from * one[rule]);
        CHECK(three[rule] < std::pow(VerifierVerdict::shared_from, 2) * one[rule]);
      }
    }
}

TEST_CASE("the least TV is below the true one as often as it says") {
  Probabilities const law{.4, .3, .2, .1}, wrong{.4, .2, .2, .2};
  std::mt19937_64 bits(7);
  int above_wrong = 0, above_right = 0, says_something = 0;
  constexpr int samples = 1'000;
  for (int i = 0; i < samples; ++i) {
    double const far = tv_at_least(draw(wrong, 1'000, bits), draw(wrong, 1'000, bits), law, .9);
    above_wrong += far > .1;
    says_something += far > .05;
    above_right += tv_at_least(draw(law, 1'000, bits), draw(law, 1'000, bits), law, .9) > 0;
  }
  // Of 1000 at .1 more than 146 have a probability of 1e-6.
  CHECK(above_wrong <= 146);
  CHECK(above_right <= 146);
  CHECK(says_something > 900);
  CHECK(tv_at_least(Counts{0, 0}, Counts{0, 0}, Probabilities{.5, .5}, .9) == 0);
}

TEST_CASE("rounds to find a wrong distribution, by hand") {
  // One outcome that the law excludes: 1 − (1 − w)^n ≥ .9.
  CHECK(draws_to_find(Probabilities{1, 0}, Probabilities{.9, .1}, 1e-6, .9) == 22);
  // Two cells: λ = n·4d² at p = 1/2.
  double const lambda = detectable_noncentrality(2, 1e-3, .9);
  auto const n = draws_to_find(Probabilities{.5, .5}, Probabilities{.6, .4}, 1e-3, .9);
  REQUIRE(n);
  CHECK(static_cast<double>(*n) == Approx(lambda / .04).epsilon(2e-3));
  CHECK_FALSE(draws_to_find(Probabilities{.5, .5}, Probabilities{.5, .5}, 1e-3, .9));
  CHECK(message([] { draws_to_find(Probabilities{1}, Probabilities{.5, .5}, 1e-3, .9); }) ==
        "the two distributions are over different outcomes give as many of each");
}

TEST_CASE("the counterexample of a verifier names what p excludes, as short as it shows") {
  Source const pair = verifier_pair(4, 1);
  std::int64_t const excluded = 1;  // of row 0
  REQUIRE(pair.tables.p(0)[1] == 0);
  VerifierGame game(pair.tables, 1, 1);
  std::vector<std::int64_t> const starts(100, 0), drafts(100, excluded);
  std::vector<std::int64_t> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(tokens.end(), {excluded, -1});
  OpenTexts open = game.open({0, 100}, starts);
  game.add(open, drafts, tokens);
  VerifierCells const cells{4, 1};
  VerifierVerdict const verdict = judge_verifier(game, target_texts(pair.tables, cells), {}, asked);
  CHECK(verdict.lossless == false);
  REQUIRE(verdict.counterexample);
  CHECK(verdict.counterexample->start == 0);
  CHECK(verdict.counterexample->tokens == std::vector<std::uint32_t>{1});
  CHECK(verdict.counterexample->observed == 100);
  CHECK(std::isinf(verdict.counterexample->z));
  CHECK_FALSE(verdict.nearest);
}
