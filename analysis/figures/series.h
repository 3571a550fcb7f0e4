#pragma once
#include <span>
#include <vector>

#include "analysis/figures/figure.h"
#include "analysis/texts/text_limits.h"

/// What figures have in common: points to draw at, and the recording to draw of.
namespace draftgauge {

/// What was asked for, or what the figure shows otherwise.
template <class T>
std::vector<T> or_else(std::vector<T> const& asked, std::vector<T> standard) {
  return asked.empty() ? standard : asked;
}

/// steps + 1 numbers from `first` to `last`, both included. steps ≥ 1.
std::vector<double> even_steps(double first, double last, int steps);
/// The same at equal ratios. 0 < first < last.
std::vector<double> even_ratios(double first, double last, int steps);

/// The first recording that knows how many tokens a round gives when its text is replayed. Throws InputError where
/// there is no recording, or none of them knows; `figure` is the name that the message gives.
FigureRecording const& replayable(FigureInput const& input, std::string_view figure);
/// The InputError of a recording that does not. why: what it lacks.
[[noreturn]] void refuse_to_draw(FigureRecording const& of, std::string_view why, std::string_view figure);

/// The γ asked for that the recording's estimates know, else those of them up to 16: a chart's width.
std::vector<int> gammas_of(FigureInput const& input, FigureRecording const& recording);

/// The estimate with its interval over texts, cut to what is possible; with none where one text alone gives no
/// interval.
Cell cell_of(TextEstimate const& estimate, double confidence, Limits const& limits = {});

/// What a caption says of its bands, as `drawn`, or that there is none, as of one text alone.
std::string band_text(std::span<FigureRecording const* const> all, std::string drawn);

/// Its name, and that its text is rejected where it is.
std::string name_of(FigureRecording const& recording);

/// Passes in which reading the weights takes a millisecond, and each token a 64th of that: what figures of batches are
/// drawn of where nobody measured any. draft: c.
BatchCosts standard_batch_costs(double draft);

/// What rounds are taken to cost beside c, and that they have no bonus token: "; a pass over 8 tokens takes 1.6 plain
/// steps; a round has an overhead of 0.1"; empty where passes cost 1 and nothing else costs anything.
std::string other_costs(Costs const& costs, bool bonus);

/// "prune2_T1.tsv: 6256 tokens in 28 texts of temperature 1".
std::string to_string(FigureRecording const& recording);

}  // namespace draftgauge
