#pragma once
#include <optional>
#include <vector>

#include "analysis/proof/for_all.h"
#include "analysis/stats/checks.h"
#include "sim/draft/call.h"

namespace draftgauge {

/// The bound that a rule's source states of what a position emits (sim/task/record.h), with these parameters.
std::optional<StatedBound> stated_bound(Call const& rule);
/// Its right side.
double stated_limit(StatedBound const& bound);
/// Its left side where `law` is emitted in place of p.
double stated_left_side(StatedBound const& bound, std::vector<double> const& law, std::vector<double> const& p);
/// The same of what the rule emits, by its formula. Domain: the rule states one.
double stated_value(Call const& rule, std::vector<double> const& p, std::vector<double> const& q);
/// Whether that is beyond the right side, by more than rounding.
bool is_broken(StatedBound const& bound, double value);

/// The bound at every row of a simulation: it holds, or fails; none where the rule states none.
std::optional<Check> check_stated_bound(Simulation const& simulation);

/// A table that breaks a bound.
struct BreakingTable {
  ExactModel::Row row;
  double value;  ///< the left side there
};
/// The smallest, by tokens and then by common denominator; none where none of these does (smallest_counterexample).
std::optional<BreakingTable> smallest_breaking(Call const& rule, std::uint32_t most_vocab);

}  // namespace draftgauge
