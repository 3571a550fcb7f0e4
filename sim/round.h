#pragma once
#include "sim/card.h"
#include "sim/contexts.h"
#include "sim/drafting.h"
#include "sim/node.h"
#include "sim/trees/tree_view.h"
#include "sim/verdict.h"

namespace draftgauge {

/// What is drafted in a round, and whether a full acceptance earns one token more.
struct RoundShape {
  int gamma = 5;       ///< positions drafted, 1…max_gamma; the most of them where a policy may stop earlier
  int candidates = 1;  ///< tokens drafted per position, 1…max_candidates; with γ > 1 they span a k-ary tree
  bool bonus = true;   ///< emit a token from p below the last accepted draft, as Leviathan's Algorithm 1 does
  TreeView tree = {};  ///< the nodes of another tree, of depth γ and with at most `candidates` children below a node

  /// The children of a node that has so many drafts above it.
  DRAFTGAUGE_HD TreeNode children(std::uint32_t node, int depth) const {
    if (tree.listed()) return tree.nodes[node];
    if (depth >= gamma) return {};
    return {node * static_cast<std::uint32_t>(candidates) + 1, static_cast<std::uint32_t>(candidates)};
  }

  /// Whether a node has so many children. Domain: count ≥ 1.
  bool has_node_with(int count) const {
    if (!tree.listed()) return count == candidates;
    for (std::uint32_t node = 0; node < tree.count; ++node)
      if (tree.nodes[node].count == static_cast<std::uint32_t>(count)) return true;
    return false;
  }

  friend bool operator==(RoundShape const&, RoundShape const&) = default;
};

/// Nodes in `levels` levels of a tree, the root being the first: 1 + k + k² + …; 0 where they are more than 2^32, which have
/// no numbers of their own (sim/layout.h).
DRAFTGAUGE_HD inline std::uint64_t tree_nodes(int candidates, int levels) {
  std::uint64_t sum = 0, level = 1;
  for (int i = 0; i < levels; ++i) {
    sum += level;
    if (sum > std::uint64_t{1} << 32) return 0;
    level *= static_cast<std::uint64_t>(candidates);
  }
  return sum;
}

/// The nodes of a round's tree, with its root; 0 where they are more than 2^32.
DRAFTGAUGE_HD inline std::uint64_t nodes_of(RoundShape const& shape) {
  return shape.tree.listed() ? shape.tree.count : tree_nodes(shape.candidates, shape.gamma + 1);
}

/// How many nodes of a tree count the rounds that accept them: all, where a list can hold them. Else, and of a chain, whose
/// counts are those of τ ≥ i, 0.
inline std::uint32_t counted_nodes(RoundShape const& shape) {
  std::uint64_t const nodes = nodes_of(shape);
  return shape.candidates > 1 && nodes <= max_tree_nodes ? static_cast<std::uint32_t>(nodes) : 0;
}

/// The passes of a round, told to `out` where it wants to know: draft_passes(passes, positions), a pass for each level of the
/// draft, which is computed at the nodes that have children, then one target_pass(positions) over the whole draft, whose
/// nodes without children are scored for the bonus token only. All of it is spent before anything is decided. With one
/// candidate these are γ draft steps of one position, and γ + 1 scored positions (Leviathan et al. 2023, Theorems 3.8 and
/// 3.11).
template <class Out>
DRAFTGAUGE_HD void spend_passes(RoundShape const& shape, Out& out) {
  if constexpr (requires { out.target_pass(std::uint64_t{}); }) {
    std::uint64_t inner = shape.tree.inner, all = shape.tree.count;
    if (!shape.tree.listed()) {
      inner = 0;
      std::uint64_t level = 1;
      for (int i = 0; i < shape.gamma; ++i) {
        inner += level;
        level *= static_cast<std::uint64_t>(shape.candidates);
      }
      all = inner + level;
    }
    out.draft_passes(static_cast<std::uint64_t>(shape.gamma), inner);
    out.target_pass(shape.bonus ? all : inner);
  }
}

/// The same for a chain of `drafted` tokens that took `passes` draft passes: one more where the last token was thrown away.
template <class Out>
DRAFTGAUGE_HD void spend_chain_passes(int drafted, int passes, bool bonus, Out& out) {
  if constexpr (requires { out.target_pass(std::uint64_t{}); }) {
    out.draft_passes(static_cast<std::uint64_t>(passes), static_cast<std::uint64_t>(passes));
    out.target_pass(static_cast<std::uint64_t>(bonus || drafted == 0 ? drafted + 1 : drafted));
  }
}

/// A chain of drafts with the context at each of its nodes, as path rules see it. token(i) leads from node(i−1) to
/// node(i), i = 1…length().
template <class Model>
class ChainDraft {
 public:
  using Real = typename Model::Node::Real;

  DRAFTGAUGE_HD ChainDraft(Model const& model, std::uint32_t root) : model_(&model) { row_[0] = root; }

  DRAFTGAUGE_HD void add(Token token, std::uint32_t row) {
    token_[length_] = token;
    row_[++length_] = row;
  }
  DRAFTGAUGE_HD Model const& model() const { return *model_; }
  DRAFTGAUGE_HD int length() const { return length_; }
  DRAFTGAUGE_HD Token token(int i) const { return token_[i - 1]; }
  DRAFTGAUGE_HD auto node(int i) const { return model_->node(row_[i], none_); }
  DRAFTGAUGE_HD std::uint32_t row(int i) const { return row_[i]; }

