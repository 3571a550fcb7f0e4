#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "analysis/stats/betting_test.h"

namespace draftgauge {

/// Bets that a verifier's texts are not p's, settled after any batch of them: a lossy one is known before all are played.
///
/// Half of a capital of 1 is on the distribution that the batches before the last suggest, half on those of faulty rules;
/// all of it on the first where there are none. An account on r stakes λ = 1, 1/2, … 1/128 of its part and multiplies by
/// 1 − λ + λ r(x)/p(x) for each text x, whose mean is at most 1 where texts are p's, as r is known before the batch. So
/// the capital is a nonnegative supermartingale, which ever reaches 1/ε with probability ε at most (Ville 1939), whenever
/// one looks.
class EarlyBets {
 public:
  static constexpr int stakes = BettingTest::stakes;

  /// target: [texts] p's probabilities. faults: of each rule that is bet on, [texts].
  EarlyBets(std::vector<double> target, std::vector<std::vector<double>> faults);

  /// ln of the capital after so many of each text in all, [texts], none of which may fall; ∞ where p excludes one that
  /// came, −∞ where all accounts are ruined.
  double look(std::vector<std::uint64_t> counts);

 private:
  double suggested(std::size_t text) const;

  std::vector<double> target_;
  std::vector<std::vector<double>> faults_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t rounds_ = 0;  ///< Σ seen_
  std::vector<std::array<double, stakes>>
      log_worths_;  ///< of the suggested distribution's accounts, then of each fault's
};

}  // namespace draftgauge
