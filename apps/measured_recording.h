#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cost.h"
#include "analysis/dependence.h"
#include "analysis/one_text.h"
#include "analysis/text_estimates.h"
#include "analysis/text_lead.h"
#include "analysis/text_limits.h"
#include "analysis/text_speedup.h"
#include "apps/curve_options.h"
#include "apps/recording_options.h"
#include "apps/text_check_words.h"

namespace draftgauge {

/// What a reader must know where nobody said who wrote the text.
inline constexpr char same_numbers_words[] = "log p equals log q at every token: was one model scored twice?";
inline constexpr char unknown_writer[] =
    "Who wrote the text is not recorded (--recorded-temperature T says it): what is estimated along the text holds "
    "if the "
    "target wrote it at this temperature.";

/// What the options ask of every recording.
struct MeasureOptions {
  double confidence = .95;
  Estimator main = Estimator::replay;  ///< whose speed-up and best γ are printed
  bool main_given = false;             ///< by name: an off-policy text does not change it
  EstimateOptions estimates = {};
  bool per_position = false;
};

/// A recording with all that is estimated from it.
struct MeasuredRecording {
  Recorded recorded;
  Costs costs;
  TextEstimates estimates;
  std::optional<TextEstimates> parts;  ///< of one long text (analysis/one_text.h)
  Dependence dependence;
  /// The one asked for, or the next of the same rule that this recording knows. Where none is named, that of an
  /// off-policy text goes by β.
  Estimator main;
  std::optional<TextBestGamma> best;
  std::optional<TextGammaSet> gamma_set;  ///< where costs were given and there are texts to tell from
  TextCheck text_check;
  /// Of a rejected text nothing that is estimated is to be used. Full rows of a text that nobody says the target wrote
  /// are off-policy where it did not: what is known of each position holds all the same.
  TextStanding text_standing;
  /// What a reader of its costs must know.
  std::vector<std::string> cost_notes;
  bool costs_given;  ///< else speed-up and best γ are those of drafts that cost nothing: nobody's

  MeasuredRecording(Recorded of, PricedRound priced, MeasureOptions const& options);

  /// Why the recording does not say what this estimator would be, in words; empty where it does. Hits of argmax q at a
  /// text of another law say nothing about this one.
  std::string why_not(Estimator estimator) const;
  bool knows(Estimator estimator) const { return why_not(estimator).empty(); }
  /// With the errors of parts where there is one text.
  std::optional<TextEstimate> alpha() const;
  TextEstimate const* tokens_per_round(Estimator estimator, int gamma) const;
  std::optional<TextSpeedup> speedup_at(int gamma) const;
  /// The largest γ asked for of which S is known; 0 where there is none. Texts may be too short for longer drafts.
  int longest_priced() const;
  /// Whether an answer leads with that, and with no γ or speed-up.
  bool rejected() const { return is_rejected(text_standing); }
  /// Nothing of it is to be used, as a claim is refuted or without rows nothing else is known: exit status 1.
  bool unusable() const { return text_standing == TextStanding::rejected; }
  /// The best γ, where costs were given and the text is not rejected; else null.
  TextBestGamma const* best_at_costs() const { return costs_given && best && !rejected() ? &*best : nullptr; }
  /// One text, and no round of those asked for fits into it: nothing is estimated of rounds, not even by Eq. (1).
  bool too_little() const;
  /// How an answer about a rejected text starts, in its place.
  std::string rejection() const { return estimates.name() + ": " + rejection_words(text_check, text_standing); }
  /// Nobody said who wrote the text, which is recorded.
  bool writer_unknown() const { return recorded.policy == Policy::unknown && has_tokens(); }
  TextLead lead(double confidence) const;
  /// "off-policy, the text was written at T = 1"; empty where it is a sample of these laws, or rejected.
  std::string off_policy_words() const;
  /// What an answer says before its best γ, in sentences; empty where nothing need be said.
  std::string caveat(double confidence) const { return caveat(lead(confidence)); }
  std::string caveat(TextLead lead) const;
  /// Whether both models gave every token the same number, which two models do not.
  bool same_numbers() const;
  /// "8468 tokens in 28 texts".
  std::string size_words() const;
  /// Whether the recording says which tokens followed.
  bool has_tokens() const { return !recorded.scores.texts.front().log_p.empty(); }
  /// What dependence means for Eq. (1), in words, at the largest γ whose gap is known; empty where none is.
  std::string dependence_words(double confidence) const;

 private:
  std::map<std::pair<Estimator, int>, TextEstimate> with_errors_of_parts_;
};

/// What a round's time is spent on, as shares.
struct TimeSplit {
  double draft, target, overhead;
};
TimeSplit time_split(Costs const& costs, int gamma);

/// Means over all tokens of what a recording says of each, where it does.
struct MeanOfTokens {
  std::string_view key, words;
  Limits limits;
  std::vector<std::vector<double>> (*numbers)(Scores const&);
};
std::span<MeanOfTokens const> means_of_tokens();
std::optional<TextEstimate> mean_of(MeasuredRecording const& of, MeanOfTokens const& what);

}  // namespace draftgauge
