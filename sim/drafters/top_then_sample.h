#pragma once
#include "sim/draft/card.h"
#include "sim/drafters/sample_without.h"
#include "sim/drafters/top.h"
#include "sim/model/node.h"

namespace draftgauge::drafters {

/// The k − 1 tokens that q likes best, then one drawn from q among the others (uniformly where q has nothing there).
/// The "greedy" drafts for which optimal transport is simple; for k = 2 those of SpecHub, Sun et al. 2024
/// (arXiv 2411.05289).
struct TopThenSample {
  static constexpr DrafterCard card{
      .name = "top-then-sample",
      .summary = "the k − 1 most likely tokens of q, and one drawn from q among the others",
      .distinct = true};
  static constexpr bool reads_order = true;
  static constexpr int reads_top = 1;

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Children& out) {
    Top::draw(chance, node, count - 1, out);
    out.add(count == 1 ? chance.pick(node.draft()) : SampleWithout::another(chance, node, count - 1));
  }
};

}  // namespace draftgauge::drafters
