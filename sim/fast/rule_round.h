#pragma once
#include <cstdint>
#include <vector>

#include "sim/play/simulation.h"

namespace draftgauge {

/// A round as the rule itself plays it.
struct RuleRound {
  int accepted = 0;
  bool impossible = false;    ///< a pick was asked of a law without weight
  std::vector<Token> tokens;  ///< emitted, in order
};

/// Plays a round of a trial that comes to it at `row` (of no matter where contexts are independent): what lanes leave
/// undecided. For rules whose noise is not frozen, with the shape that every round has.
RuleRound play_rule_round(Simulation const& simulation, std::uint64_t trial, std::uint32_t round, std::uint32_t row);

}  // namespace draftgauge
