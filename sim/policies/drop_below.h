#pragma once
#include "sim/policies/threshold.h"

namespace draftgauge::policies {

/// Wrong: the token of which the draft model was not sure is thrown away, so that what is drafted is not drawn from q
/// and what is emitted in its place owes nothing to the rejection that should have come first.
struct DropBelow : EveryRoundAlike {
  static constexpr PolicyCard card{.name = "wrong/drop-below",
                                   .summary = "stop before a draft with q(x) below a threshold, throwing it away",
                                   .source = "met in public code",
                                   .watches = true,
                                   .parameters = draft_threshold};

  template <class Node>
  DRAFTGAUGE_HD static Stop after(Parameters const& values, Node const& node, Token x, typename Node::Real const&) {
    using Weight = typename Node::Weight;
    return below<Weight>(values.value[0], node.q(x), node.total()) ? Stop::losing : Stop::no;
  }
};

}  // namespace draftgauge::policies
