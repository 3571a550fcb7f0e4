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

/// The passes that a round costs, to be priced afterwards (draft c, target 1; operations ĉ per drafted token).
struct Passes {
  std::uint64_t draft_steps;     ///< draft passes, one after another
  std::uint64_t drafted_tokens;  ///< positions that the draft model computed
  std::uint64_t target_passes;   ///< passes of the target, each of which reads its weights once
  std::uint64_t scored_tokens;   ///< positions that the target computed
};

/// The draft is a k-ary tree of depth γ, made level by level and scored in one pass together with the root. All this
/// is spent before anything is decided, so it does not depend on what is accepted.
DRAFTGAUGE_HD inline Passes passes_of(RoundShape const& shape) {
  constexpr std::uint64_t cap = std::uint64_t{1} << 40;  // wider trees only exist lazily; their cost is beyond use
  std::uint64_t nodes = 0, level = 1;
  for (int i = 0; i < shape.gamma; ++i) {
    level = level < cap ? level * static_cast<std::uint64_t>(shape.candidates) : cap;
    nodes = nodes < cap ? nodes + level : cap;
  }
  return {static_cast<std::uint64_t>(shape.gamma), nodes, 1, nodes + (shape.bonus ? 1 : 0)};
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
/// the tokens emitted, in order. Returns τ, the number of accepted drafts.
///
/// For node rules candidates are drawn as the walk reaches their node: what stands elsewhere in the tree is
/// independent of all that is looked at, so that the law is that of the whole tree at the price of one path.
///
/// Model: contexts(), node(row, candidates), for simulation (SimulatedModel) or enumeration (analysis).
template <class Rule, class Drafter, class Model, class Chance, class Out>
DRAFTGAUGE_HD int play_round(Rule const& rule, Drafter const& drafter, Model const& model, RoundShape const& shape,
                             Chance& chance, std::uint32_t row, Out&& out) {
  Contexts const& contexts = model.contexts();
  if constexpr (Rule::shape == Shape::node) {
    for (int depth = 0;; ++depth) {
      Candidates drafted;
      auto const node = model.node(row, drafted);
      if (depth < shape.gamma)
        drafter.draw(chance, node, shape.candidates, drafted);
      else if (!shape.bonus)
        return depth;
      Step const step = rule(chance, node);
      out(step.descends() ? drafted.token[step.child] : step.token);
      if (!step.descends()) return depth;
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
