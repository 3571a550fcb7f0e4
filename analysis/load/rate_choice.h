#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/load/batch_acceptance.h"
#include "analysis/load/request_rate.h"
#include "analysis/load/text_rounds.h"

namespace draftgauge {

/// One γ at a rate of requests; none: the best γ of each batch size.
struct RateRow {
  std::optional<std::int64_t> gamma;
  ServedRate served;
};

/// Requests, and the tokens of each in the mean.
struct Requests {
  double per_second;
  std::int64_t tokens;
  TextLengths lengths = TextLengths::equal;
};

/// γ = 0 … `most` at a rate of requests, no more sequences being decoded at once than were measured. Last, where
/// `by_batch`, the γ that is best at each batch size.
std::vector<RateRow> serve_by_gamma(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t most,
                                    bool by_batch, Requests const& requests, bool bonus = true);
/// The fixed γ of least time per token where requests come by chance; where that keeps pace with none, of least time
/// where they come evenly; else the one that serves most.
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
