#include <catch2/catch.hpp>
#include <vector>

#include "sim/chance/scripted_chance.h"
#include "sim/fast/engine.h"
#include "sim/model/table_model.h"
#include "sim/play/round.h"
#include "sim/play/simulation.h"
#include "sim/rules/token.h"
#include "sim/sources/source.h"

// How long a round's draft is, by each policy, and what it costs.

using namespace draftgauge;

namespace {

using Model = TableModel<double>;
constexpr Token A = 0, B = 1;

/// What a round tells of itself: tokens and passes.
struct Record {
  std::vector<Token> tokens;
  std::uint64_t made = 0, scored = 0;

  void operator()(Token x) { tokens.push_back(x); }
  void draft_passes(std::uint64_t passes, std::uint64_t) { made += passes; }
  void target_pass(std::uint64_t positions) { scored = positions; }
};

struct Played {
  Record record;
  int drafted = 0, accepted = 0;
};

Played play(std::string_view policy, std::vector<ScriptedChance::Answer> script, RoundShape shape = {.gamma = 4}) {
  Model const model(Follow::independent, {{{.5, .5}, {.9, .1}}});
  ScriptedChance chance(std::move(script));
  Played played;
  Drafting const drafting(AnyDrafter(0), AnyPolicy(policy_call(policy)));
  played.accepted = play_round(rules::TokenRule{}, drafting, model, shape, chance, 0, played.record, &played.drafted);
  REQUIRE(chance.finished());
  return played;
}

Tally rounds_of(std::string const& policy, std::string const& alpha, int gamma) {
  Source const source = open_source("exact-alpha:vocab=8,alpha=" + alpha);
  Task task;
  task.policy = policy;
  task.shape.gamma = gamma;
  task.rounds_per_trial = 4096;
  Simulation const simulation(task, source.tables, 1);
  return simulate(simulation, {0, 256}, cpu_backend(), 2).tally;
}

}  // namespace

TEST_CASE("policies: stop-below keeps the token at which it stops, and pays for no more") {
  auto const played = play("stop-below:threshold=.2", {A, B, true, true, A});  // q(B) = .1
  CHECK(played.drafted == 2);
  CHECK(played.accepted == 2);
  CHECK(played.record.tokens == std::vector{A, B, A});
  CHECK(played.record.made == 2);
  CHECK(played.record.scored == 3);
}

TEST_CASE("policies: a draft that goes on past a rejection is paid for whole") {
  auto const played = play("stop-below:threshold=.2", {A, A, B, false, B});
  CHECK(played.accepted == 0);
  CHECK(played.drafted == 3);
  CHECK(played.record.made == 3);
}

TEST_CASE("policies: confidence is a product over the draft") {
  CHECK(play("confidence:threshold=.75", {A, A, A, true, true, true, A}).drafted == 3);  // .9³ = .729
  CHECK(play("confidence:threshold=.7", {A, A, A, A, true, true, true, true, A}).drafted ==
        4);  // .9⁴ < .7: γ ends it
}

TEST_CASE("policies: the heuristic's lengths") {
  AnyPolicy const policy(policy_call("heuristic"));
  CHECK(policy.first(256) == 5);
  CHECK(policy.first(3) == 3);
  CHECK(policy.next(5, 256, true) == 7);
  CHECK(policy.next(5, 6, true) == 6);
  CHECK(policy.next(5, 256, false) == 4);
  CHECK(policy.next(1, 256, false) == 1);
  CHECK(AnyPolicy(policy_call("heuristic:start=20")).first(256) == 20);
}

// Published for i.i.d. acceptance with probability α, unbounded lengths: the chain of lengths has these means. A
// million rounds in 256 trials have them within 1 % with more than 10 standard deviations to spare; the chain's first
// rounds, from 5 on, weigh less than .2 %.
TEST_CASE("policies: the heuristic's long run", "[reference]") {
  struct Known {
    char const* alpha;
    double length, tokens, speedup;  // at c = .05
  };
  for (Known const& known : {Known{"0.5", 2.2729, 1.7251, 1.5491}, Known{"0.7", 3.654, 2.5816, 2.1828},
                             Known{"0.8", 5.4483, 3.6732, 2.8868}, Known{"0.9", 10.9331, 7.0, 4.5259}}) {
    CAPTURE(known.alpha);
    Tally const tally = rounds_of("heuristic", known.alpha, 256);
    double const rounds = static_cast<double>(tally[TallyLayout::rounds]);
    double const length = static_cast<double>(tally[TallyLayout::draft_steps]) / rounds;
    double const tokens = static_cast<double>(tally[TallyLayout::tokens]) / rounds;
    CHECK(length == Approx(known.length).epsilon(.01));
    CHECK(tokens == Approx(known.tokens).epsilon(.01));
    CHECK(tokens / (1 + .05 * length) == Approx(known.speedup).epsilon(.01));
  }
}

TEST_CASE("policies: an early stop saves passes and costs tokens") {
  Tally const fixed = rounds_of("fixed", "0.6", 6), stopping = rounds_of("stop-below:threshold=.2", "0.6", 6);
  CHECK(fixed[TallyLayout::draft_steps] == 6 * fixed[TallyLayout::rounds]);
  CHECK(stopping[TallyLayout::draft_steps] < fixed[TallyLayout::draft_steps]);
  CHECK(stopping[TallyLayout::tokens] < fixed[TallyLayout::tokens]);
}

TEST_CASE("policies: one that watches drafts takes no tree") {
  PairTables const tables({{{1, 2}, {2, 1}, 3}}, Follow::independent);
  Task task{.rule = "recursive", .policy = "stop-below", .shape = {.gamma = 2, .branching = 2}};
  CHECK_THROWS_WITH(
      Simulation(task, tables, 1),
      "`candidates` 2 does not suit `policy` stop-below:threshold=2/5 (it watches a chain of drafts, not a "
      "tree) use `candidates` 1");
}
