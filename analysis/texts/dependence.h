#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/texts/text_estimates.h"

namespace draftgauge {

/// The correlation of a number of each token with that of the token `lag` later in the same text, over all such
/// pairs.
struct Autocorrelation {
  int lag;
  TextEstimate value;
};
/// Lags 1 … lags; those that no text is long enough for, or where the numbers do not vary, are left out.
std::vector<Autocorrelation> autocorrelation(std::span<std::vector<double> const> per_token, int lags,
                                             std::shared_ptr<TextSample const> const& sample);

/// How far a text's acceptances are from the independent ones of Eq. (1) (Leviathan et al. 2023, arXiv 2211.17192).
struct Dependence {
  std::vector<Autocorrelation> beta, a;  ///< empty where unknown or constant

  /// At draft i of a round that starts anywhere in the text.
  struct Position {
    int i;
    TextEstimate survival;     ///< s_i: the first i are accepted
    TextEstimate geometric;    ///< α^i
    TextEstimate excess;       ///< s_i − α^i
    TextEstimate conditional;  ///< s_i / s_{i−1}: accepted, given that those before it were
  };
  std::vector<Position> positions;

  /// At each γ, what Eq. (1) has over the text, and where it has it from:
  /// Eq. (1) − replay = runs + starts + ends.
  struct Gap {
    int gamma;
    TextEstimate iid, replay;
    TextEstimate difference;  ///< Eq. (1) − replay
    TextEstimate relative;    ///< that over replay
    TextEstimate runs;    ///< Eq. (1) − survival: of rounds that start anywhere; < 0 where acceptances come in runs
    TextEstimate starts;  ///< rounds start where another ended, often behind a rejection
    /// Eq. (1) less the replay of independent acceptances along texts as long: a text's end cuts its last round short,
    /// which is no dependence, and matters where texts are short.
    TextEstimate ends;
  };
  std::vector<Gap> gaps;
};
/// lags ≥ 1, else UsageError. Positions and gaps are empty where a is unknown; positions go to the largest γ.
Dependence dependence(TextEstimates const& estimates, int lags = 8);

/// Plain words at one γ of the gaps, else empty: "Eq. (1) promises 3.34 tokens per round at γ = 8 where the text
/// gives 2.78: 20 % too many (difference 0.56 ± 0.05). …" with what it is made of, or that the two cannot be told
/// apart and how large a difference could hide.
std::string dependence_sentence(Dependence const& dependence, int gamma, double confidence);

}  // namespace draftgauge
