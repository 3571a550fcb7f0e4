#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace draftgauge {

/// "TV(output, p) ≤ tv_at_most at this confidence": what independent draws prove of the law that they came from.
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
/// Proof. Write E for counts/n, T = TV(E, p), x = TV(P, p), δ = 1 − confidence. p is known, so x is bounded through
/// what T does where P is that far away, and how far E is from P need not be known. There are two ways; which one is
/// used depends on (p, n, δ) and not on the counts, so that δ need not be shared.
///
/// 1. One set. Let A be the set of outcomes with P > p: unknown, but not chosen by the draws. x = P(A) − p(A) and
///    T ≥ E(A) − p(A), hence x ≤ T + P(A) − E(A), where nE(A) is binomial(n, P(A)). For such a k and π = P(A), where
///    (k + 1)/n ≤ π: Prob(nE(A) ≤ k) ≤ Φ(−√(2n H((k + 1)/n, π))) with H the divergence (Zubkov and Serov 2013,
///    Theory Probab. Appl. 57, Theorem 1; arXiv 1207.3838), and H(a, π) ≥ 2(a − π)² (Pinsker). With z the normal
///    quantile of 1 − δ, or 0 where that is negative:
///      x ≤ T + z/(2√n) + 1/n except with probability δ.
///
/// 2. Mean. One draw moves T by at most 1/n, hence E[T] ≤ T + √(ln(1/δ)/2n) except with probability δ (McDiarmid
///    1989). E[T] = ½ Σ E|E_y − p_y| ≥ x, as |·| is convex; and more, as what is drawn scatters. With d = P − p,
///    v = P(1 − P), g(u) = E|Z + u| for a normal Z, each E|E_y − p_y| ≥ √(v_y/n) g(|d_y| √(n/v_y)) − 1/n: the
///    Wasserstein distance of a standardised sum of n i.i.d. X from N(0, 1) is at most E|X|³/(σ³√n) (Goldstein 2010,
///    Ann. Probab. 38, Theorem 1.1), and E|X|³ ≤ σ² for a centred Bernoulli X. h(σ, d) = σ g(d/σ) = E|σZ + d| is
///    convex and homogeneous, so a sum of h's is at least h of the sums, and it grows with σ. With s(P) = Σ √v:
///      ½ h(s/√n, 2x) ≤ T + √(ln(1/δ)/2n) + V/2n for every s ≤ s(P).
///    s(P) ≥ s(p) − Σ √|v_y(P) − v_y(p)| ≥ s(p) − Σ √|d_y| ≥ s(p) − √(2Vx), into which a bound on x that was found
///    before may be put. The left side grows with x: the x of equality is the next bound, all of them on one event.
///    To have E by luck nearer to p than draws from p are in the mean, about Σ min(√(v_y(p)/2πn), v_y(p)), proves
///    nothing: T is taken to be no less (as Cowan et al. 2011, arXiv 1105.3166), which only makes the bound greater.
///
/// The first serves better where few outcomes have weight, the second where there are many: at x ≈ √(V/n), T is
/// mostly scatter, to which d adds but by its square.
std::optional<Certificate> certify(std::span<std::uint64_t const> counts, std::span<double const> law,
                                   double confidence);

/// What TV(counts/n, P) is at most, with probability `confidence`, for n ≥ 1 draws from whatever law P over so many
/// outcomes: ½√((V − 1)/n) + √(ln(1/δ)/2n). Its mean is ½ Σ E|E_y − P_y| ≤ ½ Σ √(v_y/n) (Jensen), Σ √v_y ≤ √(V − 1)
/// (Cauchy and Schwarz), and one draw moves it by at most 1/n (McDiarmid 1989). An observed TV can be that much more
/// than the law's, and a certificate less than what was observed.
double scatter(std::size_t outcomes, std::uint64_t draws, double confidence);

/// Draws after which `certify` says `tv` or less with probability about `stated_power` (.9) if the output law is
/// exactly p. A forecast, not a bound: the observed TV is taken as normal with the mean above and the variance of
/// V = 2, (1 − 2/π)/(4n). Of all laws over V tokens the uniform one needs the most. None where 2^63 are too few.
/// tv in (0, 1).
std::optional<std::uint64_t> draws_to_certify(std::span<double const> law, double tv, double confidence);

}  // namespace draftgauge