 private:
  Model const* model_;
  Candidates none_;
  int length_ = 0;
  Token token_[max_gamma];
  std::uint32_t row_[max_gamma + 1];
};

/// Drafts a chain from path.row(0) on: `length` tokens, or fewer where the policy stops. Returns the draft passes made.
template <class Model, class Chance>
DRAFTGAUGE_HD int draft_chain(Drafting const& drafting, int length, Chance& chance, ChainDraft<Model>& path) {
  using Real = typename ChainDraft<Model>::Real;
  Real confidence = 1;
  for (int passes = 1; path.length() < length; ++passes) {
    std::uint32_t const row = path.row(path.length());
    Candidates drafted;
    auto const node = path.model().node(row, drafted);
    std::uint32_t const child = static_cast<std::uint32_t>(path.length()) + 1;
    number_from(chance, Asker::drafter, child, 1);
    drafting.drafter.draw(chance, node, 1, drafted);
    Token const x = drafted.token[0];
    Stop stop = Stop::no;
    if (drafting.policy.watches()) {
      confidence = confidence * Real(node.q(x)) / Real(node.total());
      stop = drafting.policy.after(node, x, confidence);
    }
    if (stop == Stop::losing) return passes;
    path.add(x, path.model().contexts().next(chance, row, x, child));
    if (stop == Stop::keeping) return passes;
  }
  return path.length();
}

/// A step of the walk, and the context below the draft that it leads to.
struct Walked {
  Step step;
  Token token;        ///< the draft's, or the one emitted
  std::uint32_t row;  ///< as before where nothing follows
};

/// A node rule's step at a node with these children, which are drawn now. No context is asked for below a draft that
/// ends the round: one for which `ends(node)`.
template <class Rule, class Model, class Chance, class Ends>
DRAFTGAUGE_HD Walked walk_step(Rule const& rule, AnyDrafter const& drafter, Model const& model, Chance& chance,
                               std::uint32_t row, TreeNode const& children, Ends const& ends) {
  Candidates drafted;
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

/// The same for a chain that is drafted already: at its node `depth`.
template <class Rule, class Model, class Chance>
DRAFTGAUGE_HD Walked walk_step(Rule const& rule, ChainDraft<Model> const& path, Chance& chance, int depth) {
  Candidates drafted;
  auto const node = path.model().node(path.row(depth), drafted);
  if (depth < path.length()) drafted.add(path.token(depth + 1));
  number_from(chance, Asker::rule, static_cast<std::uint32_t>(depth) + 1, drafted.count);
  Step const step = rule(chance, node);
  if (!step.descends()) return {step, step.token, path.row(depth)};
  return {step, drafted.token[0], path.row(depth + 1)};
}

/// One round from the context `row`, lifted from what the rule decides at a node or on a path. `out(token)` receives
/// the tokens emitted, in order, the passes (spend_passes), and reached(node) for each draft that is accepted. Returns τ,
/// the number of accepted drafts, and in `drafted_length` how many there were, one after another.
///
/// For node rules candidates are drawn as the walk reaches their node: what stands elsewhere in the tree is
/// independent of all that is looked at, so that the law is that of the whole tree at the price of one path. Where a
/// policy watches the draft, its end depends on tokens that the walk may not reach, and with it the cost of the round:
/// the chain is then drafted whole. Questions are numbered by node (sim/layout.h), so that both orders read the same bits. A
/// round whose draft came to nothing emits a token from p, bonus or not.
///
/// Model: contexts(), node(row, candidates), for simulation (SimulatedModel) or enumeration (analysis).
template <class Rule, class Model, class Chance, class Out>
DRAFTGAUGE_HD int play_round(Rule const& rule, Drafting const& drafting, Model const& model, RoundShape const& shape,
                             Chance& chance, std::uint32_t row, Out&& out, int* drafted_length = nullptr) {
  bool const whole = Rule::shape == Shape::path || drafting.policy.watches();
  ChainDraft<Model> path(model, row);
  int length = shape.gamma;
  if (whole) {
    int const passes = draft_chain(drafting, shape.gamma, chance, path);
    length = path.length();
    spend_chain_passes(length, passes, shape.bonus, out);
  } else {
    spend_passes(shape, out);
  }
  if (drafted_length) *drafted_length = length;
  if constexpr (Rule::shape == Shape::path) {
    number_from(chance, Asker::rule, 1, length);
    Cut const cut = rule(chance, path);
    for (int i = 1; i <= cut.kept; ++i) out(path.token(i));
    if (cut.kept < length || shape.bonus || length == 0) out(cut.token);
    return cut.kept;
  } else {
    std::uint32_t node = 0;
    for (int depth = 0;; ++depth) {
      TreeNode const children = shape.children(node, depth);
      auto const ends = [&](std::uint32_t reached) {
        return !shape.bonus && shape.children(reached, depth + 1).count == 0;
      };
      Walked const walked = whole ? walk_step(rule, path, chance, depth)
                                  : walk_step(rule, drafting.drafter, model, chance, row, children, ends);
      out(walked.token);
      if (!walked.step.descends()) return depth;
      node = children.first + static_cast<std::uint32_t>(walked.step.child);
      if constexpr (requires { out.reached(node); }) out.reached(node);
      if (whole ? !shape.bonus && depth + 1 == length : ends(node)) return depth + 1;
      row = walked.row;
    }
  }
}

}  // namespace draftgauge
