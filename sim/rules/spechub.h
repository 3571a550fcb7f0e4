#pragma once
#include "sim/card.h"
#include "sim/drafters/top_then_sample.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Drafts are the k − 1 tokens A that q likes best and one x drawn from d = q outside of A. Accept x with probability
/// min(1, p/d); else draw from norm((p − d)₊), where d is 0 on A, and accept that token if it is in A. All of p(A) is
/// accepted so, beside Σ_{x∉A} min(p, d). For k = 2 SpecHub, Sun et al. 2024 (arXiv 2411.05289); for k = 1 the token rule.
struct SpecHub {
  using Drafter = drafters::TopThenSample;
  static constexpr RuleCard card{.name = "spechub",
                                 .summary = "test the one sampled draft first, then draw from what p still owes",
                                 .source = "SpecHub, Sun et al. 2024, arXiv 2411.05289",
                                 .drafter = Drafter::card.name,
                                 .lossless = true,
                                 .many_candidates = true};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.candidates() == 0) return emit(chance.pick(node.target()));
    int const last = node.candidates() - 1;
    Token const x = node.candidate(last);
    if (chance.flip(target(node, x), draft(node, x))) return descend(last);
    Token const y = chance.pick(Weights{node.vocab(), [&](Token z) { return excess(target(node, z), draft(node, z)); }});
    int const i = candidate_that_is(y, node, last);
    return i >= 0 ? descend(i) : emit(y);
  }

 private:
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Real target(Node const& node, Token x) {
    using Real = typename Node::Real;
    return Real(node.p(x)) / Real(node.total());
  }
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Real draft(Node const& node, Token x) {
    using Real = typename Node::Real;
    int const last = node.candidates() - 1;
    return Real(Drafter::weight(node, last, x)) / Real(Drafter::mass(node, last));
  }
};

}  // namespace draftgauge::rules
