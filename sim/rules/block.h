#pragma once
#include <cmath>

#include "sim/chance/chance.h"
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// The steps of block verification, for the rule and for those that get it wrong. π_i is a number ≥ 0 that belongs to
/// the i-th node of a chain, and so to the first i drafts.
namespace block {

/// π_i = min(1, π_{i−1}·p(x_i)/q(x_i)) at the child of a node.
template <class Draft, class Real>
DRAFTGAUGE_HD Real extended(Draft& draft, std::uint32_t node, Real const& before) {
  auto const here = draft.at(node);
  Token const x = draft.token_after(node);
  Real const num = before * Real(here.p(x)), den = Real(here.q(x));
  return num < den ? Real(num / den) : Real(1);
}

/// Whether a node stands: with probability S/(S + 1 − π), S = Σ_x (π·p(x) − q(x))₊; the last one with π.
template <class Chance, class Draft, class Real>
DRAFTGAUGE_HD bool stands(Chance& chance, Draft const& draft, std::uint32_t node, Real const& running) {
  if (!draft.child(node)) return chance.flip(running, Real(1));
  Real const sum = draft.at(node).excess(running, Real(1)).total();
  return chance.flip(sum, Real(sum + (Real(1) - running)));
}

/// The drafts down to a node and a token from norm((π·p − q)₊) there, from p after the last draft.
template <class Chance, class Draft, class Real>
DRAFTGAUGE_HD Stop stop_at(Chance& chance, Draft const& draft, std::uint32_t node, Real const& running) {
  auto const here = draft.at(node);
  if (!draft.child(node)) return {node, chance.pick(here.target())};
  return {node, chance.pick(here.excess(running, Real(1)))};
}

/// Keeps the longest prefix that stands, whatever failed before it. extend(node, π) is π at the child of a node.
template <class Chance, class Draft, class Extend>
DRAFTGAUGE_HD Stop keep_longest(Chance& chance, Draft& draft, Extend const& extend) {
  using Real = typename Draft::Real;
  Real running = 1, kept_running = 1;
  std::uint32_t node = 0, kept = 0;
  while (draft.child(node)) {
    running = extend(node, running);
    node = draft.child(node);
    if (stands(chance, draft, node, running)) {
      kept = node;
      kept_running = running;
    }
  }
  return stop_at(chance, draft, kept, kept_running);
}

}  // namespace block

/// Judge the draft as a whole: π_i = min(1, π_{i−1}·p(x_i)/q(x_i)) is the probability that at least i drafts are kept.
/// Sun et al. 2024 (arXiv 2403.10444), Algorithm 2.
struct BlockRule {
  static constexpr RuleCard card{.name = "block",
                                 .summary = "keep the longest prefix that stands under the draft's running ratio",
                                 .source = "Sun et al. 2024, arXiv 2403.10444, Algorithm 2",
                                 .drafter = "sample",
                                 .lossless = true};
  static constexpr Shape shape = Shape::tree;
  static constexpr AlongTree along_tree = AlongTree::ratio;
  static constexpr bool reads_order = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    return block::keep_longest(chance, draft, [&](std::uint32_t node, typename Draft::Real const& before) {
      return block::extended(draft, node, before);
    });
  }

  /// Sun et al., Theorem 2.
  static constexpr bool at_least(As<TokenRule>, int) { return true; }

  /// It keeps τ = i drafts x^i and then emits y with probability Q(x^i) (π_i p(y) − q(y))₊, where the target writes
  /// x^i y with P(x^i) p(y). With w_i = Π_{j≤i} q(x_j)/p(x_j) of the text, P(τ = i | text) = (w_i π_i − w_{i+1})₊,
  /// and w_i π_i = min(w_i, w_{i−1} π_{i−1}) is the running minimum: P(τ ≥ i | text) = min(1, w_1, …, w_i). By sums
  /// of logarithms, so that no product overflows.
  struct Replay {
    using Drafter = drafters::Sample;

    double kept(double log_ratio) {
      sum_ += log_ratio;
      if (sum_ >= least_) return 1;  // also after q excluded a token: 1 of the nothing that gets there
      double const step = sum_ - least_;
      least_ = sum_;
      return std::exp(step);
    }

   private:
    double sum_ = 0, least_ = 0;  ///< ln w_i, and the least of them and 0
  };
};

}  // namespace draftgauge::rules
