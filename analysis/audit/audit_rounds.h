#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/audit/audit.h"
#include "analysis/replay/rule_replay.h"

namespace draftgauge {

/// How many rounds of a log start before token s of a text, beside how many the rule makes expected given the text.
///
/// Given the text, the next round's start depends on the last one's alone, and whether a round that starts before s
/// is followed by another that does, on the text before token s − 1 (from 0) alone. So the number of rounds that start
/// before s has the law of analysis/replay/replay.h whenever s and the text up to there are not chosen by the rounds:
///
///   eos        the end token ends the text, and the rest of its round is dropped: s is the text's length
///   truncated  the text is cut at a number of tokens, and its last round with it: s is its length, too
///   maxnew     a run ends with the round that reaches N tokens, or at an end token: s is N, or the length if that is
///              less. The tokens from N on depend on the last round's acceptances and are not looked at: rounds that
///              start γ + 1 tokens before a length are too few, as a text is long where its last round was
///
/// Where runs end with whole rounds for whatever reason that looks at emitted tokens (a stop string, a time-out), or
/// nobody says how they end, no s is safe: even the shortest text's length depends on a round. But whether draft i of
/// a round that starts at t is kept, after those before it, is a coin with the chance k(t, i) of
/// analysis/replay/replay.h, whatever came before; so Σ(kept − k) over all drafts that were tested is a martingale,
/// and ends with mean 0 and the variance of Σk(1 − k) at any stopping time (Doob). Rounds that emitted T tokens are T
/// less the drafts kept, so that `expected` is `observed` + Σ(kept − k).
///
///   whole      all rounds are whole: all tests count
///   unknown    of a text's last round it is not known whether its last token stood for a rejected draft or the rest
///              was dropped there, and so whether that draft's test counts. The sum lies between none and all of them
///              counting, whichever texts end in which way; the value nearest to 0 is judged.
///
/// The number of rounds in a window has its law where all rounds draft alike. An engine may draft fewer, near a limit
/// of tokens or where a draft is unsure: γ of a round is what it drafted, by the log. Whether it has a draft i is
/// settled by the text and the coins before that draft's test, so that Σ(kept − k) stays a martingale, and such logs
/// are judged so: where s is known by the drafts at tokens before s − 1, whose tests are all seen.
///
/// An engine does not convict itself by what a user says of its texts' ends: rounds that are far off are counted
/// against it only if Σ(kept − k), with the last tests read as of an unknown end, is so too. This is also what bounds
/// the false alarm where an engine that may draft fewer happened not to.
///
/// `until` ends every text at that token, if it was not ended before. Where it is unknown how texts end, that all which
/// no end token ended reach `until` says that it is safe, and it counts as a truncation.
std::optional<RoundsCheck> check_rounds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options);

/// The rounds of a log, by the texts of the trace that they wrote.
struct MatchedRounds {
  std::int64_t fewest, most;  ///< drafts of a round
  bool bonus;
  std::vector<std::vector<EngineRound const*>> rounds;
};
/// Throws as `audit` says.
MatchedRounds matched_rounds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options);

/// What a rule makes of a text, by the columns that it needs; InputError where they are missing.
class RuleAlongText {
 public:
  RuleAlongText(TokenTrace const& trace, TextTrace const& text, RuleReplay const& rule);
  RoundMoments<double> rounds(RoundShape const& shape, std::size_t until) const;
  /// k(start, 1) … k(start, drafts), of drafts within the text.
  std::vector<double> kept(std::size_t start, std::size_t drafts) const;

 private:
  RuleReplay const& rule_;
  std::vector<double> x_;  ///< [tokens], as the replay takes them
};

/// By how many rounds there must be too many or too few for the check to find it with this power. tests: draft by
/// draft.
double detectable_rounds(double variance, bool tests, double false_alarm, double power);

/// Whether a sum's spread is that of enough events, each of size 1 at most, for its z to be near a normal variable.
bool near_normal(double variance);
double z_score(double difference, double sd);  ///< ± infinite for a difference from what was certain

/// What rounds may emit in all of a text: the end token may not be scored.
std::size_t most_emitted(TextTrace const& text, EngineRound const& last);

}  // namespace draftgauge
