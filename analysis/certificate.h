#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace draftgauge {

/// "TV(output, p) ≤ tv_at_most at this confidence": what n independent draws prove about the law that they came from.
struct Certificate {
  double tv_at_most;   ///< in [0, 1]
  double observed_tv;  ///< TV(counts/n, p)
  double confidence;
  std::uint64_t draws;
};

/// Certifies that the unknown law P of n independent draws is near the claimed law p, for every P and every n,
/// without asymptotics. counts[x] = n_x, as long as law (V ≥ 1 entries ≥ 0, Σ = 1 to 1e-6), else UsageError. None
/// without draws.
///
/// Proof. Write E for counts/n, T = TV(E, p), D = TV(E, P), x = TV(P, p), L = ln(1/δ), δ = 1 − confidence.
/// x ≤ T + D, so an event of probability ≥ 1 − δ that bounds D bounds x. There are two; which one is used depends on
/// (p, n, δ) and not on the counts, so that δ need not be shared.
///
/// 1. Subsets. D = max_A E(A) − P(A) over the 2^V − 2 proper subsets of the outcomes.
///    Each exceeds r with probability ≤ exp(−2nr²) (Hoeffding 1963), hence D ≤ √((ln(2^V − 2) + L)/2n).
///
/// 2. Mean. One draw moves D by at most 1/n, hence D ≤ E[D] + √(L/2n) (McDiarmid 1989).
///    E[D] = ½ Σ_x E|E_x − P_x|, and with v_x = P_x(1 − P_x) each term E|E_x − P_x| is at most
///      (a) √(v_x/n), by Jensen;
///      (b) √(2v_x/πn) + 1/n: the Wasserstein distance of a standardised sum of n i.i.d. X from N(0, 1) is at most
///          E|X|³/(σ³√n) (Goldstein 2010, Ann. Probab. 38, Theorem 1.1), and E|X|³ ≤ σ² for a centred Bernoulli X.
///    With s(P) = Σ √v_x: E[D] ≤ k s(P) + m, for (k, m) = (1/(2√n), 0) and for (1/√(2πn), V/2n).
///    P is unknown, but
///      (c) s(P) ≤ √(V − 1), by Cauchy–Schwarz;
///      (d) s(P) ≤ s(p) + Σ √|v_x(P) − v_x(p)| ≤ s(p) + Σ √|P_x − p_x| ≤ s(p) + √(2Vx).
///    So x ≤ T + k √(V − 1) + m + √(L/2n) by (c); and by (d) x ≤ a + b√x, that is √x ≤ (b + √(b² + 4a))/2, where
///    a = T + k s(p) + m + √(L/2n) and b = k √(2V). All four bounds hold on the one event: the least is taken.
///    (d) is what makes peaked laws over large V cheap.
std::optional<Certificate> certify(std::span<std::uint64_t const> counts, std::span<double const> law,
                                   double confidence);

/// Draws after which `certify` says `tv` or less with probability about `stated_power` (.9) if the output law is
/// exactly p. A forecast, not a bound: the observed TV is taken as normal with mean s(p)/√(2πn) and the variance
/// of V = 2, (1 − 2/π)/(4n). Of all laws over V tokens the uniform one needs the most. None where 2^63 are too few.
/// tv in (0, 1).
std::optional<std::uint64_t> draws_to_certify(std::span<double const> law, double tv, double confidence);

}  // namespace draftgauge
