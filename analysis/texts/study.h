#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/audit/text_check.h"
#include "analysis/recordings/recorded.h"
#include "analysis/texts/dependence.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/texts/text_lead.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// What is asked of every recording.
struct StudyOptions {
  double confidence = .95;
  Estimator main = Estimator::replay;  ///< whose speed-up and best γ count
  bool main_given = false;             ///< by name: an off-policy text does not change it
  EstimateOptions estimates = {};
};

/// A recording with all that is estimated from it, and what may be said of it.
class Study {
 public:
  Recorded recorded;
  Costs costs;
  bool costs_given;  ///< else speed-up and best γ are those of drafts that cost nothing: nobody's
  TextEstimates estimates;
  std::optional<TextEstimates> parts;  ///< of one long text (analysis/texts/one_text.h)
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

  /// At these costs of a round. Throws UsageError for options outside their domain.
  Study(Recorded of, Costs priced, StudyOptions const& options = {}, bool priced_by_asker = true);
  /// Without costs.
  explicit Study(Recorded of, StudyOptions const& options = {}) : Study(std::move(of), Costs{}, options, false) {}

  /// Why the recording does not say what this estimator would be, in words; empty where it does. Hits of argmax q at a
  /// text of another distribution say nothing about this one.
  std::string why_not(Estimator estimator) const;
  bool knows(Estimator estimator) const { return why_not(estimator).empty(); }

  /// α, tokens per round and speed-up, with the errors of parts where there is one text. None where they are not known.
  std::optional<TextEstimate> alpha() const;
  TextEstimate const* tokens_per_round(Estimator estimator, int gamma) const;
  std::optional<TextSpeedup> speedup_at(int gamma) const;
  /// The same where costs were given and the text is not rejected.
  std::optional<TextSpeedup> claimed_at(int gamma) const;

  /// The γ asked for, growing.
  std::vector<int> gammas() const;
  /// The largest γ asked for of which S is known; 0 where there is none. Texts may be too short for longer drafts.
  int longest_priced() const;
  /// Whether an answer leads with that, and with no γ or speed-up.
  bool rejected() const { return is_rejected(text_standing); }
  /// Nothing of it is to be used, as a claim is rejected or without rows nothing else is known.
  bool unusable() const { return text_standing == TextStanding::rejected; }
  /// The best γ, where costs were given and the text is not rejected; else null.
  TextBestGamma const* best_at_costs() const { return costs_given && best && !rejected() ? &*best : nullptr; }
  /// What must be said before it.
  TextLead lead(double confidence) const;
  /// One text, and no round of those asked for fits into it: nothing is estimated of rounds, not even by Eq. (1).
  bool too_little() const;
  /// Nobody said who wrote the text, which is recorded.
  bool writer_unknown() const { return recorded.policy == Policy::unknown && has_tokens(); }
  /// Whether both models gave every token the same number, which two models do not.
  bool same_numbers() const;
  /// "8468 tokens in 28 texts".
  std::string size_text() const;
  /// Whether the recording says which tokens followed.
  bool has_tokens() const { return !recorded.trace.texts.front().log_p.empty(); }

 private:
  std::map<std::pair<Estimator, int>, TextEstimate> with_errors_of_parts_;
};

}  // namespace draftgauge
