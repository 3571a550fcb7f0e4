#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/scheduling/scheduled_texts.h"

/// Estimates made right on the average.
namespace draftgauge {

/// How far estimates are from what they are of: over 10 groups of equal width, the mean of |mean estimate − mean truth|
/// by their sizes (Guo et al. 2017, arXiv 1706.04599: ECE). Domain: as long, in [0, 1].
double calibration_error(std::vector<double> const& estimates, std::vector<double> const& truths);

/// Each text's estimates replaced by the acceptance that goes with them in other texts: the best non-decreasing map
/// (isotonic regression) from a tenth's worth of texts left out at a time. Of one text: from itself.
std::vector<ScheduledText> calibrated(std::vector<ScheduledText> texts);

/// SGLang's sequential temperature scaling: the confidence c of a draft at place k of a round becomes σ(logit(c)/T_k).
struct Temperatures {
  std::vector<double> by_place;  ///< T_1, T_2, …
  std::string dataset = {};
  std::int64_t samples = 0;  ///< rounds that they were fitted to
  /// Calibration errors of the chance that so many drafts are accepted.
  std::vector<double> error_before = {}, error_after = {};
};

/// Fitted from the first place to the last: T_k makes the product of the first k confidences most likely for what is
/// accepted, in rounds that begin at every token. Domain: texts with a token.
Temperatures fit_temperatures(std::vector<ScheduledText> const& texts, int places, std::string dataset);
/// {"temperatures": […], "dataset", "num_samples", "ece_before": […], "ece_after": […]}.
std::string temperatures_text(Temperatures const& temperatures);
/// Throws InputError that begins with `file` for what is not such a file, and temperatures that are not above 0.
Temperatures read_temperatures(std::string const& file, std::string_view text);

/// Texts whose estimates are confidences, each changed by the temperature of its place.
std::vector<ScheduledText> with_temperatures(std::vector<ScheduledText> texts, Temperatures const& temperatures);

}  // namespace draftgauge
