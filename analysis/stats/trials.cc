#include "analysis/stats/trials.h"

#include <algorithm>

namespace draftgauge {

std::uint64_t longest_trial(Simulation const& simulation) {
  auto const gamma = static_cast<std::uint64_t>(simulation.task().shape.gamma);
  std::uint64_t longest = 0;  // of sequences that end; where none does, starts reach beyond what a task can ask for
  for (std::uint32_t const row : simulation.starts())
    longest = std::max<std::uint64_t>(longest, simulation.tables().reach(row) - gamma);
  std::uint64_t const asked = simulation.task().rounds_per_trial;
  return longest == 0 ? asked : std::min(asked, longest);
}

Range trials_of_rounds(Simulation const& simulation, std::uint64_t rounds) {
  std::uint64_t const per_trial = longest_trial(simulation);
  return {0, rounds / per_trial + (rounds % per_trial != 0)};
}

}  // namespace draftgauge
