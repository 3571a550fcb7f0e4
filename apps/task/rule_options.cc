#include "apps/task/rule_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "apps/cli/as_typed.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/task/best_tree.h"
#include "gpu/backends.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/draft/tree_text.h"
#include "sim/task/suits.h"

namespace draftgauge {
namespace {

/// The names of a list, wrong ones apart: those have a list of their own.
std::string names(auto const& cards) {
  auto all = names_in(cards);
  std::erase_if(all, [](std::string_view name) { return name.starts_with("faulty/"); });
  return joined(all);
}

/// The tree that --tree names, with which --gamma and --candidates agree where they are given.
ParsedTree tree_from(Invocation const& args) {
  std::string const& text = args.text("--tree");
  ParsedTree tree = names_best_tree(text) ? best_tree(args, text) : parse_tree(text);
  auto const check = [&](std::string_view option, std::int64_t said, int value, char const* what) {
    if (said != value)
      throw UsageError(
          fmt::format("{} {} does not fit --tree {} (its {} {})", option, said, args.text("--tree"), what, value),
          "leave one of them out");
  };
  if (args.has("--gamma"))
    for (std::int64_t const gamma : args.counts("--gamma")) check("--gamma", gamma, tree.gamma, "levels are");
  if (args.has("--candidates"))
    check("--candidates", args.count("--candidates"), tree.branching, "nodes have at most so many children:");
  return tree;
}

}  // namespace

OptionGroup rule_options() {
  return {"What is drafted and verified",
          {{.name = "--rule",
            .kind = Kind::text,
            .value = "NAME",
            .summary = "how drafts are verified: " + names(rule_cards()) +
                       "; parameters as in lenient:lenience=.5; all: each that suits the drafts; faulty/NAME: one "
                       "that is wrong (list faulty)",
            .standard = "token"},
           {.name = "--drafter",
            .kind = Kind::text,
            .value = "NAME",
            .summary = "how drafts are drawn: " + names(drafter_cards()) + "; the rule's own if not given"},
           {.name = "--policy",
            .kind = Kind::text,
            .value = "NAME",
            .summary =
                "how many drafts a round has, at most γ: " + names(policy_cards()) + "; the rule's own if not given"},
           {.name = "--gamma", .kind = Kind::counts, .summary = "γ: positions drafted in a round", .standard = "5"},
           {.name = "--candidates",
            .kind = Kind::count,
            .summary = "k: drafts for each position, for rules that take several; they span a tree",
            .standard = "1",
            .least = 1},
           {.name = "--tree",
            .kind = Kind::text,
            .value = "TREE",
            .summary = "the tree that is drafted, in place of --gamma and --candidates: " + std::string(tree_syntax) +
                       "; sequoia:64, of 64 nodes the tree of greatest E[N] for the SOURCE; "
                       "eagle2:k=10,depth=6,n=60, best-first:n=60,depth=6 or opt-tree:n=60,depth=6,delta=.01, grown "
                       "where the draft model is sure; ppd:vicuna-7b,109, PPD's of so many tokens a pass"},
           {.name = "--continue",
            .kind = Kind::flag,
            .summary = "free continuation: a token that is emitted where the tree holds it is accepted as a draft, "
                       "and the text goes on from p below it"}}};
}

std::vector<std::int64_t> gammas_from(Invocation const& args) {
  if (args.has("--tree")) return {tree_from(args).gamma};
  return args.counts("--gamma");
}

std::int64_t children_from(Invocation const& args) {
  if (args.has("--tree")) return tree_from(args).branching;
  return args.count("--candidates");
}

Task task_from(Invocation const& args, std::string rule, std::int64_t gamma) {
  Task task;
  task.rule = std::move(rule);
  if (args.has("--drafter")) task.drafter = args.text("--drafter");
  if (args.has("--policy")) task.policy = args.text("--policy");
  task.shape = {small_count("--gamma", gamma), small_count(args, "--candidates"), !args.has("--no-bonus")};
  if (args.has("--tree")) draft_tree(task, tree_from(args));
  task.shape.continues = args.has("--continue");
  task.start = start_from(args);
  return task;
}

Task sampled_task_from(Invocation const& args, std::string rule, std::int64_t gamma) {
  Task task = task_from(args, std::move(rule), gamma);
  if (args.has("--rounds-per-trial"))
    task.rounds_per_trial = static_cast<std::uint32_t>(small_count(args, "--rounds-per-trial"));
  return task;
}

std::vector<std::string> right_rules(std::vector<Task> drafted) {
  std::vector<std::string> rules;
  for (RuleCard const& card : rule_cards()) {
    for (Task& task : drafted) task.rule = card.name;
    auto const suited = [](Task const& task) { return suits(task); };
    if (!card.counterexample && std::ranges::any_of(drafted, suited)) rules.emplace_back(card.name);
  }
  return rules;
}

std::vector<std::string> rules_from(Invocation const& args) {
  std::string const& asked = args.text("--rule");
  std::vector<std::string> rules;
  if (asked == "all") {
    std::vector<Task> drafted;
    for (std::int64_t const gamma : gammas_from(args)) drafted.push_back(task_from(args, asked, gamma));
    return right_rules(std::move(drafted));
  }
  if (asked == "faulty/all") {
    for (RuleCard const& card : rule_cards())
      if (card.counterexample) rules.emplace_back(card.name);
    return rules;
  }
  static_cast<void>(rule_call(asked));  // an unknown name is an error of the command line
  return {asked};
}

std::string left_out(Task const& task, PairTables const& tables) {
  auto const refusal = unsuited_of_all(task, tables);
  return refusal ? "Left out: " + as_typed(refusal->problem()) + "." : std::string();
}

OneRule one_rule_from(Invocation const& args, std::string_view who, std::string_view why) {
  auto const gammas = gammas_from(args);
  auto const rules = rules_from(args);
  if (gammas.size() != 1 || rules.size() != 1)
    throw UsageError(fmt::format("{} takes one --gamma and one --rule ({})", who, why), "run it once for each");
  return {rules.front(), gammas.front()};
}

Backend backend_from(Invocation const& args) {
  auto const said = std::make_shared<std::set<std::string>>();  // several simulations may have the same to say
  return choose_backend(args.text("--backend"), [&args, said](std::string const& note) {
    if (said->insert(note).second) args.warn(note);
  });
}

}  // namespace draftgauge
