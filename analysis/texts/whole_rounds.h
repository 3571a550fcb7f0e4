#pragma once
#include <optional>

#include "analysis/texts/text_estimates.h"

namespace draftgauge {

/// Rounds of an engine that writes other texts than the recorded ones, so that no recorded text's end cuts them short.
struct WholeRounds {
  TextEstimate tokens;  ///< per round
  TextEstimate past;    ///< tokens that the round which reaches a text's last token emits beyond it, were it not cut

  /// Tokens per round of texts of so many tokens on average, whose last rounds are cut there: a text of L tokens takes
  /// (L + past)/tokens rounds.
  TextEstimate cut_at(double length) const { return tokens * length / (past + length); }

  /// What they say of an engine that measured so many tokens per round. Nobody says whether the last round of each of
  /// its texts is whole or cut: of all that lies between the two, what is nearest to the measured. whole: as if so many
  /// of the texts, as a share, ended with a whole round.
  struct Nearest {
    TextEstimate tokens;
    double whole;
  };
  Nearest nearest(double measured, double length) const;
};

/// Along the texts, of rounds that start early enough for the longest to be whole there; of estimators that go by
/// survival alone by it. None where the texts do not say: tokens_per_round(estimator, gamma) is null then, too.
std::optional<WholeRounds> whole_rounds(TextEstimates const& of, Estimator estimator, int gamma);

}  // namespace draftgauge
