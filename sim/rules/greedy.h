#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/kept_where_hit.h"

namespace draftgauge::rules {

/// Temperature 0: accept drafts that are the target's most likely token, else emit that token. The text is the target's
/// own greedy text whatever is drafted. Leviathan et al. 2023 (arXiv 2211.17192), Section 2.2: p and q become one-hot.
struct Greedy {
  static constexpr RuleCard card{.name = "greedy",
                                 .summary = "temperature 0: accept argmax p, else emit it",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Section 2.2",
                                 .drafter = "top",
                                 .lossless = true,
                                 .many_children = true,
                                 .reference = Reference::argmax};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance&, Node const& node) const {
    Token const best = node.argmax_p();
    int const i = candidate_that_is(best, node, node.children());
    return i >= 0 ? descend(i) : emit(best);
  }

  /// 1 where argmax p is among the k most likely tokens of q, else 0.
  template <class Row>
  static auto acceptance(drafters::Top, Row const& row, int k) {
    int accepted = 0;
    for (int i = 0; i < k; ++i) accepted += row.top_q(i) == row.argmax_p();
    return typename Row::Real(accepted);
  }
  using Replay = KeptWhereHit;
};

}  // namespace draftgauge::rules
