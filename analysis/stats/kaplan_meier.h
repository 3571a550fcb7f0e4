#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace draftgauge {

/// Survival of drafts from counts of rounds by how many drafts they kept. A round of γ drafts that keeps all γ says
/// that the first rejection would come later, not where: its length is censored at γ. Kaplan and Meier (J. Am. Stat.
/// Assoc. 53, 1958): of the rounds that drafted an i-th token and kept those before it, the share that kept it
/// estimates P(A_i | A_1 ∧ … ∧ A_{i−1}), and the product of the shares the survival, whichever γ the rounds had:
/// provided that γ was chosen without regard to what would be accepted. Where an engine drafts on only while its
/// draft model is confident, the rounds that draft an i-th token are those that would keep it.
struct KaplanMeier {
  std::vector<std::uint64_t> reached;   ///< [i − 1] rounds that drafted an i-th token and kept those before it
  std::vector<std::uint64_t> rejected;  ///< [i − 1] those of them that rejected it
  std::vector<double> survival;         ///< [i − 1] P(A_1 ∧ … ∧ A_i)
  std::uint64_t rounds = 0;             ///< with a draft at least
};

/// What a count can be at most, so that sums of counts fit.
inline constexpr std::int64_t most_rounds = 1'000'000'000'000;

/// Throws UsageError where this is no histogram of rounds by kept drafts: fewer than two entries, or a count below 0 or
/// above most_rounds.
void require_histogram(std::span<std::int64_t const> kept);

/// histograms[h][i]: rounds that kept i of γ = size − 1 drafts. Positions that no round reached are left out, but those
/// behind a draft that was never kept, where survival is 0. Throws UsageError for no histogram, one that require_histogram refuses, and where nothing was counted.
KaplanMeier kaplan_meier(std::span<std::vector<std::int64_t> const> histograms);

/// Survival curves that might as well be the true one: the likelihood of the counts is a product of one binomial a
/// position, so that with Jeffreys' prior the shares are independent Beta(kept + ½, rejected + ½), whose intervals
/// cover about as often as they say (Brown, Cai, DasGupta, Statist. Sci. 16, 2001). Rounds are taken to be
/// independent of each other. [draws][i − 1], a function of its arguments.
std::vector<std::vector<double>> survival_draws(KaplanMeier const& counted, std::size_t draws, std::uint64_t seed);

/// Throws UsageError where so many draws of drafts of up to so many tokens are more than `most_drawn` numbers.
void require_draws(std::size_t draws, std::size_t longest, std::size_t for_set = 0);

/// P(A_i | A_1 ∧ … ∧ A_{i−1}) for i = 1, 2, … to P(A_1 ∧ … ∧ A_i). Rates in [0, 1].
std::vector<double> survival_of_rates(std::span<double const> rates);

}  // namespace draftgauge
