#include "sim/play/simulation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/model/row_constant.h"
#include "sim/play/trial.h"
#include "sim/task/limits.h"
#include "sim/task/suits.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

void check_between(char const* what, long long value, long long low, long long high) {
  if (value < low || value > high)
    throw UsageError(std::string(what) + " " + std::to_string(value) + " is out of range (" + std::to_string(low) +
                         " to " + std::to_string(high) + " can be simulated)",
                     low == high ? "give " + std::to_string(low)
                                 : "give a number from " + std::to_string(low) + " to " + std::to_string(high));
}

void check_cells(char const* what, int value, double cells, PairTables const& tables) {
  if (too_many_cells(cells))
    throw UsageError(std::string(what) + " " + std::to_string(value) + " needs more than 2^26 counts at " +
                         std::to_string(tables.vocab()) + " tokens",
                     "count fewer, or take a smaller vocabulary");
}

/// The text of a call in its one spelling, and its card.
template <class Card>
Card const& spell(std::string& text, Call const& call, std::vector<Card> const& cards) {
  Card const& card = cards[static_cast<std::size_t>(call.index)];
  text = call_text({card.name, card.parameters}, call.values);
  return card;
}

/// What a program can get wrong, and no user: a shape that is not that of the task's tree (draft_tree).
void check_tree(Task const& task) {
  TreeView const view = task.tree.size() > 1 ? task.tree.view() : TreeView();
  if (view != task.shape.tree ||
      (view.listed() && (task.shape.gamma != task.tree.depth() || task.shape.branching != task.tree.widest())))
    throw std::logic_error("a task's shape is not that of its tree");
}

/// Whether a rule looks at all of a draft.
bool looks_at_all(Task const& task) {
  bool all = false;
  with_rule(rule_call(task.rule), [&]<class Rule>(Rule const&) { all = !walks<Rule>(drafting_of(task), task.shape); });
  return all;
}

/// Whether its rule, its drafter and its policy take drafts of its shape.
void check_drafts(Task const& task, RuleCard const& rule, DrafterCard const& drafter, PolicyCard const& policy,
                  PairTables const& tables) {
  if (auto const refusal = unsuited(task, &tables)) throw UsageError(*refusal);
  std::string const asked = asked_drafts(task);
  auto const unsuited_policy = [&](std::string const& why, std::string const& hint) {
    return UsageError(asked + " does not suit `policy` " + task.policy + why, hint);
  };
  bool const many = task.shape.branching > 1;
  if (many && !drafter.distinct && drafter_card(rule.drafter).distinct)
    throw UsageError("`drafter` " + task.drafter + " does not suit `rule` " + task.rule + " at " + asked +
                         " (the rule takes drafts for different tokens)",
                     "use `drafter` " + std::string(rule.drafter));
  if (many && policy.watches)
    throw unsuited_policy(" (it watches a chain of drafts, not a tree)", "use `candidates` 1");
  if (task.tree.size() > 1 && task.policy != "fixed")
    throw unsuited_policy(" (the tree says how much is drafted)", "leave `policy` out");
  if (nodes_of(task.shape) == 0)
    throw UsageError(
        "`candidates` " + std::to_string(task.shape.branching) + " and `gamma` " + std::to_string(task.shape.gamma) +
            " make a tree of more than 2^32 nodes (nobody drafts so many, and random numbers are given out by node)",
        "use fewer of either");
  if (std::uint64_t const nodes = nodes_of(task.shape); nodes > max_kept_nodes && looks_at_all(task))
    throw UsageError(asked + " makes a tree of " + std::to_string(nodes) + " nodes, too many for `rule` " +
                         task.rule + " (it looks at all of a draft, and " + std::to_string(max_kept_nodes) +
                         " nodes with the root can be kept)",
                     "draft a smaller tree");
  if (drafter.distinct && static_cast<std::uint32_t>(task.shape.branching) > tables.vocab())
    throw UsageError(
        asked + (task.tree.size() > 1 ? " has " + std::to_string(task.shape.branching) + " children, which" : "") +
            " are more different tokens than the " + std::to_string(tables.vocab()) + " that there are",
        "draft at most " + std::to_string(tables.vocab()));
}

