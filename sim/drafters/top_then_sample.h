#pragma once
#include "sim/card.h"
#include "sim/drafters/sample_without.h"
#include "sim/drafters/top.h"
#include "sim/node.h"

namespace draftgauge::drafters {

/// The k − 1 tokens that q likes best, then one drawn from q among the others (uniformly where q has nothing there).
/// The "greedy" drafts for which optimal transport is simple; for k = 2 those of SpecHub, Sun et al. 2024
/// (arXiv 2411.05289).
struct TopThenSample {
  static constexpr DrafterCard card{.name = "top-then-sample",
                                    .summary = "the k − 1 most likely tokens of q, and one drawn from q among the others",
                                    .distinct = true};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Candidates& out) {
    Top::draw(chance, node, count - 1, out);
    if (count == 1)
      out.add(chance.pick(node.draft()));
    else
      out.add(chance.pick(Weights{node.vocab(), [&](Token x) { return weight(node, count - 1, x); }}));
  }

  /// Weight of x in the law of the one candidate that is drawn, number `last`; the weights sum to mass(node, last).
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight weight(Node const& node, int last, Token x) {
    return SampleWithout::weight(node, last, x);
  }
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight mass(Node const& node, int last) {
    return SampleWithout::mass(node, last);
  }
};

}  // namespace draftgauge::drafters
