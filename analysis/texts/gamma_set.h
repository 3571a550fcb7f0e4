#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// Which of several draft lengths may be the best, and what the one that looks best is expected to lose.
struct GammaSet {
  std::vector<std::size_t> members;  ///< indices, growing; the greatest estimate is always one of them
  /// E[S of the best − S of the chosen], as a share of S of the chosen; none where nothing says how far the difference
  /// to a member may be off.
  std::optional<double> regret;
  double confidence;  ///< with which the set holds the truly best one
};

/// Estimates of several speed-ups with what their errors may be: errors(b, into) writes draw b of all errors together.
struct JointErrors {
  std::span<double const> values;
  std::size_t draws;
  std::function<void(std::size_t, std::span<double>)> errors;
  /// [kind] of the errors' scale, of a difference the fewer of both: draws are of its limit, the normal law, which is
  /// what empty stands for.
  std::vector<double> degrees = {};
};

/// The set of all g that no other is significantly better than, each compared with all others at once. With
/// T(g) = max_j (Ŝ_j − Ŝ_g)/se(Ŝ_j − Ŝ_g), g stays where P(max_j E_jg ≥ T(g)) > 1 − confidence, E_jg the standardised
/// errors of these differences, a multivariate t whose correlations are those of the draws. Of the truly best g every
/// S_j − S_g is at most 0, so that T(g) exceeds what max_j E_jg does with probability 1 − confidence at most: the set
/// holds it with `confidence`, however close the others are (Hsu, Ann. Statist. 9, 1981: multiple comparisons with the
/// best; Gupta, Technometrics 7, 1965). Where several are best it holds each. How often a γ wins among resamples
/// promises nothing of that kind: of two γ that are as good, one wins at random. A difference of which nothing says how
/// far it may be off excludes nothing. Where differences have unlike degrees of freedom T(g) is the least of their
/// p-values, and the chances of those of unlike degrees add up (Bonferroni).
///
/// regret: the mean over the draws, spread as Student's t is, of max_j (Ŝ_j + e_j) − (Ŝ_ĝ + e_ĝ), ĝ the smallest of
/// greatest estimate, as if the truth lay around the estimates as these lie around the truth.
GammaSet gamma_set(JointErrors const& joint, double confidence);

/// Draws that are made where the errors are of texts.
inline constexpr std::size_t draws_of_set = 2000;

/// Of speed-ups over the same texts: errors are TextErrors, scaled as t(TextEstimate::degrees). None below two texts.
std::optional<GammaSet> gamma_set(std::span<TextEstimate const> speedups, double confidence, std::uint64_t seed);

}  // namespace draftgauge
