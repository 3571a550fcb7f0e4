#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// The published closed forms of speculative decoding, one function per equation.
///
/// [L] Leviathan, Kalman, Matias 2023, arXiv 2211.17192.   [C] Chen et al. 2023, arXiv 2302.01318 (their K is our γ).
///
/// alpha = α in [0, 1] is the acceptance rate E[β]; gamma = γ ≥ 0 the number of drafts in a round; cost = c ≥ 0 the
/// time of a draft step in target steps; ops_cost = ĉ ≥ 0 the operations of a draft token over those of a target
/// token. N counts the tokens that a round emits, τ its accepted drafts. Without `bonus` the round ends at the γ-th
/// accepted draft: N = min(τ + 1, γ), which is the law with the bonus token at γ − 1, and needs γ ≥ 1.
///
/// Functions of α and γ assume that each draft is accepted independently with probability α ([L], Section 3.1).
/// Arguments outside their domain throw UsageError. Relative errors are below 1e-14
/// (tests/analysis/theory/closed_form_test.cc compares with 100-digit arithmetic); γ above 2^53 is rounded to a double.
namespace draftgauge::theory {

// One context: p is the target's law, q the draft's, of equal length, entries ≥ 0 with sum 1 (to 1e-6).

/// [L] Definition 3.2, Lemma 3.3: D_LK(p, q) = Σ|p − (p+q)/2| = 1 − Σ min(p, q), the total variation distance.
double draft_divergence(std::span<double const> p, std::span<double const> q);

/// [L] Theorem 3.5: β = 1 − D_LK(p, q) = Σ min(p, q), the probability that a draft from q is accepted.
double acceptance(std::span<double const> p, std::span<double const> q);

/// [L] Appendix A.2: plain rejection sampling, which does not learn from a rejection, accepts with min_x q(x)/p(x) ≤
/// β.
double rejection_sampling_acceptance(std::span<double const> p, std::span<double const> q);

/// [L] Appendix A.5: acceptance under lenience l in (0, 1], α_l = Σ min(p/l, q).
double lenient_acceptance(std::span<double const> p, std::span<double const> q, double lenience);

/// [L] Appendix A.5: the law that lenience emits when a rejection still draws from norm((p − q)₊):
/// min(q, p/l) + (1 − β_l)/(1 − β₁) (p − q)₊, nowhere above p/l. l = 1 gives p.
std::vector<double> lenient_output(std::span<double const> p, std::span<double const> q, double lenience);

/// [L] Appendix A.4: a step of beam search is accepted where the target's best w of the scores are among the draft's
/// best u, top_w(target) ⊆ top_u(draft); of equal scores the smaller index is better. Scores of equal length V, no
/// NaN; 1 ≤ w ≤ u ≤ V.
bool beam_accepts(std::span<double const> target, std::span<double const> draft, std::size_t w, std::size_t u);

/// The most tokens that a round can emit: γ + 1, or γ without the bonus token. Checks γ for all the others.
std::int64_t longest_round(std::int64_t gamma, bool bonus = true);

/// [L] Eq. (1): E[N] = (1 − α^(γ+1)) / (1 − α); γ + 1 at α = 1.
/// Without the bonus token (1 − α^γ) / (1 − α).
double expected_tokens(double alpha, std::int64_t gamma, bool bonus = true);

/// [L] Eq. (1) as γ → ∞, also the value of an oracle that knows where to stop: 1 / (1 − α); infinite at 1.
double expected_tokens_limit(double alpha);

/// [L] Eq. (1) before independence is assumed: E[N] = 1 + Σ_i P(A₁∧…∧A_i), where A_i is "draft i is accepted".
/// survival[i-1] = P(A₁∧…∧A_i), non-increasing in [0, 1]; γ is its length.
double expected_tokens(std::span<double const> survival, bool bonus = true);
/// The same of γ = 0, 1, … up to its length.
std::vector<double> tokens_by_gamma(std::span<double const> survival, bool bonus = true);

/// E[τ] = Σ_{i=1..γ} α^i, the expected number of accepted drafts ([L], Eq. (1) less the token always emitted).
double expected_accepted(double alpha, std::int64_t gamma);

/// [L] Section 3.1: the capped geometric law behind Eq. (1). P(N = n) = α^(n−1) (1 − α) below the longest round L
/// and α^(L−1) there; 0 for n outside 1..L.
double tokens_probability(std::int64_t n, double alpha, std::int64_t gamma, bool bonus = true);

/// The whole law of N: entry k is P(N = k + 1). At most 2^24 entries; above it ask `tokens_probability`.
std::vector<double> tokens_law(double alpha, std::int64_t gamma, bool bonus = true);

/// Var[N] of that law: (α − (2L−1) α^L (1−α) − α^(2L)) / (1−α)² with L the longest round.
double tokens_variance(double alpha, std::int64_t gamma, bool bonus = true);

/// The generating function E[x^N] = 1 + (x−1)(1 − (αx)^L)/(1 − αx), for x in [0, 1].
double tokens_generating_function(double x, double alpha, std::int64_t gamma, bool bonus = true);

/// [L] Theorem 3.8: expected improvement in walltime, E[N] / (γc + 1).
double speedup(double alpha, std::int64_t gamma, double cost, bool bonus = true);

/// Theorem 3.8 with the bonus token, read at a real γ ≥ 0: what `best_real_gamma` is the greatest value of.
double speedup_at_real(double alpha, double gamma, double cost);

/// [L] Corollary 3.9: where α > c some γ improves by at least (1 + α)/(1 + c), its value at γ = 1.
/// None where α ≤ c: no γ improves there.
std::optional<double> guaranteed_speedup(double alpha, double cost);

/// [L] Theorem 3.11: the factor by which arithmetic operations grow, (γĉ + γ + 1) / E[N]. Without the bonus token the
/// target scores γ positions, not γ + 1.
double operations(double alpha, std::int64_t gamma, double ops_cost, bool bonus = true);

/// The numerator of Theorem 3.11 in target tokens' operations: γĉ for the drafts, and γ + 1 scored positions, γ without
/// the bonus token.
double operations_of_round(std::int64_t gamma, double ops_cost, bool bonus = true);

/// [L] Section 3.4: reads of the target's weights and KV cache per emitted token, against one in plain decoding: 1 /
/// E[N].
double memory_reads(double alpha, std::int64_t gamma, bool bonus = true);

/// The real γ ≥ 0 at which S, with the bonus token, is greatest. Where S' = 0 lies, α^(γ+1) (c − (γc + 1) ln α) = c,
/// and v = α^−(γ+1) solves v − ln v = 1 + k, k = −ln(α)(1 − c)/c: v = −W₋₁(−e^(−1−k)) by Lambert's function, which
/// underflows at small c; the equation does not. 0 where no γ > 0 is better; α ≤ c does not say so, as a γ below 1
/// may pay. None where S grows for ever: c = 0 < α, or c < 1 = α. The best integer (analysis/theory/optimum.h) is
/// next to it, as S is unimodal, up to its ties.
std::optional<double> best_real_gamma(double alpha, double cost);

/// The α at which S(α, γ, c) = 1, for γ ≥ 1. None where no α reaches it (c > 1 with the bonus token).
std::optional<double> break_even_alpha(std::int64_t gamma, double cost, bool bonus = true);

/// The c at which S(α, γ, c) = 1, for γ ≥ 1: (E[N] − 1) / γ (analysis/theory/cost.h, where a pass costs what it costs).
double break_even_cost(double alpha, std::int64_t gamma, bool bonus = true);

/// The α under which Eq. (1) gives `tokens` per round: how [C]'s Table 1 is turned into acceptance rates.
/// None where no α in [0, 1] does (tokens < 1 or above the longest round, beyond rounding).
std::optional<double> implied_alpha(double tokens, std::int64_t gamma, bool bonus = true);

/// The α under which Theorem 3.8 gives this speed-up. None where no α in [0, 1] does.
std::optional<double> implied_alpha_of_speedup(double speedup, std::int64_t gamma, double cost, bool bonus = true);

}  // namespace draftgauge::theory
