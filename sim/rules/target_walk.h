#pragma once
#include "sim/draft/card.h"
#include "sim/draft/text_walk.h"
#include "sim/draft/verdict.h"
#include "sim/rules/coupled.h"
#include "sim/rules/naive_set.h"

namespace draftgauge::rules {

/// Draw from p, and go on below every draft so far that spells the text: equal siblings are one node, as in a trie.
/// What is accepted is then the longest beginning of the target's text that stands in the tree, for any drafter.
/// The tree walk of DDTree (arXiv 2604.12989), and what `naive-set` comes to when it goes from node to node.
struct TargetWalk {
  static constexpr RuleCard card{
      .name = "target-walk",
      .summary = "draw from p; accept while the text stands in the tree, equal drafts as one",
      .source = "DDTree, arXiv 2604.12989; naive sampling of SpecInfer, arXiv 2305.09781",
      .drafter = "sample",
      .lossless = true,
      .many_children = true};
  static constexpr Shape shape = Shape::tree;
  static constexpr AlongTree along_tree = AlongTree::drafted_trie;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    return TextWalk().from_root(chance, draft, chance.pick(draft.at(0).target()));
  }

  static constexpr bool equals(As<NaiveSet<drafters::Sample>>, int) { return true; }
  static constexpr bool equals(As<Coupled>, int k) { return k == 1; }
};

}  // namespace draftgauge::rules
