#pragma once
#include "analysis/texts/request_counts.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// Counts of rounds by accepted drafts, as --accepted gives them.
struct AcceptedCounts {
  RequestCounts rows;
  bool by_request = false;  ///< a row is a request, and there are several; else rows are whole histograms
};
/// Each word a histogram, rows of requests with semicolons between them, or a file of such rows; where there is any of
/// the latter each histogram counts as a request. Throws UsageError and InputError.
AcceptedCounts accepted_counts(Invocation const& args);

/// Whether so many rounds are enough to say which γ may be the best.
bool enough_rounds(std::uint64_t rounds);
/// `answer` behind what must be said before it, of so many rounds. best: none where no γ is; intervals: whether its
/// speed-up has one where units differ.
std::string led_by_size(std::string const& answer, std::uint64_t rounds, GammaRow const* best, bool intervals);
/// That rows without a round are left out; empty where there is none.
std::vector<std::string> empty_rows_note(RequestCounts const& counts);

/// The best γ with intervals over requests, and how dependent the rounds of one are. Throws UsageError.
Result gamma_of_requests(LengthCounts const& requests, PricedRound const& round, GammaAsked const& asked);

}  // namespace draftgauge