/// Whether what is to be counted can be, and where trials start.
void check_counts(Task const& task, PairTables const& tables) {
  Follow const follow = tables.contexts().follow;
  check_between("`rounds-per-trial`", task.rounds_per_trial, 1, follow == Follow::prefix ? 1 : max_rounds_per_trial);
  check_between("`positions`", task.positions, 0, max_positions);
  if (task.start) {
    auto const refused = [&](std::string const& why, std::string const& hint) {
      return UsageError("`start` " + std::to_string(*task.start) + why, hint);
    };
    if (follow == Follow::independent)
      throw refused(" has no meaning here (contexts are independent of each other)", "leave it out");
    if (follow == Follow::prefix)
      throw refused(" has no meaning here (every trial starts at the empty prefix)", "leave it out");
    if (*task.start >= tables.rows())
      throw refused(" is not a context (0 to " + std::to_string(tables.rows() - 1) + ")", "give one of these");
  }
  check_between("`gram`", task.gram, 0, max_gram);
  check_between("`gram-from`", task.gram_from, 0, max_gram_from);
  if (task.gram == 0 && task.gram_from > 0)
    throw UsageError(
        "`gram-from` " + std::to_string(task.gram_from) + " has no meaning here (no tokens are counted jointly)",
        "add `gram`");
  check_cells("`positions`", task.positions, static_cast<double>(task.positions) * tables.vocab(), tables);
  check_cells("`gram`", task.gram, std::pow(tables.vocab(), task.gram), tables);
}

Task checked(Task task, PairTables const& tables) {
  task = with_own_drafting(std::move(task));
  RuleCard const& rule = spell(task.rule, rule_call(task.rule), rule_cards());
  DrafterCard const& drafter = spell(task.drafter, drafter_call(task.drafter), drafter_cards());
  PolicyCard const& policy = spell(task.policy, policy_call(task.policy), policy_cards());
  check_tree(task);
  check_between("`gamma`", task.shape.gamma, 1, max_gamma);
  check_between("`candidates`", task.shape.branching, 1, max_children);
  check_drafts(task, rule, drafter, policy, tables);
  Follow const follow = tables.contexts().follow;
  if (task.rounds_per_trial == 0)
    task.rounds_per_trial = follow == Follow::prefix || (follow == Follow::independent && !policy.adapts) ? 1 : 64;
  check_counts(task, tables);
  return task;
}

std::vector<std::uint32_t> starts_of(Task const& task, PairTables const& tables) {
  auto const reaches = [&](std::uint32_t row) {
    return tables.reach(row) > static_cast<std::uint32_t>(task.shape.gamma);
  };
  std::vector<std::uint32_t> starts;
  switch (tables.contexts().follow) {
    case Follow::independent: break;
    case Follow::prefix: starts = {0}; break;
    case Follow::token:
    case Follow::state:
    case Follow::next_row: {
      std::optional<std::uint32_t> const only = task.start ? task.start : tables.beginning();
      std::uint32_t const states = tables.contexts().states;  // of which a text begins with the first
      for (std::uint32_t row = only.value_or(0); row <= only.value_or(tables.rows() - 1); row += states)
        if (reaches(row)) starts.push_back(row);
      if (starts.empty())
        throw InputError("no place in the recording has the " + std::to_string(task.shape.gamma + 1) +
                             " consecutive rows that a round of `gamma` " + std::to_string(task.shape.gamma) +
                             " reads" + (task.start ? " from `start` " + std::to_string(*task.start) : "") +
                             " (rows are read along the text)",
                         "use a smaller `gamma` or `contexts` bag");
    }
  }
  if (tables.contexts().follow == Follow::prefix) {
    double nodes = 0, level = 1;
    for (int depth = 0; depth <= task.shape.gamma; ++depth, level *= tables.vocab()) nodes += level;
    if (nodes > tables.rows())
      throw InputError("the table of prefixes has " + std::to_string(tables.rows()) + " rows, fewer than `gamma` " +
                           std::to_string(task.shape.gamma) + " reaches",
                       "use a smaller `gamma`");
  }
  return starts;
}

