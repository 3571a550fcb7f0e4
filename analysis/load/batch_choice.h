#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "analysis/engines/batch_range.h"
#include "analysis/load/batch_costs.h"

namespace draftgauge {

/// E[N] of one sequence's rounds of γ ≥ 0 drafts in a batch of that size; none where it is not known.
using TokensInBatch = std::function<std::optional<double>(std::int64_t gamma, std::int64_t batch)>;

/// A batch of B sequences with γ drafts a round: the batch's round takes as long for each of them, and each goes on
/// by its own E[N], so that a token takes round_ms/E[N] and the batch makes B·E[N] of them a round.
struct BatchPoint {
  std::int64_t batch, gamma;
  double tokens;              ///< E[N]
  double plain_ms, round_ms;  ///< a plain step, and a round
  bool guess;                 ///< a time was not measured, and does not lie between such

  double speedup() const { return tokens * plain_ms / round_ms; }
  double ms_per_token() const { return round_ms / tokens; }
  double tokens_per_second() const { return 1e3 * static_cast<double>(batch) * tokens / round_ms; }
  double plain_tokens_per_second() const { return 1e3 * static_cast<double>(batch) / plain_ms; }
};

/// γ = 0 … `most` of which E[N] is known, in one batch; γ = 0 is plain decoding.
std::vector<BatchPoint> points_in_batch(BatchCosts const& costs, TokensInBatch const& tokens, std::int64_t most,
                                        std::int64_t batch);
/// The one of greatest speed-up, the smallest γ of equal ones. Domain: not empty.
BatchPoint const& best_of(std::vector<BatchPoint> const& points);

/// The best γ at every batch size.
struct BatchChoice {
  std::vector<BatchPoint> measured;  ///< at the batch sizes that were measured
  std::vector<BatchRange> ranges;    ///< from the smallest to the largest of these without a gap
};
BatchChoice choose_by_batch(BatchCosts const& costs, TokensInBatch const& tokens, std::int64_t most);

}  // namespace draftgauge
