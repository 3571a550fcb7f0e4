#pragma once
#include "sim/policies/threshold.h"

namespace draftgauge::policies {

/// Stop after a token of which the draft model was not sure; the token stays in the draft.
/// Hugging Face transformers' assistant_confidence_threshold.
struct StopBelow : EveryRoundAlike {
  static constexpr PolicyCard card{.name = "stop-below",
                                   .summary = "stop after a draft with q(x) below a threshold, keeping it",
                                   .source = "Hugging Face transformers, assistant_confidence_threshold",
                                   .watches = true,
                                   .parameters = draft_threshold};

  template <class Node>
  DRAFTGAUGE_HD static bool ends(Parameters const& values, Node const& node, Token x, typename Node::Real const&) {
    using Weight = typename Node::Weight;
    return below<Weight>(values.value[0], node.q(x), node.total());
  }
};

}  // namespace draftgauge::policies
