#pragma once
#include <optional>

#include "sim/task.h"

namespace draftgauge {

/// The mean over contexts of the probability that a position's drafts are accepted, in closed form (analysis/acceptance.h),
/// for a simulation of a node rule with the drafter that it is made for, or with another for which there is a formula.
/// Where contexts are independent, and every position has drafts, it takes α's place in Eq. (1). None where no formula is
/// known for the rule, or it would take too long.
std::optional<double> mean_rule_acceptance(Simulation const& simulation);

}  // namespace draftgauge
