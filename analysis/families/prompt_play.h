#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/families/prompt_trees.h"
#include "analysis/stats/interval.h"

namespace draftgauge {

/// What rounds of PPD did. A cycle is what lies between two rounds in state m: cycles are independent.
struct PlayedPrompts {
  RatioSums cycles{};                 ///< trials are cycles, "tokens" candidates accepted in them
  std::vector<std::uint64_t> visits;  ///< [m + 1] rounds in each state

  /// R with the interval of a ratio over cycles (ratio_interval): none below two cycles.
  std::optional<Interval> mean_accepted(double confidence) const { return ratio_interval(cycles, confidence); }
};

/// Plays `rounds` rounds and the rest of the last cycle: at each node one child is accepted, or none, with the
/// accuracies of its distance, and the state that follows is the number of prompts behind the last accepted node. A
/// second way to R, from no formula but these. accuracies, trees: as of prompt_states. rounds ≥ 1.
PlayedPrompts play_prompts(std::span<PromptTree const> trees, PromptAccuracies const& accuracies,
                           NothingAccepted after_nothing, std::uint64_t rounds, std::uint64_t seed);

}  // namespace draftgauge
