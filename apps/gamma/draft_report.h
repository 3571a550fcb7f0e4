#pragma once
#include <span>

#include "analysis/texts/study.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Of several recordings' studies: which draft is the fastest, each at its own costs and best γ, before all else, and as the
/// field "drafts", which is null where fewer than two say it.
void add_draft_choice(Result& result, std::span<Study const* const> studies, double confidence);

}  // namespace draftgauge
