#pragma once
#include <optional>
#include <vector>

#include "analysis/batch/exact_batch.h"
#include "analysis/stats/checks.h"
#include "sim/batch/batch_simulation.h"

namespace draftgauge {

/// At most so many checks come of a schedule on one source: what false alarms are shared among.
inline constexpr std::size_t checks_per_batch = 2;

/// A schedule claims that a lossless rule stays lossless: the first tokens of all requests, jointly, are the target's,
/// and so are those of each by itself. Judged by counts; empty where none were counted. The rule must claim to be
/// lossless.
std::vector<Check> check_batch(BatchSimulation const& simulation, BatchTally const& tally, CheckOptions const& options);

/// The same of one round, by every way to draft and to verify, over every combination of first rows; none where that
/// takes more than `max_paths` ways to draft, or drafts are not drawn from q. times: as exact_schedule takes them.
std::optional<Check> check_exact_batch(BatchSimulation const& simulation, ExactModel const& model,
                                       std::vector<Rational> const& times, std::uint64_t max_paths = 20'000);

}  // namespace draftgauge
