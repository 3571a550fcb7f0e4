#pragma once
#include <type_traits>

#include "sim/chance/chance.h"

namespace draftgauge::faulty {

/// P/Q of the drafts down to the child of a node of a chain, never cut at 1, from that at the node. In doubles it
/// stops growing at 2^900: 256 drafts could bring it to infinity, which times p = 0 is no number. No answer changes
/// by that beyond rounding. Where P/Q is 1 or more a position stands, and (P/Q·p − q)₊ is p to 53 bits from 2^53 on.
/// Only a ratio that comes down again is lost, and drafts from q, under which P/Q has mean 1, bring it to 2^900 with
/// probability 2^-900 at most (Ville).
template <class Draft, class Real>
DRAFTGAUGE_HD Real extended_uncut(Draft& draft, std::uint32_t node, Real const& before) {
  auto const here = draft.at(node);
  Token const x = draft.token_after(node);
  Real const ratio = before * Real(here.p(x)) / Real(here.q(x));
  if constexpr (std::is_same_v<Real, double>) {
    constexpr double most = 0x1p900;  // times a weight, which is below 2^53, it is still finite
    return ratio < most ? ratio : most;
  } else {
    return ratio;
  }
}

}  // namespace draftgauge::faulty
