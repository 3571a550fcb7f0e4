#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "analysis/theory/cost.h"

namespace draftgauge {

/// Ways to choose how many tokens to draft, beside one fixed γ, and what each would gain at best.
enum class DraftPolicy {
  /// Two more after a round that kept all, one less after any other: sim/policies/heuristic.h, which Hugging Face
  /// transformers call the heuristic schedule.
  heuristic,
  /// The γ of greatest E[N] − λ·time for each round, E[N] = 1 + Σ_i Π β of the contexts to come, as if drafts
  /// followed the text, and λ the tokens in a unit of time that this very policy gets (renewal reward: Dinkelbach,
  /// Manage. Sci. 13, 1967). It sees contexts ahead, and is no ceiling: along a
  /// given text a draft is kept with a = min(1, q/p) of its token, of which β is the mean over tokens that might have
  /// come, so that where β says little of a it may be slower than a fixed γ. Where v = 1, o = 0 and with the bonus
  /// token it is the threshold Π β ≥ λ·c, each draft's own worth; else a round's first draft has to pay for what a
  /// round costs beside drafts, and only the sum says whether it does. Contexts all alike: the best fixed γ.
  renewal_reward,
  /// The best γ for each round, by one who knows the text's acceptance probabilities ahead, though not the coins:
  /// what adapting γ can win at most. Contexts all alike: the best fixed γ again.
  per_round_oracle,
  /// An oracle that learns at once whether a draft will be kept, and nothing ahead: it drafts to the first rejected
  /// draft, which it pays for, or to its limit, one for all rounds as γ is. So it knows more than any fixed γ.
  stop_at_rejection,
  /// An oracle that knows beforehand how many drafts would be kept, and never pays for another. As γ → ∞ at c = 0 its
  /// E[N] is 1/(1 − α) (Leviathan et al. 2023, arXiv 2211.17192, Section 3.5).
  exact,
};
inline constexpr DraftPolicy draft_policies[] = {DraftPolicy::heuristic, DraftPolicy::renewal_reward,
                                                 DraftPolicy::per_round_oracle, DraftPolicy::stop_at_rejection,
                                                 DraftPolicy::exact};
/// Its name, "heuristic", …, "stop_at_rejection", and what a table says of it.
struct PolicyWords {
  std::string_view name, summary;
};
PolicyWords words_of(DraftPolicy policy);

/// In plain steps of the target: [γ] for γ = 0 … most, of which 0 is a plain step. With `at_most_later` entry γ is
/// the least of those from γ on, which is what an oracle pays that may draft what it does not need: measured passes
/// may take less time when they are longer. Both oracles pay this, so that no policy of at most `most` drafts is
/// faster than `exact`.
std::vector<double> round_times(Costs const& costs, int most);
std::vector<double> at_most_later(std::vector<double> times);

/// Independent rounds, each of a law of its own kept drafts: survival[i − 1] = P(first i kept), non-increasing in
/// [0, 1]; drafts beyond its length are never made. Speed-up in the long run; `mean_drafts` made a round, plain
/// steps being rounds of none.
struct PolicyGain {
  double speedup, mean_drafts;
};
/// For renewal_reward and per_round_oracle, then the best fixed γ, that one's; for stop_at_rejection at its best limit.
/// Survival not empty, else UsageError.
PolicyGain long_run(DraftPolicy policy, std::span<double const> survival, Costs const& costs, bool bonus = true);

/// α, α², … down to `least`, by default for as long as that says anything beside rounding; at most `most`.
std::vector<double> geometric_survival(double alpha, int most, double least = 1e-20);
/// The most drafts that policies are followed to, where nobody asks for fewer.
inline constexpr int longest_policy_draft = 4096;

/// Expected time to emit a text under the token rule, in plain steps of the target, given the text: keep[t] =
/// P(draft at token t is kept) as in analysis/replay/replay.h; drafts beyond the text are kept and pay. Time
/// O(T·most), for the heuristic O(T·most²) (analysis/sequence/fillings.h).
struct TextPolicyOptions {
  Costs costs = {};
  int most = 32;  ///< drafts of a round
  bool bonus = true;
};
/// lambda: of `renewal_reward`. context: β at each token as that policy sees it, as many as keep. The limit of
/// `stop_at_rejection` is `most`.
double text_time(DraftPolicy policy, std::span<double const> keep, TextPolicyOptions const& options,
                 std::span<double const> context = {}, double lambda = 1);

}  // namespace draftgauge
