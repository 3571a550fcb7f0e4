#pragma once
#include "apps/invocation.h"
#include "sim/engine.h"
#include "sim/task.h"

namespace draftgauge {

/// What is drafted and verified: --rule, --drafter, --policy, --gamma, --candidates, --no-bonus.
OptionGroup rule_options();

/// The task that those options and --start ask for, with this rule and γ; for commands that simulate, also
/// --rounds-per-trial.
Task task_from(Invocation const& args, std::string rule, std::int64_t gamma);
Task sampled_task_from(Invocation const& args, std::string rule, std::int64_t gamma);

/// Every rule that is not a wrong one and verifies so many candidates, lossless or not.
std::vector<std::string> right_rules(std::int64_t candidates);

/// The rules that --rule names, `all` being right_rules for --candidates, `wrong/all` the museum.
std::vector<std::string> rules_from(Invocation const& args);

/// Rounds that a trial can have: along a recorded text it ends where fewer than γ+1 rows are left.
std::uint64_t most_rounds(Simulation const& simulation);

/// The backend that --backend names, to be used while `args` lives; what a user should hear of the choice is said as a
/// warning.
Backend backend_from(Invocation const& args);

/// A task in words for titles: "token, γ = 5", with k, drafter and policy where they are not the rule's usual ones.
std::string words_of(Task const& task);

}  // namespace draftgauge
