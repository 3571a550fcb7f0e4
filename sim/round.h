#pragma once
#include "sim/card.h"
#include "sim/contexts.h"
#include "sim/node.h"
#include "sim/verdict.h"

namespace draftgauge {

/// What is drafted in a round, and whether a full acceptance earns one token more.
struct RoundShape {
  int gamma = 5;       ///< positions drafted, 1…max_gamma
  int candidates = 1;  ///< tokens drafted per position, 1…max_candidates; with γ > 1 they span a k-ary tree
  bool bonus = true;   ///< emit a token from p after γ acceptances, as Leviathan's Algorithm 1 does

  friend bool operator==(RoundShape const&, RoundShape const&) = default;
};

/// Nodes in `levels` levels of a tree, the root being the first: 1 + k + k² + …; 0 where they are more than 2^32 (so wide a
/// tree is only ever walked, and has no cost that anyone could pay).
DRAFTGAUGE_HD inline std::uint64_t tree_nodes(int candidates, int levels) {
  std::uint64_t sum = 0, level = 1;
  for (int i = 0; i < levels; ++i) {
    sum += level;
    if (sum > std::uint64_t{1} << 32) return 0;
    level *= static_cast<std::uint64_t>(candidates);
  }
  return sum;
}

/// The passes of a round, told to `out` where it wants to know: draft_pass(positions) for each level of the draft, which
/// is computed at the nodes above it, then one target_pass(positions) over the whole draft, whose last level is scored
/// for the bonus token only. All of it is spent before anything is decided. With one candidate these are γ draft steps
/// of one position, and γ + 1 scored positions (Leviathan et al. 2023, Theorems 3.8 and 3.11). Positions are 0 where the
/// tree is too wide for tree_nodes.
template <class Out>
DRAFTGAUGE_HD void spend_passes(RoundShape const& shape, Out& out) {
  if constexpr (requires { out.draft_pass(std::uint64_t{}); }) {
    bool const payable = shape.candidates == 1 || tree_nodes(shape.candidates, shape.gamma + 1) > 0;
    std::uint64_t level = payable, scored = 0;
    for (int i = 0; i < shape.gamma; ++i) {
      out.draft_pass(level);
      scored += level;
      level *= static_cast<std::uint64_t>(shape.candidates);
    }
    out.target_pass(shape.bonus ? scored + level : scored);
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

/// One round from the context `row`, lifted from what the rule decides at a node or on a path. `out(token)` receives
/// the tokens emitted, in order, and the passes (spend_passes). Returns τ, the number of accepted drafts.
///
/// For node rules candidates are drawn as the walk reaches their node: what stands elsewhere in the tree is
/// independent of all that is looked at, so that the law is that of the whole tree at the price of one path.
///
/// Model: contexts(), node(row, candidates), for simulation (SimulatedModel) or enumeration (analysis).
template <class Rule, class Drafter, class Model, class Chance, class Out>
DRAFTGAUGE_HD int play_round(Rule const& rule, Drafter const& drafter, Model const& model, RoundShape const& shape,
                             Chance& chance, std::uint32_t row, Out&& out) {
  Contexts const& contexts = model.contexts();
  spend_passes(shape, out);
  if constexpr (Rule::shape == Shape::node) {
    for (int depth = 0;; ++depth) {
      Candidates drafted;
      auto const node = model.node(row, drafted);
      if (depth < shape.gamma) drafter.draw(chance, node, shape.candidates, drafted);
      Step const step = rule(chance, node);
      out(step.descends() ? drafted.token[step.child] : step.token);
      if (!step.descends()) return depth;
      if (depth + 1 == shape.gamma && !shape.bonus) return depth + 1;
      row = contexts.next(chance, row, drafted.token[step.child]);
    }
  } else {
    ChainDraft<Model> path(model, row);
    while (path.length() < shape.gamma) {
      Candidates drafted;
      drafter.draw(chance, model.node(path.row(path.length()), drafted), 1, drafted);
      path.add(drafted.token[0], contexts.next(chance, path.row(path.length()), drafted.token[0]));
    }
    Cut const cut = rule(chance, path);
    for (int i = 1; i <= cut.kept; ++i) out(path.token(i));
    if (cut.kept < path.length() || shape.bonus) out(cut.token);
    return cut.kept;
  }
}

}  // namespace draftgauge
