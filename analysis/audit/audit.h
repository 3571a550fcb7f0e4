#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/engine_log.h"
#include "analysis/stats/false_alarm.h"
#include "analysis/stats/interval.h"
#include "analysis/stats/token_trace.h"

namespace draftgauge {

/// What ends the texts of an engine; how far rounds are looked at under each is in analysis/audit/audit_rounds.h.
struct StopRule {
  enum class Kind { unknown, whole, eos, truncated, maxnew } kind = Kind::unknown;
  std::int64_t maxnew = 0;  ///< of that kind: a run ends with the round that reaches so many tokens
  friend bool operator==(StopRule const&, StopRule const&) = default;
};
/// What people and programs call it.
struct StopCard {
  StopRule::Kind kind;
  std::string_view name, meaning;
};
inline constexpr StopCard stop_cards[] = {
    {StopRule::Kind::maxnew, "maxnew=N", "the round that reaches N tokens, or an end token"},
    {StopRule::Kind::eos, "eos", "an end token"},
    {StopRule::Kind::truncated, "truncated", "cut at a length, or an end token"},
    {StopRule::Kind::whole, "round", "any reason, always a whole round"},
    {StopRule::Kind::unknown, "unknown", "which finds a little less"}};
std::string to_string(StopRule const& stop);  ///< "unknown", "round", "eos", "truncated", "maxnew=40"

/// Does an engine run the rule that it claims? Judged by its own text, scored by both models afterwards.
///
/// If what it emits has the law p, x_t given what stands before it is drawn from p_t, so that Σ d_t is a martingale
/// for
///
///   draft_bias  d = min(1, q(x_t)/p(x_t)) − β_t    drifts up where a rule favours the draft's tokens
///   likelihood  d = −ln p(x_t) − H(p_t)           drifts where temperature or truncation are not what they should be
///   top         d = 1[x_t = argmax p_t] − max p_t  the same; greedy slips
///
/// z = Σd / √Σd² goes to N(0, 1) whatever the dependence along the text (Hall and Heyde, Martingale Limit Theory,
/// 1980, Theorem 3.2), but only where Σd² comes from many steps that could have gone otherwise: of n tokens that p
/// gives .99 and that came, z = √n in all three. So z is shown and not judged by. The verdict is by bets on d
/// (analysis/stats/betting_test.h), whose false alarm is a bound at every length. What they need to know of d:
/// draft_bias and top are x − E[x] of an x in [0, 1]. −ln p(x) is bounded by 0 from below alone; bets that it is
/// small take min(−ln p(x), c) for it (analysis/audit/likelihood.h).
///
/// Rounds are judged given the text: under a lossless rule their number has the mean and the variance of
/// analysis/replay/replay.h, independent between texts, so that the text's own luck cancels; or they are judged draft
/// by draft (analysis/audit/audit_rounds.h). The p-value is the normal law's where the variance is at least 25 and so
/// near only. Below it is a bound where that is more: Chebyshev's 1/z² of a number of rounds, Freedman's of a sum
/// over drafts. (The guard is that by which analysis/stats/tally_ratio.h takes the normal limit, 25 R². A draft's
/// term of the sum is 1 at most, so that R = 1. The number of rounds in a window is, of the token rule and given the
/// text, a function of independent acceptances, one a token, and changes by 0 or 1 with each, since where the next
/// round starts is monotone in where this one does: R = 1 again. Of other rules the same guard is taken without
/// such a proof.)
struct AuditOptions {
  std::string rule = "token";  ///< a name of rule_replays (analysis/replay/rule_replay.h)
  bool bonus = true;
  StopRule stop = {};
  std::optional<std::int64_t> until = {};  ///< only rounds that start before this token of their text
  /// Of the verdict "not RULE". Of a log with rounds half is their check's and half that of all odds together; without
  /// rounds draft_bias, likelihood and top share it (Bonferroni).
  double false_alarm = .01;
  std::size_t other_checks = 0;  ///< of a text without rounds: that the caller makes beside these, with a share each
  double power = stated_power;   ///< of the resolutions, and with which a visible fault is found
  double resolution = .05;       ///< of rounds, relative: what must have been visible to say "consistent"
  std::optional<double> temperature = {};  ///< of p, where neither trace nor log say
};

/// A sum that has mean 0 under the rule.
struct MartingaleCheck {
  std::string name;
  std::uint64_t tokens;
  double mean, error;  ///< Σd/n and √Σd²/n
  double z;            ///< Σd/√Σd², for readers
  bool normal;         ///< Σd² ≥ 25 R², R = 1, of likelihood c: else z says nothing of chance
  double p_value;      ///< two-sided, by betting: below ε with probability ≤ ε under the rule
  double resolution;   ///< the drift per token that the check finds with about the power asked for
  bool rejected;       ///< at its share of the false alarm
};

/// The share of tested drafts that were kept, less that which the rule keeps given the text: an interval at 95 %.
struct AcceptanceGap {
  double drafts, kept;
  double low, high;
};

/// The odds for a named fault (analysis/audit/fault_odds.h).
struct FaultOdds {
  std::string_view fault;        ///< at the strength for which it must be visible
  std::string_view most_likely;  ///< the same at the strength that most of these odds are for
  double log_odds;               ///< ln of the odds: above ln(1/ε) with probability ≤ ε under the rule
  double expected, spread;  ///< of log_odds, if the engine had the fault: a lower estimate, and with its own noise
  bool visible;             ///< it would have convicted with the power asked for
};

/// One verdict of all evidence: the mean of the odds for each fault, for mixtures of p and q having written the text,
/// and of the capitals of draft_bias, likelihood and top. A mean of e-values is one, whatever the dependence between
/// them.
struct Evidence {
  double log_odds;
  double needed;      ///< ln(1/false alarm): where it convicts
  double power;       ///< with which a visible fault convicts
  std::size_t parts;  ///< odds in the mean
  std::vector<FaultOdds> faults;
  /// The fault, at its most likely strength, that most of the odds are for; empty where they are for no named fault
  /// but for a mixture of p and q or a bet.
  std::string_view most_for;
  bool rejected;
};

/// What is known of rounds draft by draft, whatever ended the texts and whoever says so: of the last tests, whose
/// outcome may be a cut, none to all count.
struct OpenReading {
  double expected_low, expected_high;  ///< rounds, where none to all count
  double z, p_value;                   ///< as near to 0, and as large, as one of these readings has it
  double least_p_value;                ///< as small as one has it
};

/// Rounds given the text (analysis/audit/audit_rounds.h). Where every draft's fate follows from the text (argmax
/// drafts, temperature 0) their number is certain given the text: sd is 0, z 0 or infinite, and one round too many or
/// too few refutes. At temperature 0 the right number is evidence for the rule, since no other keeps the same drafts.
/// Above it argmax drafts give that number however they are tested: what is wrong shows in the text alone.
struct RoundsCheck {
  std::uint64_t texts, tokens;  ///< tokens that rounds were looked at for
  std::uint64_t tested;         ///< drafts whose tests were looked at, without those that are open
  std::int64_t fewest, most;    ///< drafts of a round
  double observed, expected, sd;
  bool tests;  ///< judged draft by draft, as no window is safe; else by the number of rounds in a window
  OpenReading whatever_ended;
  double open;                              ///< as many rounds more may be too many, if texts end with whole rounds
  double z, p_value;                        ///< two-sided
  bool normal;                              ///< sd² ≥ 25: p_value is the normal limit's; else a bound
  double resolution;                        ///< the relative difference that the check finds with the power asked for
  bool greedy;                              ///< certain, at temperature 0
  std::optional<AcceptanceGap> acceptance;  ///< none of too few drafts
  /// Far off by what is said to have ended the texts, and draft by draft whatever ended them: so that no conviction
  /// rests on what somebody said.
  bool rejected;
  bool stop_doubtful;  ///< far off by what is said to have ended the texts alone
};

/// A fault that the columns do not show, so that none of the odds is for it and the verdict says nothing of it.
struct Unseen {
  std::string_view what, in_words;  ///< "temperature", "a temperature such as .95"
  std::string_view shown_by;        ///< "the entropy of p would show it"
};

struct Audit {
  std::string rule;
  StopRule stop;
  std::optional<RoundsCheck> rounds;                           ///< none where the log has none
  std::optional<MartingaleCheck> draft_bias, likelihood, top;  ///< none where the columns are missing
  std::optional<Evidence> evidence;                            ///< of a log with rounds
  std::uint64_t impossible;  ///< emitted tokens that p excludes; their texts are left out of the checks
  /// Of each check: the options' over the number of checks made. Of a log with rounds half of the options' is the
  /// rounds' and half the evidence's.
  double false_alarm;
  /// fails: a check alarms, or a token is impossible. holds: none does, a draft was tested, the rounds would have
  /// shown a relative difference of `resolution`, and every fault that has a name would have been found; at
  /// temperature 0 the last two are not asked of rounds that are certain. Else inconclusive: too little text.
  Verdict verdict;
  bool exchanged = false;  ///< set by who finds that p and q are the wrong way round: then nothing is judged
  /// The tokens that rounds never exceed though their drafts allow more (emitted_at_most); then no rule is convicted.
  std::optional<std::int64_t> ceiling = {};
  /// What the rounds alone make doubtful, where nothing else convicts: an input, "stop" or "until"; empty for neither.
  std::string_view doubted() const;
  /// "consistent with the token rule (temperature not looked for)", "not the token rule", "too little text to say",
  /// "not judged: is `stop` right?"
  std::string words() const;
  std::vector<Unseen> not_looked_for() const;
};

/// The recording with the models exchanged, without what is not known of them then: all columns, or log p and log q
/// alone.
enum class Exchange { all, logs };
TokenTrace exchanged(TokenTrace trace, Exchange which);

/// How many of the texts the log's rounds wrote by name and length: they sum to its length, or to one more where the
/// last ends the text, as its end token may not be scored. All of them: an audit is meant.
std::size_t texts_that_fit(TokenTrace const& trace, EngineLog const& log);
bool rounds_fit(TokenTrace const& trace, EngineLog const& log);

/// trace: of the engine's text, texts named as in the log; of rules that go by matches of argmax q, these take the
/// place of log p and log q. log: its rounds. Without them only the martingales are judged, which say "not" but never
/// "consistent".
///
/// InputError: a round of no text or a text of no round, rounds that do not follow each other or emit more than the
/// text has or other tokens than it has (where both list them), a log of another temperature, of rounds that draft
/// nothing, a log that contradicts what ends its texts, columns that the rule needs. UsageError: options outside
/// their domain.
Audit audit(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options);

}  // namespace draftgauge
