#pragma once
#include <optional>
#include <string>

#include "analysis/figures/figure.h"
#include "analysis/why/waterfall.h"

namespace draftgauge {

/// The steps as bars, each beginning where the one before it ended. plain_ms: a plain step of the target; none: times
/// are in such steps. of: what it is of, for the caption: "prune2_T1.tsv".
Figure waterfall_figure(Waterfall const& steps, std::optional<double> plain_ms, std::string const& of);

}  // namespace draftgauge
