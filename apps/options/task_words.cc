#include "apps/options/task_words.h"

#include <fmt/format.h>

#include "sim/draft/tree_text.h"

namespace draftgauge {

std::string tree_name(TreeShape const& tree) {
  std::string text = "--tree " + tree_text(tree);
  constexpr std::size_t short_text = 60;
  return text.size() <= short_text ? text : fmt::format("a tree of {} nodes in {} levels", tree.size(), tree.depth());
}

std::string shape_text(Task const& task) {
  if (task.tree.size() > 1) {
    std::string const text = task.tree.text();
    constexpr std::size_t short_text = 40;
    return fmt::format("a tree of {} drafts, γ = {}{}", task.tree.size() - 1, task.shape.gamma,
                       text.size() > short_text ? "" : " " + text);
  }
  return fmt::format("γ = {}{}", task.shape.gamma,
                     task.shape.branching > 1 ? fmt::format(", k = {}", task.shape.branching) : "");
}

std::string to_string(Task const& task) {
  RuleCard const& card = rule_card(task.rule);
  std::string words = fmt::format("{}, {}", task.rule, shape_text(task));
  if (!task.drafter.empty() && task.drafter != card.drafter) words += ", drafts by " + task.drafter;
  if (!task.policy.empty() && task.policy != "fixed") words += ", policy " + task.policy;
  if (task.shape.continues) words += ", continued";
  return words;
}

}  // namespace draftgauge
