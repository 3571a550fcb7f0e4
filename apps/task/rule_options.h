#pragma once
#include "apps/cli/invocation.h"
#include "sim/fast/engine.h"
#include "sim/task/task.h"

namespace draftgauge {

/// What is drafted and verified: --rule, --drafter, --policy, --gamma, --candidates, --tree.
OptionGroup rule_options();

/// The γ that --gamma lists, or the depth of --tree; k of --candidates, or the most children that a node of --tree has.
std::vector<std::int64_t> gammas_from(Invocation const& args);
std::int64_t children_from(Invocation const& args);

/// The task that those options and --start ask for, with this rule and γ; for commands that simulate, also
/// --rounds-per-trial.
Task task_from(Invocation const& args, std::string rule, std::int64_t gamma);
Task sampled_task_from(Invocation const& args, std::string rule, std::int64_t gamma);

/// Every rule that is not a wrong one and suits one of these tasks' drafts on some tables, lossless or not.
std::vector<std::string> right_rules(std::vector<Task> drafted);

/// The rules that --rule names, `all` being right_rules for --gamma and --candidates or --tree, `faulty/all` the
/// faulty ones.
std::vector<std::string> rules_from(Invocation const& args);

/// "Left out: …": why a task of all rules is not played on these tables; empty where it is.
std::string left_out(Task const& task, PairTables const& tables);

/// The one rule and the one γ that are asked for. Throws UsageError where there are several: who takes one, and why,
/// "its result is one tally".
struct OneRule {
  std::string rule;
  std::int64_t gamma;
};
OneRule one_rule_from(Invocation const& args, std::string_view who, std::string_view why);

/// The backend that --backend names, to be used while `args` lives; what a user should hear of the choice is said as a
/// warning.
Backend backend_from(Invocation const& args);

}  // namespace draftgauge
