#pragma once
#include <string>

#include "analysis/counters/counted_curve.h"
#include "analysis/figures/figure.h"

namespace draftgauge {

/// S against γ by what an engine counted, with its intervals. of: what they are of, for the caption: "vllm.txt: vLLM
/// metrics".
Figure counted_speedup_figure(CountedCurve const& curve, Costs const& costs, CountedAsked const& asked,
                              std::string const& of);

}  // namespace draftgauge
