#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// What is estimated from one recording, for readers.
std::vector<Section> measured_sections(MeasuredRecording const& of, RecordingReport const& report,
                                       StudyOptions const& options);
/// The same for programs.
MeasureReport measure_report(MeasuredRecording const& of, StudyOptions const& options);
/// "prune2_T1.tsv: α = 0.7530 [0.7405, 0.7655], 3.028 [2.932, 3.123] tokens per round at γ = 4 by replay", or that the
/// text is rejected, and why. gamma_of_engine: what the rounds that wrote the text drafted, where there are such;
/// without costs it is what is shown.
std::string measured_title(MeasuredRecording const& of, StudyOptions const& options,
                           std::optional<int> gamma_of_engine);
/// Why a number of several texts has no interval.
inline constexpr char agreement_note[] =
    "Where a number has no interval, all texts agree on it: they have no spread to estimate one from.";

/// With its interval, where there are texts enough for one.
Cell estimate_cell(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits = {});
/// The same as words: "3.028 [2.932, 3.123]".
std::string estimate_text(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits = {});

}  // namespace draftgauge
