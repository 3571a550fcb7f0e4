#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace draftgauge {

/// The total variation distance of two lists of probabilities.
double distance(std::span<double const> a, std::span<double const> b);

/// A test of counts against a law.
struct Goodness {
  double statistic;    ///< G = 2 Σ O ln(O/E) over the cells tested
  std::size_t cells;   ///< cells tested, after pooling
  std::size_t pooled;  ///< cells of the law that went into the pool
  double p_value;      ///< P(χ² of cells − 1 degrees ≥ G/correction); 0 where a count is impossible
  std::optional<std::size_t> impossible;  ///< the first cell of probability 0 that was counted
  std::uint64_t draws;                    ///< Σ counts
  double hidden_tv;       ///< the greatest distance between laws that differ within the pool only: no G can see it
  std::size_t zeros;      ///< outcomes of probability 0
  bool asymptotic;        ///< the p-value is that of the limit of many draws; where a count is impossible it is exact
  double correction = 1;  ///< the mean of G over its degrees of freedom, cells − 1
};

/// Cells of smaller expected count are pooled. At 50 the χ² law of G states tails down to 1e-10 within a factor 2.5,
/// by exact summation over two cells (tests/analysis/stats/goodness_test.cc). At the customary 5 or 10 it would miss
/// by 14: an empty cell has probability e^−E, which the χ² law takes for e^−E/√(πE).
inline constexpr double least_expected = 50;

/// The likelihood-ratio test of `counts` against `law` (Wilks 1938), one entry for each outcome in both; law ≥ 0, Σ =
/// 1 to 1e-6. G rather than Pearson's X², whose tails at 1e-9 are far off.
///
/// G is divided by its mean over its degrees of freedom, d = cells − 1, with E the expected counts of n draws:
///   1 + [Σ 1/E − 1/n + Σ (1/E² − 1/(nE))]/(6d),
/// Williams' correction (Biometrika 63, 1976) and the next order (Smith et al. 1981, Commun. Stat. B 10). Each cell's
/// share is small, at most 1/300, but with 262 144 cells it is 1.2 standard deviations of G, and a right law would fail
/// at .05 in a third of all samples. What is left is of order 1/E² in each cell: the cumulant generating function of
/// a Poisson cell at E = 50 puts the tail at 1e-9 within 1 % of what is stated for 262 144 cells, and within 6 % for
/// 2^24.
///
/// Pooling looks at the law, never at the
/// counts: cells of positive expected count below `least_expected` become one cell, and while that is still below,
/// the next smallest join it. A count where the law is 0 is an immediate failure. With one cell left there is nothing
/// to test: p_value 1, cells ≤ 1. Throws UsageError for unequal lengths or no law.
Goodness g_test(std::span<std::uint64_t const> counts, std::span<double const> law);

/// The noncentrality λ = n Σ (P − p)²/p at which a χ² test of `cells` cells and this false alarm has `power`.
/// A law P with TV(P, p) = x has λ ≥ 4 n x² (Cauchy–Schwarz), so λ bounds what any wrong law can hide.
double detectable_noncentrality(std::size_t cells, double false_alarm, double power);

/// The total variation distance at which every wrong law P is found with probability `power` by a test like this one,
/// of p at these draws: √(λ/n)/2 + hidden_tv + z, z = 1 − (1 − power)^(1/n) where p has outcomes of probability 0,
/// else 0. Asymptotic in n where it has a λ, that is two cells or more. None without draws, where everything is in
/// one pool, or where the sum is no distance: 1 or more.
///
/// Proof. Let first P give nothing to outcomes of probability 0. Over the pool let A = Σ(P − p)₊ and B = Σ(p − P)₊;
/// the pool as one cell shows |A − B| of A + B, so that TV over the cells tested is less by min(A, B). Some cell has
/// P ≥ p or A = 0: min(A, B) ≤ the pool's claimed probability less its least cell = hidden_tv. What remains over the
/// cells tested is √(λ/n)/2 or more, which G finds. With one cell nothing can remain. Let now P give w to impossible
/// outcomes. One of n draws shows them with probability 1 − (1 − w)^n, enough where w ≥ z. Where w < z, the draws
/// without such come from P given the others, of which the distance to p is at least TV(P, p) − w.
std::optional<double> detectable_tv(Goodness const& test, double false_alarm, double power);

/// A number of independent draws at which the test of `law` finds any law at total variation `tv` or more with
/// probability `power`: `detectable_tv` ≤ tv. None where 2^63 are too few.
std::optional<std::uint64_t> draws_to_detect(std::span<double const> law, double tv, double false_alarm,
                                             double power);

/// A number of independent draws from `wrong` at which the test of `law` rejects with probability `power`: by G, whose
/// noncentrality is n Σ (P − p)²/p over the cells tested, or by an outcome of probability 0. None where 2^63 are too
/// few.
std::optional<std::uint64_t> draws_to_find(std::span<double const> law, std::span<double const> wrong,
                                           double false_alarm, double power);

}  // namespace draftgauge
