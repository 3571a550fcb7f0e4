#pragma once
#include <cstdint>
#include <type_traits>

#include "sim/chance/chance.h"
#include "sim/draft/card.h"
#include "sim/draft/children.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/rules/block.h"
#include "sim/rules/recursive.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Judge a tree of drafts from its leaves: `block` for trees, Weng et al. 2025 (arXiv 2505.12398). A node X has a
/// score s, the probability that the round stops in its subtree; the root's is 1. Its children are visited in turn,
/// each with its subtree: child x gets the score min(1, s·M(x)/D(x)), M = p at first and D the law that x was drawn
/// from. Where nothing there is kept, d = (s·M − D)₊, S = Σd, s becomes S/(S + 1 − s) and M becomes norm(d). After
/// its children X itself is kept with probability s, and a token is emitted from M.
///
/// With D = w/m (sim/rules/recursive.h says which w) the present s·M is (s·p − c·w)₊/u, s as it was at first. c and u
/// begin at 0 and 1, and when nothing below a child is kept c grows by u/m and u becomes 1 − s + Σ(s·p − c·w)₊. So x
/// gets the score (s·p(x) − c·w(x))₊·m/(u·w(x)), and X is kept with probability Σ(s·p − c·w)₊/u: one bisection of the
/// row for a draft.
template <class Drafter>
struct Traversal {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{
      .name = with ? "traversal" : "traversal-without",
      .summary = with ? "judge a tree from its leaves, each node by the ratio that leads to it"
                      : "the same for siblings that differ, drawn without replacement",
      .source = "traversal verification, Weng et al. 2025, arXiv 2505.12398",
      .drafter = Drafter::card.name,
      .lossless = true,
      .many_children = true};
  static constexpr Shape shape = Shape::tree;
  static constexpr AlongTree along_tree = AlongTree::ratio;
  static constexpr bool reads_order = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    Visit<Real> path[max_gamma + 1];  // of the nodes from the root down to `node`
    int depth = 0;
    path[0] = {Real(1), Real(0), Real(1)};
    for (std::uint32_t node = 0, i = 0;;) {  // the subtrees of the first i children hold nothing that is kept
      Visit<Real>& here = path[depth];
      TreeNode const children = draft.children(node);
      if (i < children.count) {
        std::uint32_t const child = children.first + i;
        Real const score = child_score(draft, node, i, here);
        if (score > Real(0)) {
          path[++depth] = {score, Real(0), Real(1)};
          node = child;
          i = 0;
        } else {
          reject(draft, node, i++, here);
        }
        continue;
      }
      if (node == 0 || stands(chance, draft, node, here)) return {node, emitted(chance, draft, node, here)};
      std::uint32_t const parent = draft.parent(node);
      --depth;
      i = node - draft.children(parent).first;
      node = parent;
      reject(draft, node, i++, path[depth]);
    }
  }

  static constexpr bool equals(As<BlockRule>, int k) { return k == 1; }
  /// On a tree whose levels are alike min(s·p, c(s)·q) ≥ s·min(p, c(1)·q), token by token, c(s) being the c after all
  /// children, and so for the levels below: no prefix is passed less often than by recursive rejection.
  static constexpr bool at_least(As<Recursive<Drafter>>, int k) { return with || k == 1; }
  /// Recursive rejection accepts a first child as the token rule does.
  static constexpr bool at_least(As<TokenRule>, int k) { return with || k == 1; }

 private:
  /// Of a node on the way: its score, and c and u.
  template <class Real>
  struct Visit {
    Real score, taken, left;
  };

  /// m of child i, in weights: the share of q that it was drawn from. 0: q had nothing left.
  template <class Draft>
  DRAFTGAUGE_HD static auto mass(Draft& draft, std::uint32_t node, std::uint32_t i) {
    auto const here = draft.at(node);
    auto left = here.total();
    if constexpr (!with)
      for (std::uint32_t j = 0; j < i; ++j) left -= here.q(draft.token(draft.children(node).first + j));
    return left;
  }

  /// D of child i: w/m is `weight`/`mass` for a token of the row's weight q.
  template <class Real>
  struct Drawn {
    bool rest;  ///< from the tokens that q excludes
    Real mass;
  };
  template <class Draft>
  DRAFTGAUGE_HD static auto drawn(Draft& draft, std::uint32_t node, std::uint32_t i) {
    using Real = typename Draft::Real;
    auto const here = draft.at(node);
    auto const from = mass(draft, node, i);
    if (from > 0) return Drawn<Real>{false, Real(Real(from) / Real(here.total()))};
    return Drawn<Real>{true, Real(static_cast<int>(here.vocab() - i))};
  }

  template <class Draft, class Real>
  DRAFTGAUGE_HD static Real child_score(Draft& draft, std::uint32_t node, std::uint32_t i, Visit<Real>& visit) {
    auto const here = draft.at(node);
    Token const x = draft.token(draft.children(node).first + i);
    auto const from = drawn(draft, node, i);
    if (from.rest && !drawn(draft, node, i - 1).rest) visit.taken = 0;  // all tokens that q has are rejected
    Real const weight = Real(from.rest ? here.total() : here.q(x));
    Real const num = excess(Real(visit.score * Real(here.p(x))), Real(visit.taken * weight)) * from.mass;
    Real const den = visit.left * weight;
    return num < den ? Real(num / den) : Real(1);
  }

  /// Nothing is kept in the subtree of child i.
  template <class Draft, class Real>
  DRAFTGAUGE_HD static void reject(Draft& draft, std::uint32_t node, std::uint32_t i, Visit<Real>& visit) {
    auto const from = drawn(draft, node, i);
    Real const taken = visit.taken + visit.left / from.mass;
    Real const left = owed(draft, node, from.rest, visit.score, taken) + (Real(1) - visit.score);
    if (!(left > Real(0))) return;  // the child was certain, but for the rounding of doubles
    visit.taken = taken;
    visit.left = left;
  }

  /// Σ(s·p − c·w)₊
  template <class Draft, class Real>
  DRAFTGAUGE_HD static Real owed(Draft& draft, std::uint32_t node, bool rest, Real const& score, Real const& taken) {
    auto const here = draft.at(node);
    return rest ? Real(here.excess_of_rest(score, taken).total()) : Real(here.excess(score, taken).total());
  }
  /// Whether the last child was drawn from the tokens that q excludes.
  template <class Draft>
  DRAFTGAUGE_HD static bool ends_in_rest(Draft& draft, std::uint32_t node) {
    std::uint32_t const count = draft.children(node).count;
    return count > 0 && drawn(draft, node, count - 1).rest;
  }

  template <class Chance, class Draft, class Real>
  DRAFTGAUGE_HD static bool stands(Chance& chance, Draft& draft, std::uint32_t node, Visit<Real> const& visit) {
    number_from(chance, Asker::rule, node, 1);
    if (!draft.child(node)) return chance.flip(visit.score, Real(1));
    return chance.flip(owed(draft, node, ends_in_rest(draft, node), visit.score, visit.taken), visit.left);
  }
  template <class Chance, class Draft, class Real>
  DRAFTGAUGE_HD static Token emitted(Chance& chance, Draft& draft, std::uint32_t node, Visit<Real> const& visit) {
    auto const here = draft.at(node);
    if (!draft.child(node)) return chance.pick(here.target());
    if (ends_in_rest(draft, node)) return chance.pick(here.excess_of_rest(visit.score, visit.taken));
    return chance.pick(here.excess(visit.score, visit.taken));
  }
};

}  // namespace draftgauge::rules
