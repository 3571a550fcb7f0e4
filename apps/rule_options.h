#pragma once
#include "apps/invocation.h"
#include "sim/engine.h"
#include "sim/task.h"

namespace draftgauge {

/// What is drafted and verified: --rule, --drafter, --gamma, --candidates, --no-bonus.
OptionGroup rule_options();

/// The task that those options and --start ask for, with this rule and γ; for commands that simulate, also
/// --rounds-per-trial.
Task task_from(Invocation const& args, std::string rule, std::int64_t gamma);
Task sampled_task_from(Invocation const& args, std::string rule, std::int64_t gamma);

/// The rules that --rule names, `all` being every lossless one that verifies as many candidates as --candidates says.
std::vector<std::string> rules_from(Invocation const& args);

/// Rounds that a trial can have: along a recorded text it ends where fewer than γ+1 rows are left.
std::uint64_t most_rounds(Simulation const& simulation);

/// The backend that --backend names; what a user should hear of the choice is said as a warning.
Backend backend_from(Invocation const& args);

/// Plays what --rounds, --time and --range ask for, with a progress line.
Played play(Invocation const& args, Simulation const& simulation, Backend const& backend);

}  // namespace draftgauge
