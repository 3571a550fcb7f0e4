#pragma once
#include "sim/draft/card.h"
#include "sim/draft/policy.h"

namespace draftgauge::policies {

/// γ drafts in every round, as the papers assume.
struct Fixed : EveryRoundAlike {
  static constexpr PolicyCard card{.name = "fixed",
                                   .summary = "γ drafts in every round",
                                   .source = "Leviathan et al. 2023, arXiv 2211.17192",
                                   .watches = false};
};

}  // namespace draftgauge::policies
