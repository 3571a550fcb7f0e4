#pragma once
#include "analysis/texts/study.h"
#include "analysis/why/waterfall.h"

namespace draftgauge {

/// What a recording says of rounds of γ drafts: Eq. (1) at its α, the token rule along its texts without and with their
/// ends (analysis/texts/dependence.h), and `engine`, the estimator of what an engine runs, or why there is none. Of
/// an off-policy text α alone, where β says it. The study must have been made for this γ. Throws InputError where the
/// recording does not even say α, or is rejected.
WaterfallInput recording_tokens(Study const& study, std::int64_t gamma, Known<Estimator> const& engine);

}  // namespace draftgauge
