#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/chance/scripted_chance.h"
#include "sim/draft/any_drafter.h"
#include "sim/lossy/fly.h"
#include "sim/lossy/interpolation.h"
#include "sim/lossy/relaxed.h"
#include "sim/lossy/top_n.h"
#include "sim/model/row_constant.h"
#include "sim/model/table_model.h"
#include "sim/play/round.h"
#include "sim/task/task.h"

// Lossy rules against a script: which questions they ask, and what follows from the answers.

using namespace draftgauge;

namespace {

using Script = std::vector<ScriptedChance::Answer>;
constexpr Token first = 0, second = 1, third = 2;

struct PlayedLossy {
  int accepted;
  std::vector<Token> tokens;
  int flips;
};

template <class Rule>
PlayedLossy played(std::string const& values, int gamma, Script script) {
  Rule const rule(rule_call(std::string(Rule::card.name) + values).values);
  RoundShape const shape{gamma, 1, true};
  TableModel<double> model{Follow::independent, {{{.3, .4, .3}, {.6, .3, .1}}}};
  if constexpr (has_row_constant<Rule>) model = model.with_constants(row_constants(rule, model, shape));
  ScriptedChance chance(std::move(script));
  PlayedLossy round{};
  round.accepted = play_round(rule, AnyDrafter(drafter_call("sample").index), model, shape, chance, 0,
                              [&](Token x) { round.tokens.push_back(x); });
  REQUIRE(chance.finished());
  round.flips = chance.flips();
  return round;
}

}  // namespace

TEST_CASE("fly: a rejection is overridden where the next draft passes, by the coin that decides over that draft") {
  auto const passes = played<rules::Fly>(":window=1", 2, {first, false, second, true, third});
  CHECK(passes.accepted == 2);
  CHECK(passes.tokens == std::vector{first, second, third});
  CHECK(passes.flips == 2);
  auto const fails = played<rules::Fly>(":window=1", 2, {first, false, first, false, second});
  CHECK(fails.accepted == 0);
  CHECK(fails.tokens == std::vector{second});
  // No window behind the last draft, nor where p does not hesitate: its entropy is 1.09 nats.
  CHECK(played<rules::Fly>(":window=1", 1, {first, false, third}).accepted == 0);
  CHECK(played<rules::Fly>(":window=1,theta=1.1", 2, {first, false, third}).flips == 1);
}

TEST_CASE("interpolation: the bonus token comes from p, or by a coin from what the rule aims at") {
  CHECK(played<rules::Interpolation>("", 1, {first, true, third}).flips == 1);
  CHECK(played<rules::Interpolation>(":bonus=1", 1, {first, true, false, third}).flips == 2);
}

TEST_CASE("relaxed: asks nothing, and of equal tokens the smaller is among the most likely") {
  CHECK(played<rules::Relaxed>(":top=2,delta=.1", 1, {first}).tokens == std::vector{first, second});
  CHECK(played<rules::Relaxed>(":top=2,delta=.1", 1, {third}).tokens == std::vector{second});
  CHECK(played<rules::Relaxed>(":top=3,delta=.05", 1, {first}).tokens == std::vector{second});
}

TEST_CASE("top-n: what is as likely as the last of them passes") {
  CHECK(played<rules::TopN>(":n=2", 1, {third, first}).accepted == 1);
  CHECK(played<rules::TopN>(":n=1", 1, {third, second}).accepted == 0);
}