/// What the rule and the drafter of a task ask of rows, beyond tables (sim/rows/order.h).
struct Asked {
  bool order = false;
  int top = 0;
};

template <class... All>
Asked asked_by(Task const& task, TypeList<All...>) {
  Asked const each[] = {{reads_order<All>, reads_top<All>}...};
  Asked asked = each[drafter_call(task.drafter).index];
  with_rule(rule_call(task.rule), [&]<class Rule>(Rule const&) { asked.order = asked.order || reads_order<Rule>; });
  return asked;
}

/// None for a drafter that asks for one: argmax q is there in any case.
std::uint32_t top_count(Task const& task, PairTables const& tables) {
  int const least = asked_by(task, Drafters{}).top;
  int const most = least > 0 ? std::max(task.shape.branching, least) : 0;
  return most > 1 ? std::min(static_cast<std::uint32_t>(most), tables.vocab()) : 0;
}

std::vector<Token> tops_of(Task const& task, PairTables const& tables) {
  std::uint32_t const count = top_count(task, tables);
  return count > 0 ? make_tops(tables.arrays().q, tables.vocab(), count) : std::vector<Token>();
}

PairTablesView view_for(Task const& task, PairTables const& tables, std::vector<std::uint32_t> const& starts,
                        std::vector<Token> const& tops, std::vector<double> const& constants = {}) {
  PairTablesView view = tables.view(starts);
  if (asked_by(task, Drafters{}).order) {
    view.order = tables.orders().order.data();
    view.sums = tables.orders().sums.data();
    view.guides = tables.orders().guides();
  }
  if (!tops.empty()) {
    view.top = tops.data();
    view.top_count = top_count(task, tables);
  }
  if (!constants.empty()) view.constants = constants.data();
  return view;
}

/// What the rule derives from each row.
std::vector<double> constants_of(Call const& rule, Task const& task, PairTablesView const& view) {
  std::vector<double> constants;
  with_rule(rule, [&]<class Rule>(Rule const& called) {
    if constexpr (has_row_constant<Rule>) constants = row_constants(called, SimulatedModel(view), task.shape);
  });
  return constants;
}

}  // namespace

Simulation::Simulation(Task task, PairTables const& tables, std::uint64_t seed)
    : task_(checked(std::move(task), tables)),
      tables_(&tables),
      seed_(seed),
      rule_(rule_call(task_.rule)),
      starts_(starts_of(task_, tables)),
      tops_(tops_of(task_, tables)),
      constants_(constants_of(rule_, task_, view_for(task_, tables, starts_, tops_))),
      plan_(std::make_unique<TrialPlan const>(TrialPlan{view_for(task_, tables, starts_, tops_, constants_),
                                                        task_.shape, drafting_of(task_), task_.rounds_per_trial, seed,
                                                        tally_layout(task_, tables.vocab())})) {}

Simulation::~Simulation() = default;

void Simulation::check(Range range) const {
  if (range.begin >= range.end)
    throw UsageError("`range` " + std::to_string(range.begin) + ".." + std::to_string(range.end) +
                         " holds no trial (it counts from a up to, not including, b)",
                     "make b larger than a");
  if (range.size() > most_trials(*this))
    throw UsageError(std::to_string(range.size()) + " trials of this shape could overflow the 64-bit sums",
                     "use fewer, a smaller `gamma`, `candidates` or `rounds-per-trial`");
}

std::uint64_t most_trials(Simulation const& simulation) {
  RoundShape const& shape = simulation.task().shape;
  std::uint64_t const rounds = simulation.task().rounds_per_trial;
  std::uint64_t const tokens = rounds * (static_cast<std::uint64_t>(shape.gamma) + 1);
  std::uint64_t const positions = nodes_of(shape);
  return ((std::uint64_t{1} << 63) - 1) / std::max(tokens * tokens, rounds * positions);
}

}  // namespace draftgauge
