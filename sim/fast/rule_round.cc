#include "sim/fast/rule_round.h"

#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge {

RuleRound play_rule_round(Simulation const& simulation, std::uint64_t trial, std::uint32_t round, std::uint32_t row) {
  TrialPlan const& plan = simulation.plan();
  SimulatedModel const model(plan.tables);
  BitChance chance(layout::Address::of(plan.seed, trial, round), plan.tables.table_bits);
  std::uint32_t const first = plan.tables.contexts.first(chance, row);
  RuleRound played;
  auto const emit = [&](Token x) { played.tokens.push_back(x); };
  with_rule(simulation.rule_called(), [&](auto const& rule) {
    played.accepted = play_round(rule, plan.drafting, model, plan.shape, chance, first, emit);
  });
  played.impossible = chance.was_asked_the_impossible();
  return played;
}

}  // namespace draftgauge
