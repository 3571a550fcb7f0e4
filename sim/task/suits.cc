#include "sim/task/suits.h"

#include <cmath>

#include "sim/base/printable.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// What a rule's class says of several children of a node.
struct Takes {
  bool paths;            ///< several paths that part at the root, one draft after another in each
  std::uint64_t tuples;  ///< of a node's children, where it goes over all of them; 0: it does not
  std::uint32_t vocab;   ///< the most tokens, where it solves for all of them; 0: any
};
Takes takes(std::string const& rule) {
  Takes takes{};
  with_rule(rule_call(rule), [&]<class Rule>(Rule const&) {
    takes.paths = requires { Rule::takes_paths; };
    if constexpr (requires { Rule::most_tuples; }) takes.tuples = Rule::most_tuples;
    if constexpr (requires { Rule::most_vocab; }) takes.vocab = Rule::most_vocab;
  });
  return takes;
}

bool drafts_paths(Task const& task) {
  if (task.tree.size() == 1) return task.shape.branching == 1 || task.shape.gamma == 1;
  for (std::uint32_t node = 1; node < task.tree.size(); ++node)
    if (task.tree.children(node).count != (task.tree.depth(node) < task.tree.depth() ? 1 : 0)) return false;
  return true;
}

UsageError refused(Task const& task, std::string const& why, std::string const& hint) {
  return UsageError(asked_drafts(task) + " does not suit `rule` " + task.rule + why, hint);
}

}  // namespace

std::string asked_drafts(Task const& task) {
  return task.tree.size() > 1 ? "`tree` " + shortened(task.tree.text())
                              : "`candidates` " + std::to_string(task.shape.branching);
}

std::optional<UsageError> unsuited(Task const& task, PairTables const* tables) {
  if (task.shape.branching <= 1) return std::nullopt;
  auto const [paths, tuples, vocab] = takes(task.rule);
  if (paths && !drafts_paths(task))
    return refused(task, " (it verifies paths that part at the root)", "use `tree` paths:K,GAMMA");
  if (paths && tables && tables->contexts().follow == Follow::independent && tables->rows() > 1)
    return refused(task,
                   " on " + std::to_string(tables->rows()) +
                       " contexts drawn at random (paths that begin alike would differ in them)",
                   "use one context, or contexts that follow from the text");
  if (tuples > 0 && tables && std::pow(tables->vocab(), task.shape.branching) > static_cast<double>(tuples))
    return refused(task,
                   " at a vocabulary of " + std::to_string(tables->vocab()) +
                       " (it goes over all tuples of a node's children, and takes " + std::to_string(tuples) +
                       " at most)",
                   "draft fewer children, or use `rule` traversal");
  if (vocab > 0 && tables && tables->vocab() > vocab)
    return refused(task,
                   " at a vocabulary of " + std::to_string(tables->vocab()) +
                       " (it solves for all tokens at once, and takes " + std::to_string(vocab) + " at most)",
                   "use `rule` k-seq");
  if (!rule_card(task.rule).many_children && !paths && tuples == 0)
    return refused(task, " (it verifies one draft per position)", "use a rule such as recursive");
  return std::nullopt;
}

std::optional<UsageError> unsuited_of_all(Task const& task, PairTables const& tables) {
  constexpr double few = 16;
  if (auto refusal = unsuited(task, &tables)) return refusal;
  if (drafter_card(with_own_drafting(task).drafter).distinct &&
      static_cast<std::uint32_t>(task.shape.branching) > tables.vocab())
    return UsageError(task.rule + ", whose " + std::to_string(task.shape.branching) + " drafts of a position differ",
                      "draft at most " + std::to_string(tables.vocab()));
  Takes const of = takes(task.rule);
  if ((of.tuples == 0 && of.vocab == 0) || task.shape.branching <= 1 ||
      std::pow(tables.vocab(), task.shape.branching) <= few)
    return std::nullopt;
  return refused(task,
                 " unless it is named, at a vocabulary of " + std::to_string(tables.vocab()) +
                     (of.tuples > 0 ? " (it goes over all tuples of a node's children, which is slow)"
                                    : " (it solves for the tokens of each node, which is slow)"),
                 "name it");
}

}  // namespace draftgauge
