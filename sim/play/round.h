#pragma once
#include "sim/draft/card.h"
#include "sim/draft/draft_tree.h"
#include "sim/draft/text_walk.h"
#include "sim/draft/verdict.h"
#include "sim/model/contexts.h"
#include "sim/model/node.h"

namespace draftgauge {

/// A node rule that looks at the whole draft where nodes have several children: `stop(chance, draft)` decides then.
template <class Rule>
concept WeighsPaths = requires { Rule::weighs_paths; };
/// One that goes on below all equal siblings as below one node: where there may be some, `stop(chance, draft)` decides.
template <class Rule>
concept MergesEqual = requires { requires Rule::merges_equal; };

/// Whether `stop` decides the rounds of a node rule.
template <class Rule>
DRAFTGAUGE_HD bool stops_itself(Drafting const& drafting, RoundShape const& shape) {
  if (shape.branching == 1) return false;
  return WeighsPaths<Rule> || (MergesEqual<Rule> && shape.gamma > 1 && !drafting.drafter.distinct());
}

/// Whether a rule's rounds are walked from node to node, and not decided on a draft that is kept whole.
template <class Rule>
DRAFTGAUGE_HD bool walks(Drafting const& drafting, RoundShape const& shape) {
  return Rule::shape == Shape::node && !shape.continues && !drafting.policy.watches() &&
         !stops_itself<Rule>(drafting, shape);
}

/// The passes of a round, told to `out` where it wants to know: draft_passes(passes, positions), a pass for each
/// level of the draft, which is computed at the nodes that have children, then one target_pass(positions) over the
/// whole draft, whose nodes without children are scored for the bonus token only. All of it is spent before anything
/// is decided. With one child these are γ draft steps of one position, and γ + 1 scored positions (Leviathan et al.
/// 2023, Theorems 3.8 and 3.11).
template <class Out>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD void spend_passes(RoundShape const& shape, Out& out) {
  if constexpr (requires { out.target_pass(std::uint64_t{}); }) {
    std::uint64_t inner = shape.tree.inner, all = shape.tree.count;
    if (!shape.tree.listed()) {
      std::uint64_t level = 1;
      inner = shape.branching == 1 ? static_cast<std::uint64_t>(shape.gamma) : 0;
      for (int i = 0; i < shape.gamma && shape.branching > 1; ++i) {
        inner += level;
        level *= static_cast<std::uint64_t>(shape.branching);
      }
      all = inner + level;
    }
    out.draft_passes(static_cast<std::uint64_t>(shape.gamma), inner);
    out.target_pass(shape.bonus ? all : inner);
  }
}

/// A node rule's step, and the context below the draft that it leads to.
struct Walked {
  Step step;
  Token token;        ///< the draft's, or the one emitted
  std::uint32_t row;  ///< as before where nothing follows
};

/// A node rule's step at a node with these children, which are drawn now. No context is asked for below a draft that
/// ends the round: one for which `ends(node)`.
template <class Rule, class Drafter, class Model, class Chance, class Ends>
DRAFTGAUGE_HD Walked walk_step(Rule const& rule, Drafter const& drafter, Model const& model, Chance& chance,
                               std::uint32_t row, TreeNode const& children, Ends const& ends) {
  Children drafted;
  auto const node = model.node(row, drafted);
  if (children.count > 0) {
    number_from(chance, Asker::drafter, children.first, static_cast<int>(children.count));
    drafter.draw(chance, node, static_cast<int>(children.count), drafted);
  }
  number_from(chance, Asker::rule, children.first, drafted.count);
  Step const step = rule(chance, node);
  if (!step.descends()) return {step, step.token, row};
  Token const token = drafted.token[step.child];
  std::uint32_t const reached = children.first + static_cast<std::uint32_t>(step.child);
  return {step, token, ends(reached) ? row : model.contexts().next(chance, row, token, reached)};
}

/// Where a node rule stops on a draft that is drawn already.
template <class Rule, class Model, class Chance>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD Stop walk(Rule const& rule, Chance& chance, DraftTree<Model, Chance>& draft,
                                          bool bonus) {
  for (std::uint32_t node = 0;;) {
    Children const drafted = draft.drafted(node);
    TreeNode const children = draft.children(node);
    if (node > 0 && !bonus && children.count == 0) return {node, 0};
    number_from(chance, Asker::rule, children.first, drafted.count);
    Step const step = rule(chance, draft.model().node(draft.row(node), drafted));
    if (!step.descends()) return {node, step.token};
    node = children.first + static_cast<std::uint32_t>(step.child);
  }
}

/// Tells of the drafts that are accepted down to a node. Returns τ, how many there are.
template <class Model, class Chance, class Out>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD int accept(DraftTree<Model, Chance> const& draft, std::uint32_t node, Out& out) {
  std::uint32_t path[max_gamma];
  int length = 0;
  for (; node != 0; node = draft.parent(node)) path[length++] = node;
  for (int i = length - 1; i >= 0; --i) {
    out(draft.token(path[i]));
    if constexpr (requires { out.reached(path[i]); }) out.reached(path[i]);
  }
  return length;
}

/// A round whose draft is kept: play_round for rules that look at all of it, under policies that do, and where what
/// is emitted is looked for in it.
template <class Rule, class Model, class Chance, class Out>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD int play_kept(Rule const& rule, Drafting const& drafting, Model const& model,
                                              RoundShape const& shape, Chance& chance, std::uint32_t row, Out& out,
                                              int* drafted_length) {
  DraftNodes nodes;
  DraftTree draft(drafting, model, shape, chance, row, nodes);
  if (drafting.policy.watches()) {
    int const length = draft.draft_chain();
    if (drafted_length) *drafted_length = length;
    spend_passes({length, 1, shape.bonus}, out);
  } else {
    spend_passes(shape, out);
  }
  Stop stop{};
  if constexpr (Rule::shape == Shape::tree) {
    number_from(chance, Asker::rule, 1, static_cast<int>(draft.size()) - 1);
    stop = rule(chance, draft);
  } else if constexpr (WeighsPaths<Rule> || MergesEqual<Rule>) {
    stop = stops_itself<Rule>(drafting, shape) ? rule.stop(chance, draft) : walk(rule, chance, draft, shape.bonus);
  } else {
    stop = walk(rule, chance, draft, shape.bonus);
  }
  if (shape.continues && (shape.bonus || draft.child(stop.node))) stop = TextWalk().from(chance, draft, stop);
  int const accepted = accept(draft, stop.node, out);
  bool const emits = shape.bonus || draft.child(stop.node);
  if (emits) out(stop.token);
  if constexpr (KeepsState<Rule> && requires { out.stands_at(row); }) out.stands_at(rule.left(draft, stop, emits));
  return accepted;
}

/// A round of a node rule whose drafts are drawn as the walk comes to them.
template <class Rule, class Drafter, class Model, class Shape, class Chance, class Out>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD int play_walk(Rule const& rule, Drafter const& drafter, Model const& model,
                                              Shape const& shape, Chance& chance, std::uint32_t row, Out& out) {
  spend_passes(shape, out);
  std::uint32_t node = 0;
  for (int depth = 0;; ++depth) {
    TreeNode const children = shape.children(node, depth);
    auto const ends = [&](std::uint32_t reached) {
      return !shape.bonus && shape.children(reached, depth + 1).count == 0;
    };
    Walked const walked = walk_step(rule, drafter, model, chance, row, children, ends);
    out(walked.token);
    if (!walked.step.descends()) return depth;
    node = children.first + static_cast<std::uint32_t>(walked.step.child);
    if constexpr (requires { out.reached(node); }) out.reached(node);
    if (ends(node)) return depth + 1;
    row = walked.row;
  }
}

/// One round from the context `row`, lifted from what the rule decides at a node or of the whole draft. `out(token)`
/// receives the tokens emitted, in order, the passes (spend_passes), and reached(node) for each draft that is
/// accepted. Returns τ, the number of accepted drafts, and in `drafted_length` how many there were, one after
/// another.
///
/// For node rules children are drawn as the walk reaches their node: what stands elsewhere in the tree is
/// independent of all that is looked at, so that the law is that of the whole tree at the price of one path. Where a
/// policy watches the draft, its end depends on tokens that the walk may not reach, and with it the cost of the round:
/// the chain is then drafted whole. Questions are numbered by node (sim/chance/layout.h), so that both orders read
/// the same bits.
///
/// Model: contexts(), node(row, children), for simulation (SimulatedModel) or enumeration (analysis).
template <class Rule, class Model, class Chance, class Out>
DRAFTGAUGE_HD int play_round(Rule const& rule, Drafting const& drafting, Model const& model, RoundShape const& shape,
                             Chance& chance, std::uint32_t row, Out&& out, int* drafted_length = nullptr) {
  if (drafted_length) *drafted_length = shape.gamma;
  if constexpr (Rule::shape == Shape::node)
    if (walks<Rule>(drafting, shape))
      return play_walk(rule, drafting.drafter, model, shape, chance, row, out);
  return play_kept(rule, drafting, model, shape, chance, row, out, drafted_length);
}

}  // namespace draftgauge
