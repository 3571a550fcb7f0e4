#include "sim/task/task.h"

#include "sim/task/record.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

template <class Card, class... Types>
std::vector<Card> cards(TypeList<Types...>) {
  return {Types::card...};
}

}  // namespace

std::vector<RuleCard> const& rule_cards() {
  static std::vector<RuleCard> const all = cards<RuleCard>(AllRules{});
  return all;
}

std::vector<DrafterCard> const& drafter_cards() {
  static std::vector<DrafterCard> const all = cards<DrafterCard>(Drafters{});
  return all;
}

std::vector<PolicyCard> const& policy_cards() {
  static std::vector<PolicyCard> const all = cards<PolicyCard>(Policies{});
  return all;
}

Call rule_call(std::string_view text) { return parse_call("rule", text, callables(rule_cards())); }
Call drafter_call(std::string_view text) { return parse_call("drafter", text, callables(drafter_cards())); }
Call policy_call(std::string_view text) { return parse_call("policy", text, callables(policy_cards())); }

RuleCard const& rule_card(std::string_view text) {
  return rule_cards()[static_cast<std::size_t>(rule_call(text).index)];
}

bool claims_lossless(Call const& rule) {
  bool claims = false;
  with_rule(rule, [&]<class Rule>(Rule const& called) {
    claims = Rule::card.counterexample.has_value() || known_lossless(called, false);
  });
  return claims;
}

bool host_only(Call const& rule) {
  bool host_only = false;
  with_rule(rule, [&]<class Rule>(Rule const&) { host_only = HostOnly<Rule>; });
  return host_only;
}

bool keeps_state(Call const& rule) {
  bool keeps_state = false;
  with_rule(rule, [&]<class Rule>(Rule const&) { keeps_state = KeepsState<Rule>; });
  return keeps_state;
}

PolicyCard const& policy_card(std::string_view text) {
  return policy_cards()[static_cast<std::size_t>(policy_call(text).index)];
}

DrafterCard const& drafter_card(std::string_view text) {
  return drafter_cards()[static_cast<std::size_t>(drafter_call(text).index)];
}

void draft_tree(Task& task, ParsedTree tree) {
  task.shape.gamma = tree.gamma;
  task.shape.branching = tree.branching;
  task.shape.tree = tree.even() ? TreeView() : tree.uneven.view();
  task.tree = std::move(tree.uneven);
}

Task with_own_drafting(Task task) {
  RuleCard const& rule = rule_card(task.rule);
  if (task.drafter.empty()) task.drafter = rule.drafter;
  if (task.policy.empty()) task.policy = "fixed";
  return task;
}

Drafting drafting_of(Task const& task) {
  Task const named = with_own_drafting(task);
  return {AnyDrafter(drafter_call(named.drafter).index), AnyPolicy(policy_call(named.policy))};
}

TallyLayout tally_layout(Task const& task, std::uint32_t vocab) {
  return {task.shape.gamma, vocab, task.positions, task.gram, task.firsts, task.gram_from, counted_nodes(task.shape)};
}

}  // namespace draftgauge
