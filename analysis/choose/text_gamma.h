#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/texts/text_estimates.h"
#include "analysis/theory/draft_policies.h"

namespace draftgauge {

/// Two draft lengths over the same data: whether the data tell them apart, and how much data would.
struct GammaRunnerUp {
  int gamma;      ///< the other one
  Interval lead;  ///< S of the best less S of this one, over the same texts or rounds
  bool apart;     ///< the interval leaves 0 out
  std::optional<double>
      need;  ///< data that would tell them apart; none where they do already, or where no data would
};

/// Which of the other draft lengths is the fastest, the shortest of those that are as fast; none where there is no
/// other.
std::optional<std::size_t> runner_up(std::span<double const> speedups, std::size_t best);

/// need: the amount M of new data, in units of `have`, that tell the two apart with the power that this project states
/// (analysis/stats/false_alarm.h), on average over what the true lead may be: normal around the one seen, with its
/// standard error (assurance: O'Hagan, Stevens and Campbell, Pharm. Stat. 4, 2005). A true lead as large as the one seen
/// would need less, but of near ties the one seen is rather too large: data planned for it tell 3 of 4 apart. The
/// interval's radius and the error shrink with the root of the data. Asymptotic. error: the lead's standard error.
GammaRunnerUp runner_up_of(int gamma, Interval const& lead, double error, double have);

/// What a policy that looks ahead gains along the texts of a recording under the token rule, on the same texts as the best fixed γ.
struct TextPolicyGain {
  DraftPolicy policy;
  TextEstimate speedup;
  TextEstimate over_best;  ///< S of the policy less S of `best`
};

/// keep: [text][token] P(a draft there is kept | text), context: β the same way, each as many as the estimates have
/// tokens; no context where β is not known, then without renewal_reward, whose λ starts at `best` and follows what
/// the policy gets. `best` is what the policies are compared with.
std::vector<TextPolicyGain> text_policies(TextEstimates const& estimates, std::span<std::vector<double> const> keep,
                                          std::span<std::vector<double> const> context,
                                          TextPolicyOptions const& options, TextEstimate const& best);

}  // namespace draftgauge
