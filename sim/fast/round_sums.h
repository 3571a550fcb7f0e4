#pragma once
#include "sim/play/simulation.h"
#include "sim/play/trial.h"

/// What follows from a round's accepted drafts alone, where every round drafts as many tokens, one child each.
namespace draftgauge {

/// Which contexts the positions of a trial's rounds have.
enum class Path {
  one,          ///< in trials of one round, the only one that there is
  drawn,        ///< in trials of one round, each any one (layout::context)
  multi_round,  ///< of other trials: rounds lead to each other, or are counted jointly
};
Path path_of(Simulation const& simulation);
inline bool multi_round(Simulation const& simulation) { return path_of(simulation) == Path::multi_round; }

/// Positions whose tokens are counted, of trials of one round.
int positions_counted(Simulation const& simulation);

/// The passes of a round, as sums of a tally.
Scalars passes_of_round(TrialPlan const& plan);

/// Adds trials of several rounds to a tally's counts, less their tokens: add(cell, n). lengths: [γ+1] their rounds by
/// accepted drafts; sums: theirs, less the passes.
template <class Add>
void add_multi_round(TrialPlan const& plan, std::uint64_t const* lengths, Scalars const& sums, Add const& add) {
  Scalars const passes = passes_of_round(plan);
  for (std::size_t i = 0; i < TallyLayout::scalars; ++i)
    add(i, sums.value[i] + sums.value[TallyLayout::rounds] * passes.value[i]);
  for (int accepted = 0; accepted <= plan.tally.gamma; ++accepted)
    add(plan.tally.accepted(accepted), lengths[accepted]);
}

/// Adds trials of one round to a tally's counts by their numbers of accepted drafts, and their tokens: add(cell, n).
/// lengths: [γ+1]; tokens: [positions_counted][vocab].
template <class Number, class Add>
void add_rounds(TrialPlan const& plan, std::uint64_t const* lengths, Number const* tokens, int positions, Add add) {
  TallyLayout const& tally = plan.tally;
  Scalars sums;
  for (int accepted = 0; accepted <= tally.gamma; ++accepted) {
    Scalars each;
    TrialRounds rounds;
    rounds.add(accepted);
    rounds.add_to(each, static_cast<std::uint64_t>(accepted) + (accepted < plan.shape.gamma || plan.shape.bonus));
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) sums.value[i] += lengths[accepted] * each.value[i];
  }
  add_multi_round(plan, lengths, sums, add);
  for (int position = 0; position < positions; ++position)
    for (Token x = 0; x < tally.vocab; ++x) {
      std::uint64_t const n = tokens[static_cast<std::size_t>(position) * tally.vocab + x];
      if (position < tally.positions) add(tally.token(position, x), n);
      if (position == 0 && tally.firsts) add(tally.first(x), n);
    }
}

}  // namespace draftgauge
