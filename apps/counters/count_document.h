#pragma once
#include <optional>
#include <string>

#include "analysis/counters/estimates.h"
#include "apps/output/result.h"

namespace draftgauge {

/// {"value", "low", "high", "confidence"}: the bounds are null where the error is not known, the confidence is then
/// the one that was asked for, if any.
Json count_document(CountEstimate const& estimate, std::optional<double> confidence = {});

/// An interval, else a number.
Cell count_cell(CountEstimate const& estimate, int decimals = 4);

/// What the intervals are over, and what that takes.
std::string over_text(CounterEstimates const& found, double confidence);

}  // namespace draftgauge
