#pragma once
#include "sim/card.h"
#include "sim/node.h"
#include "sim/verdict.h"

namespace draftgauge::drafters {

/// Candidates of a position are drawn from q without replacement; once all of q's support is drafted, uniformly from
/// the tokens that are not. Sequoia (arXiv 2402.12374), Algorithm 2, draws and verifies so.
struct SampleWithout {
  static constexpr DrafterCard card{.name = "sample-without",
                                    .summary = "draws from q without replacement",
                                    .distinct = true};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Candidates& out) {
    out.add(chance.pick(node.draft()));
    for (int i = 1; i < count; ++i)
      out.add(chance.pick(Weights{node.vocab(), [&](Token x) { return weight(node, i, x); }}));
  }

  /// Weight of x in the law of candidate i given the candidates before it; the weights sum to mass(node, i).
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight weight(Node const& node, int i, Token x) {
    using Weight = typename Node::Weight;
    if (candidate_that_is(x, node, i) >= 0) return Weight(0);
    return exhausted(node, i) ? Weight(1) : Weight(node.q(x));
  }
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight mass(Node const& node, int i) {
    using Weight = typename Node::Weight;
    return exhausted(node, i) ? Weight(static_cast<int>(node.vocab()) - i) : remaining(node, i);
  }

 private:
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight remaining(Node const& node, int i) {
    typename Node::Weight left = node.total();
    for (int j = 0; j < i; ++j) left -= node.q(node.candidate(j));
    return left;
  }
  template <class Node>
  DRAFTGAUGE_HD static bool exhausted(Node const& node, int i) {
    return !(remaining(node, i) > 0);
  }
};

}  // namespace draftgauge::drafters
