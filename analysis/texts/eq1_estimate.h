#pragma once
#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192) at an estimated α, with the error that α brings.
TextEstimate through_eq1(TextEstimate const& alpha, int gamma, bool bonus);

}  // namespace draftgauge
