#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/load/batch_acceptance.h"
#include "analysis/load/request_rate.h"

namespace draftgauge {

/// One γ at a rate of requests; none: the best γ of each batch size.
struct RateRow {
  std::optional<std::int64_t> gamma;
  ServedRate served;
};

/// γ = 0 … `most` where so many tokens a second are asked, no more sequences being decoded at once than were
/// measured. Last, where `by_batch`, the γ that is best at each batch size.
std::vector<RateRow> serve_by_gamma(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t most,
                                    bool by_batch, double tokens_per_second);
/// The fixed γ of least time per token, else the one that serves most.
RateRow const& best_of(std::vector<RateRow> const& rows);

/// A batch of texts that begin together: it is done with the longest.
struct WaitRow {
  std::int64_t batch, gamma;
  double rounds, rounds_alone;  ///< E of the longest's, and of one text's
  double ms, plain_ms;          ///< until all are written
};

/// The γ with which a batch of each measured size is done first, of texts of so many tokens each; empty where that
/// takes too many steps to say (rounds_of_longest). Domain: accepted.by_position.
std::vector<WaitRow> done_first(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t tokens,
                                bool bonus);

}  // namespace draftgauge
