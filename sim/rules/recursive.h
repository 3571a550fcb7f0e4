#pragma once
#include "sim/card.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/node.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Recursive rejection: test the candidates of a position in turn. Candidate s, drawn from d_i, is accepted with
/// probability min(1, r_i(s)/d_i(s)); after a rejection r_{i+1} = norm((r_i − d_i)₊), r_0 = p; if none is accepted emit
/// from the last r. d_i is the law that the drafter drew candidate i from, which is what makes it lossless.
/// With replacement: SpecInfer (arXiv 2305.09781), Algorithm 2. Without: Sequoia (arXiv 2402.12374), Algorithm 2.
///
/// Nothing is stored per token, so that it runs on a device: r_i(x) is computed from p, the d_j and the i normalising
/// sums, at a cost of O(vocab·k²) in all (k times that without replacement, where d_j(x) looks through the drafts).
template <class Drafter>
struct Recursive {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{
      .name = with ? "recursive" : "recursive-without",
      .summary = with ? "test k drafts in turn, each against what the residual still owes"
                      : "the same for k different drafts, drawn without replacement",
      .source = with ? "SpecInfer, Miao et al. 2023, arXiv 2305.09781, Algorithm 2"
                     : "Sequoia, Chen et al. 2024, arXiv 2402.12374, Algorithm 2",
      .drafter = Drafter::card.name,
      .lossless = true,
      .many_candidates = true};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.candidates() == 0) return emit(chance.pick(node.target()));
    Real left[max_candidates];  // Σ_x (r_i − d_i)₊ for every rejected candidate i
    for (int i = 0; i < node.candidates(); ++i) {
      Token const s = node.candidate(i);
      if (chance.flip(owed(node, left, i, s), draft(node, i, s))) return descend(i);
      Real sum = 0;
      for (Token x = 0; x < node.vocab(); ++x) sum += excess(owed(node, left, i, x), draft(node, i, x));
      if (!(sum > 0)) return descend(i);  // r_i = d_i: the candidate was certain, but for the rounding of doubles
      left[i] = sum;
    }
    int const last = node.candidates() - 1;
    return emit(chance.pick(Weights{
        node.vocab(), [&](Token x) { return excess(owed(node, left, last, x), draft(node, last, x)); }}));
  }

 private:
  /// d_i(x), the probability that the drafter's i-th candidate is x given the ones before.
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Real draft(Node const& node, int i, Token x) {
    using Real = typename Node::Real;
    return Real(Drafter::weight(node, i, x)) / Real(Drafter::mass(node, i));
  }

  /// r_i(x), what the target law still owes to x after i rejections.
  template <class Node, class Real = typename Node::Real>
  DRAFTGAUGE_HD static Real owed(Node const& node, Real const* left, int i, Token x) {
    Real r = Real(node.p(x)) / Real(node.total());
    for (int j = 0; j < i; ++j) r = excess(r, draft(node, j, x)) / left[j];
    return r;
  }
};

}  // namespace draftgauge::rules
