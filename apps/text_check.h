#pragma once
#include <optional>
#include <string>

#include "analysis/audit.h"
#include "analysis/recordings/scores.h"

namespace draftgauge {

/// A text that the target wrote is taken for one that it did not in this share of recordings at most, by all checks
/// together.
inline constexpr double text_alarm = 1e-4;

/// Could the target have written the recorded text? By the martingales of an audit, without a log, and by the odds
/// for q or a mixture of p and q having written it: target and draft may have been named the other way round.
struct TextCheck {
  Audit audit;
  /// ln of those odds (`MixtureOdds`), of texts without a token that p excludes; none without tokens.
  std::optional<double> log_odds;

  explicit TextCheck(Scores const& scores);

  bool odds_refute() const;
  bool refuted() const;
  /// "lean -0.4, surprisal +1.2": the z of each check, where it says something or alarms; empty where none does.
  std::string scores() const;
  /// The finding as a sentence; empty where nothing could be checked, or too little of the text could have gone
  /// otherwise for a z to say anything and nothing alarms.
  std::string words() const;
  /// What may have gone wrong, as a sentence; empty where the text is not refuted.
  std::string cause() const;

 private:
  std::string evidence() const;

  std::string impossible_at_;  ///< where the first token stands that p excludes
  bool exchanged_fits_;        ///< refuted, and not with the two models exchanged
};

}  // namespace draftgauge
