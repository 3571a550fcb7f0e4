#pragma once
#include <cstdint>
#include <string>

#include "analysis/exact/rational.h"
#include "analysis/stats/goodness.h"
#include "sim/draft/card.h"
#include "sim/fast/engine.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// What a test of a faulty rule's counterexample finds: exactly, and by a simulation of `rounds` rounds.
struct Finding {
  Rational distance;  ///< TV between the law of the first `tokens` tokens and the target's
  Goodness observed;  ///< the same law's counts against the target's
  std::uint64_t rounds;
};

/// The table on which a test plays.
Source counterexample_source(Counterexample::Test const& test);

/// "p=1/2,1/2 q=1,0", and the memory if the target has one.
std::string table_text(Counterexample::Test const& test);

/// Runs a test of a rule's counterexample (sim/draft/card.h). `rule` is in the list of rules; `rounds` ≥ 1 are played
/// in trials of as many rounds as tokens are compared, so that each trial has them.
Finding examine(RuleCard const& rule, Counterexample::Test const& test, std::uint64_t rounds, std::uint64_t seed,
                Backend const& backend, int threads);

}  // namespace draftgauge
