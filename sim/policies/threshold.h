#pragma once
#include "sim/draft/policy.h"

namespace draftgauge::policies {

/// Whether the probability `part`/`whole` is below the threshold.
template <class Number>
DRAFTGAUGE_HD bool below(Ratio const& threshold, Number const& part, Number const& whole) {
  return Number(part) * Number(threshold.den) < Number(whole) * Number(threshold.num);
}

inline constexpr ParameterCard draft_threshold[] = {{.name = "threshold",
                                                     .meaning = "the probability below which drafting ends",
                                                     .standard = {2, 5},
                                                     .least = {0, 1},
                                                     .most = {1, 1}}};

}  // namespace draftgauge::policies
