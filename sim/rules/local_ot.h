#pragma once
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/draft/card.h"
#include "sim/draft/children.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/rules/block.h"
#include "sim/rules/child_plan.h"

namespace draftgauge::rules {

/// Judge a tree from its leaves, each node's children by the plan that keeps most of them: traversal verification
/// with local optimal transport in place of recursive rejection, as UniVer (arXiv 2605.04543) proposes; the score of
/// a child is our reconstruction. A node X has a score s, the probability that the round stops in its subtree; the
/// root's is 1. With the plan π of X (sim/rules/child_plan.h), A = ΣΣπ, and the tuple t that was drafted, child x is
/// visited with the score
///
///     (π(x, t)/T(t)) / (1 − Σ_{earlier siblings} π/T(t)).
///
/// Where no child's subtree keeps anything, X itself is kept with probability (s − A)/(1 − A), and a token is emitted
/// from what the plan leaves of s·p. Without the division the scores of siblings would not be those of one procedure.
///
/// A node of one child has A = Σmin(s·p, q), and needs no plan: chains are judged as by `block`, of any vocabulary.
template <class Drafter>
struct LocalOt {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{
      .name = with ? "local-ot" : "local-ot-without",
      .summary = with ? "judge a tree from its leaves, children by a plan that keeps most of them (small tables)"
                      : "the same for siblings that differ, drawn without replacement",
      .source = "UniVer, arXiv 2605.04543",
      .drafter = Drafter::card.name,
      .lossless = true};
  static constexpr Shape shape = Shape::tree;
  static constexpr bool reads_order = true, host_only = true;
  static constexpr std::uint64_t most_tuples = 1 << 10;  ///< of a node's children: it takes no more

  template <class Chance, class Draft>
  Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    Visit<Real> path[max_gamma + 1];  // of the nodes from the root down to `node`
    int depth = 0;
    path[0] = visit(draft, 0, Real(1));
    for (std::uint32_t node = 0, i = 0;;) {  // the subtrees of the first i children hold nothing that is kept
      Visit<Real>& here = path[depth];
      TreeNode const children = draft.children(node);
      if (i < children.count) {
        Real const share = here.shares[i], open = Real(1) - here.used;
        here.used += share;
        ++i;
        if (!(share > Real(0))) continue;
        node = children.first + i - 1;
        path[++depth] = visit(draft, node, share < open ? Real(share / open) : Real(1));
        i = 0;
        continue;
      }
      if (node == 0 || stands(chance, node, here)) return {node, emitted(chance, draft, node, here)};
      std::uint32_t const parent = draft.parent(node);
      --depth;
      i = node - draft.children(parent).first + 1;
      node = parent;
    }
  }

  static constexpr bool equals(As<BlockRule>, int k) { return k == 1; }
  static constexpr bool at_least(As<TokenRule>, int k) { return k == 1; }

 private:
  /// Of a node on the way.
  template <class Real>
  struct Visit {
    Real score, all, used;     ///< s, A, and Σπ/T of the children that were visited
    std::vector<Real> shares;  ///< [children] π(x, t)/T(t)
    std::vector<Real> left;    ///< [V] of s·p, of several children
  };

  template <class Draft, class Real>
  static Visit<Real> visit(Draft& draft, std::uint32_t node, Real const& score) {
    TreeNode const children = draft.children(node);
    auto const here = draft.at(node);
    Real const total = Real(here.total());
    Visit<Real> visit{score, Real(0), Real(0), {}, {}};
    if (children.count == 1) {
      Token const x = draft.token(children.first);
      Real const num = score * Real(here.p(x)), den = Real(here.q(x));
      visit.shares.push_back(num < den ? Real(num / den) : Real(1));
      visit.all = score - Real(here.excess(score, Real(1)).total());
    } else if (children.count > 1) {
      std::vector<Real> p(here.vocab()), q(here.vocab());
      for (Token x = 0; x < here.vocab(); ++x) {
        p[x] = Real(here.p(x)) / total;
        q[x] = Real(here.q(x)) / total;
      }
      ChildPlan<Real> const plan(p, q, score, children.count, !with);
      std::vector<Token> tuple;
      for (std::uint32_t i = 0; i < children.count; ++i) tuple.push_back(draft.token(children.first + i));
      for (std::uint32_t i = 0; i < children.count; ++i) visit.shares.push_back(plan.share(tuple, i));
      visit.all = plan.all();
      visit.left = plan.left();
    }
    return visit;
  }

  template <class Chance, class Real>
  static bool stands(Chance& chance, std::uint32_t node, Visit<Real> const& visit) {
    number_from(chance, Asker::rule, node, 1);
    return chance.flip(excess(visit.score, visit.all), Real(Real(1) - visit.all));
  }
  template <class Chance, class Draft, class Real>
  static Token emitted(Chance& chance, Draft& draft, std::uint32_t node, Visit<Real> const& visit) {
    auto const here = draft.at(node);
    if (visit.shares.empty()) return chance.pick(here.target());
    if (visit.left.empty()) return chance.pick(here.excess(visit.score, Real(1)));
    return chance.pick(Weights{here.vocab(), [&](Token x) { return visit.left[x]; }});
  }
};

}  // namespace draftgauge::rules
