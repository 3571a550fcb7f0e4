#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace draftgauge {

/// A test of counts against a law.
struct Goodness {
  double statistic;                       ///< G = 2 Σ O ln(O/E) over the cells tested
  std::size_t cells;                      ///< cells tested, after pooling
  std::size_t pooled;                     ///< cells of the law that went into the pool
  double p_value;                         ///< P(χ² of cells − 1 degrees ≥ G); 0 where a count is impossible
  std::optional<std::size_t> impossible;  ///< the first cell of probability 0 that was counted
};

/// Cells of smaller expected count are pooled. At 50 the χ² law of G states tails down to 1e-10 within a factor 2.5,
/// by exact summation over two cells (tests/analysis/goodness_test.cc). At the customary 5 or 10 it would miss by 14:
/// an empty cell has probability e^−E, which the χ² law takes for e^−E/√(πE).
inline constexpr double least_expected = 50;

/// The likelihood-ratio test of `counts` against `law` (Wilks 1938), one entry for each outcome in both; law ≥ 0, Σ =
/// 1 to 1e-6. G rather than Pearson's X², whose tails at 1e-9 are far off. Pooling looks at the law, never at the
/// counts: cells of positive expected count below `least_expected` become one cell, and while that is still below,
/// the next smallest join it. A count where the law is 0 is an immediate failure. With one cell left there is nothing
/// to test: p_value 1, cells ≤ 1. Throws UsageError for unequal lengths or no law.
Goodness g_test(std::span<std::uint64_t const> counts, std::span<double const> law);

/// The noncentrality λ = n Σ (P − p)²/p at which a χ² test of `cells` cells and this false alarm has `power`.
/// A law P with TV(P, p) = x has λ ≥ 4 n x² (Cauchy–Schwarz), so λ bounds what any wrong law can hide.
double detectable_noncentrality(std::size_t cells, double false_alarm, double power);

/// The total variation distance at which every wrong law on these cells is found with probability `power`, √(λ/n)/2:
/// the worst case over directions; asymptotic in n. None below two cells or without draws.
std::optional<double> detectable_tv(std::size_t cells, std::uint64_t draws, double false_alarm, double power);

/// Independent draws after which a test over `cells` cells finds any law at total variation `tv` or more with
/// probability `power`: λ/(4 tv²). None where 2^64 are too few.
std::optional<std::uint64_t> draws_to_detect(std::size_t cells, double tv, double false_alarm, double power);

}  // namespace draftgauge
