#include "analysis/trees/tree_rules.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/task/record.h"
#include "sim/task/suits.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

AlongTree along_tree_of(Call const& rule) {
  AlongTree way = AlongTree::unknown;
  with_rule(rule, [&]<class Rule>(Rule const&) { way = along_tree<Rule>(); });
  return way;
}

/// Whether the rule accepts what was drafted, and the rest follows from which drafts those are.
bool accepts_drafted(AlongTree way) {
  return way == AlongTree::drafted || way == AlongTree::drafted_trie;
}

}  // namespace

AlongTree way_of(ReplayTask const& task) {
  AlongTree const way = along_tree_of(rule_call(task.rule));
  if (way == AlongTree::unknown)
    throw UsageError(fmt::format("`rule` {} is not replayed along a text (it is known of {})",
                                 rule_card(task.rule).name, fmt::join(replayed_rules(), ", ")),
                     "take one of these");
  return way;
}

bool has_distinct_drafts(ReplayTask const& task) { return drafter_card(task.drafter).distinct; }
bool has_top_drafts(ReplayTask const& task) { return task.drafter == drafter_name(RankDrafts::top); }

ReplayTask checked_replay(ReplayTask task) {
  Call const call = rule_call(task.rule);
  RuleCard const& card = rule_card(task.rule);
  std::string const rule(card.name);
  if (!claims_lossless(call) || card.reference != Reference::target || card.counterexample)
    throw UsageError(fmt::format("`rule` {} emits another distribution than p (what the target wrote says nothing of "
                                 "the text that its rounds write)",
                                 task.rule),
                     "simulate it");
  AlongTree const way = way_of(task);
  if (task.drafter.empty()) task.drafter = card.drafter;
  static_cast<void>(drafter_call(task.drafter));
  bool const own = task.drafter == card.drafter;
  // A fixed set, or one without equal drafts, is tested as if each draft were certain: of equal ones that would not
  // be so.
  bool const any_distinct = accepts_drafted(way);
  bool const takes_equal = way != AlongTree::drafted || is_chain(task);
  bool const drawn = own || (any_distinct && (task.drafter == "sample-without" || has_top_drafts(task))) ||
                     (any_distinct && takes_equal && task.drafter == "sample");
  if (!drawn)
    throw UsageError(fmt::format("`rule` {} is not replayed with `drafter` {} (it is made for {})", rule,
                                 task.drafter, card.drafter),
                     "leave `drafter` out");
  Task const drafted{
      .rule = task.rule, .shape = {.gamma = task.tree.depth(), .branching = task.tree.widest()}, .tree = task.tree};
  if (auto const refusal = unsuited(drafted)) throw *refusal;
  if (way == AlongTree::best_path && call.values.value[0].num > 0)
    throw UsageError(
        "`rule` gbv:continue=1 is not replayed along a text (where it goes on depends on the other paths)",
        "leave continue out");
  if (any_distinct && task.drafter == "sample-without" && task.tree.widest() > 2)
    throw UsageError(
        fmt::format("`rule` {} is not replayed with {} children drawn without replacement (2 are the most)", rule,
                    task.tree.widest()),
        "take `drafter` top or sample, or recursive-without");
  return task;
}

std::vector<std::string> replayed_rules() {
  std::vector<std::string> names;
  for_each_type(Rules(), [&]<class Rule>() {
    if constexpr (along_tree<Rule>() != AlongTree::unknown) names.emplace_back(Rule::card.name);
  });
  return names;
}

ReplayNeeds replay_needs(ReplayTask const& task) {
  switch (way_of(task)) {
    case AlongTree::residual:
    case AlongTree::ratio: return is_chain(task) ? ReplayNeeds::trace : ReplayNeeds::rows;
    case AlongTree::best_path: return is_chain(task) ? ReplayNeeds::trace : ReplayNeeds::lower_q;
    default: break;
  }
  if (has_top_drafts(task)) return ReplayNeeds::rank_q;
  return has_distinct_drafts(task) && !is_chain(task) ? ReplayNeeds::rows : ReplayNeeds::trace;
}

bool can_replay(Recorded const& recorded, ReplayTask const& task) {
  auto const have = [&](auto column) { return all_have(recorded.trace, column); };
  switch (replay_needs(task)) {
    case ReplayNeeds::trace: return have(&TextTrace::log_p);
    case ReplayNeeds::rank_q: return have(&TextTrace::rank_q) || (is_chain(task) && have(&TextTrace::argmax_match));
    case ReplayNeeds::lower_q: return have(&TextTrace::lower_q) || recorded.rows;
    case ReplayNeeds::rows: break;
  }
  return have(&TextTrace::log_p) && recorded.rows;
}

std::string missing_text(ReplayNeeds needs) {
  switch (needs) {
    case ReplayNeeds::trace: return "which tokens the text has";
    case ReplayNeeds::rank_q: return "the rank of the text's token in q: a column rank_q";
    case ReplayNeeds::lower_q:
      return "how much of q lies on tokens of lower p/q than the text's: a column lower_q, or full rows";
    case ReplayNeeds::rows: break;
  }
  return "p and q of all tokens: full rows";
}

bool replay_is_sampled(ReplayTask const& task) {
  AlongTree const way = way_of(task);
  return has_distinct_drafts(task) &&
         ((way == AlongTree::residual && task.tree.widest() > 2) || (way == AlongTree::ratio && !is_chain(task)));
}

}  // namespace draftgauge
