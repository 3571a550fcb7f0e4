#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/stats/certificate.h"
#include "analysis/stats/goodness.h"
#include "analysis/stats/interval.h"
#include "analysis/verifier/game.h"
#include "analysis/verifier/known_rules.h"

namespace draftgauge {

/// What an audit of a verifier is to show.
struct VerifierAsked {
  double tv = .01;            ///< a verifier this far from p must be found
  double false_alarm = 1e-6;  ///< with which a lossless one is called lossy
  double power = .99;         ///< with which one at `tv` is found; 1 − power is also what `tv_at_most` may fail by
  bool shown_lossy = false;   ///< by a test that looked before all rounds were played
  std::optional<double> ceiling = {};  ///< E[τ] of no lossless verifier is greater (analysis/ceiling/chain_ceiling.h)
};

/// Rounds after which a faulty rule is found with the power asked.
struct FaultPlan {
  std::string rule, summary;
  double tv;                            ///< how far its text is from p here; 0: not at all
  std::optional<std::uint64_t> rounds;  ///< none where that are more than 2^62, or tv is 0
};

/// What so many rounds would say, before any is played.
struct VerifierPlan {
  std::optional<std::uint64_t>
      rounds_to_find;  ///< any verifier at TV `tv` or more is found: none ends undecided then
  std::optional<std::uint64_t> rounds_to_certify;  ///< TV ≤ tv is proved of a lossless one, with probability about .9
  std::vector<FaultPlan> faults;
};
VerifierPlan plan_audit(std::span<double const> target, std::vector<KnownRule> const& known,
                        VerifierAsked const& asked);

/// The beginning of texts that came most unlike p says.
struct VerifierCounterexample {
  std::uint32_t start;  ///< the token before the round
  std::vector<std::uint32_t> tokens;
  std::uint64_t observed;
  double expected, z;  ///< of that many rounds; ∞ where p excludes it
};

/// The rule of ours that a verifier's rounds may well be of, the nearest in TV where several are; lossy exactly if
/// these rounds are.
struct NearestRule {
  static constexpr double fits_from = 1e-3;  ///< of p_value

  std::string rule;
  double p_value;                 ///< of the counts having that distribution
  std::vector<std::string> same;  ///< other rules that emit the same here
};

struct VerifierVerdict {
  /// Rounds share noise where G of texts is above its degrees of freedom by so many times, for each round but the
  /// first, what first rounds hide with probability `power`. Of rounds that share nothing each faulty rule of ours
  /// stays below (tests/analysis/verifier).
  static constexpr double shared_from = 4;

  std::optional<bool> lossless;  ///< true: to within `tv`; none: too little was played to say
  Goodness test;                 ///< of the texts against p's
  Certificate certificate;       ///< TV ≤ tv_at_most, at confidence `power`
  double tv_at_least;            ///< at confidence 1 − false_alarm
  std::optional<double> detectable;
  double mean_accepted;              ///< drafts kept in a round
  std::optional<Interval> accepted;  ///< E[τ] at confidence .95; none of one round
  /// E[τ] is greater than the ceiling: lossy, if the text shows it or not. By Hoeffding's bound, at every number of
  /// rounds, wrongly with a thousandth of false_alarm, which is less than G is off by as a limit.
  bool above_ceiling = false;
  std::optional<Goodness> first_rounds;  ///< the same of first rounds alone, where texts have more
  /// Lossy, though first rounds alone are as p says: rounds of one text share noise (shared_from).
  bool shares_noise = false;
  std::optional<NearestRule> nearest;                    ///< by first rounds
  std::optional<VerifierCounterexample> counterexample;  ///< of a lossy one
};

/// Throws UsageError without rounds.
VerifierVerdict judge_verifier(VerifierGame const& game, std::span<double const> target,
                               std::vector<KnownRule> const& known, VerifierAsked const& asked);

}  // namespace draftgauge
