#pragma once
#include <cstdint>
#include <vector>

#include "analysis/load/batch_choice.h"
#include "analysis/load/load_table.h"

namespace draftgauge {

/// What is accepted in a round, by γ and batch size.
struct BatchAcceptance {
  TokensInBatch tokens;
  /// [i − 1] P(the first i drafts are accepted) in rounds of γ ≥ 1 drafts; where only
  /// E[N] is known, α^i by Eq. (1).
  std::function<std::vector<double>(std::int64_t gamma, std::int64_t batch)> survival_in;
  std::int64_t most;         ///< the longest γ of which anything is known
  bool by_position = false;  ///< whether `survival` is known, which is empty of one draft without the bonus token
  std::vector<double> survival = {};  ///< [i − 1] P(the first i drafts are kept)
};

/// By E[N] of γ = 0, 1, … of one sequence. Estimates may gain more by a draft than by the one before: survival is
/// what never grows.
BatchAcceptance acceptance_by_tokens(std::vector<double> tokens, bool bonus);

/// As a file of whole rounds says it, which must outlive it: by position, or E[N] of the γ that ran. UsageError where
/// that is E[N] and something else than such rounds is asked about.
BatchAcceptance acceptance_in(LoadTable const& table, bool bonus);

}  // namespace draftgauge
