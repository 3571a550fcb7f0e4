#pragma once
#include "analysis/why/lost_drafts.h"
#include "analysis/why/waterfall.h"
#include "apps/output/result.h"

namespace draftgauge {

/// "11.4 ms per token where 3.2 are ideal (γ=5): verification takes most of the difference, …".
std::string why_title(Waterfall const& of, std::optional<double> plain_ms);

/// The steps, and what is left. plain_ms: none where times are in plain steps alone.
Section why_section(Waterfall const& of, std::optional<double> plain_ms);

/// Where drafts are lost, one table; of texts those that lose most.
Section lost_section(LostDrafts const& of);

}  // namespace draftgauge
