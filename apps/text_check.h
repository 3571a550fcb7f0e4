#pragma once
#include <optional>
#include <string>

#include "analysis/audit.h"
#include "analysis/recordings/scores.h"

namespace draftgauge {

/// A text that the target wrote is taken for one that it did not in this share of recordings.
inline constexpr double text_alarm = 1e-4;
inline constexpr double ratio_alarm = 4;  ///< of ratio_z: a false alarm of 3e-5

/// Could the target have written the recorded text? By the martingales of an audit, without a log, and by the mean of
/// q/p, which is at most 1 under p: far above it target and draft may have been named the other way round.
struct TextCheck {
  Audit audit;
  /// z of Σ (min(q/p, 10) − 1) over the text's tokens, none without them. Under p its mean is ≤ 0, since E_p[q/p] ≤ 1.
  std::optional<double> ratio_z;

  explicit TextCheck(Scores const& scores);

  bool refuted() const;
  /// "lean -0.4, surprisal +1.2": the z of each check, of q/p where it alarms; empty where nothing could be checked.
  std::string scores() const;
  /// The finding as a sentence; empty where nothing could be checked.
  std::string words() const;
};

}  // namespace draftgauge
