#include "sim/fast/round_sums.h"

#include <algorithm>

namespace draftgauge {

Path path_of(Simulation const& simulation) {
  TrialPlan const& plan = simulation.plan();
  Contexts const& contexts = plan.tables.contexts;
  if (contexts.follow != Follow::independent || plan.rounds_per_trial != 1 || plan.tally.gram > 0)
    return Path::multi_round;
  return contexts.rows > 1 ? Path::drawn : Path::one;
}

int positions_counted(Simulation const& simulation) {
  TallyLayout const& tally = simulation.plan().tally;
  return std::min(std::max(tally.positions, tally.firsts ? 1 : 0), tally.gamma + 1);
}

Scalars passes_of_round(TrialPlan const& plan) {
  Scalars sums;
  auto const ignore = [](std::size_t) {};
  TrialCounter counter(plan.tally, plan.tables.contexts, 0, sums, ignore);
  spend_passes(plan.shape, counter);
  return sums;
}

}  // namespace draftgauge
