#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/measure/measured_recording.h"
#include "apps/output/result.h"

namespace draftgauge {

/// What is estimated from one recording, for readers.
std::vector<Section> measured_sections(MeasuredRecording const& of, StudyOptions const& options);
/// "prune2_T1.tsv: α = 0.7530 [0.7405, 0.7655], 3.028 [2.932, 3.123] tokens per round at γ = 4 by replay", or that the
/// text is rejected, and why. gamma_of_engine: what the rounds that wrote the text drafted, where there are such; without costs
/// it is what is shown.
std::string measured_title(MeasuredRecording const& of, StudyOptions const& options,
                           std::optional<int> gamma_of_engine);
/// The γ at which recordings are laid side by side: the first one's best, or where no costs were given the longest.
int compared_gamma(std::span<MeasuredRecording const> all, StudyOptions const& options);

/// Of several, how many are rejected, or which gains most or, where no costs were given, has the most tokens per round.
std::string compared_title(std::span<MeasuredRecording const> all, StudyOptions const& options);

/// Several: one line each, of what they are and of the best γ.
std::vector<Section> summary_sections(std::vector<MeasuredRecording> const& all, StudyOptions const& options);

/// With its interval, where there are texts enough for one.
Cell estimate_cell(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits = {});
/// The same as words: "3.028 [2.932, 3.123]".
std::string estimate_words(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits = {});

}  // namespace draftgauge
