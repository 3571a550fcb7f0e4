#pragma once
#include "sim/policies/threshold.h"

namespace draftgauge::policies {

/// Stop once the whole draft has become unlikely under q, keeping what is drafted. EAGLE-2 (arXiv 2406.16858) ranks the
/// nodes of its trees by this product.
struct Confidence : EveryRoundAlike {
  static constexpr PolicyCard card{.name = "confidence",
                                   .summary = "stop when the product of q over the draft is below a threshold",
                                   .source = "EAGLE-2, Li et al. 2024, arXiv 2406.16858, the value of a node",
                                   .watches = true,
                                   .parameters = draft_threshold};

  template <class Node>
  DRAFTGAUGE_HD static bool ends(Parameters const& values, Node const&, Token,
                                 typename Node::Real const& confidence) {
    using Real = typename Node::Real;
    return below<Real>(values.value[0], confidence, Real(1));
  }
};

}  // namespace draftgauge::policies
