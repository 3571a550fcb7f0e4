#pragma once
#include <string>
#include <vector>

#include "apps/measured_recording.h"
#include "apps/result.h"

namespace draftgauge {

/// What is estimated from one recording, for readers.
std::vector<Section> measured_sections(MeasuredRecording const& of, MeasureOptions const& options);
/// "prune2_T1.tsv: α = 0.7434, at γ = 4 2.972 tokens per round".
std::string measured_title(MeasuredRecording const& of);

/// Several: one line each, of what they are and of the best γ.
std::vector<Section> summary_sections(std::vector<MeasuredRecording> const& all, MeasureOptions const& options);

/// With its interval, where there are texts enough for one.
Cell estimate_cell(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits = {});

}  // namespace draftgauge
