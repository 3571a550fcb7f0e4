#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "analysis/ranked_laws.h"
#include "analysis/rational.h"

namespace draftgauge {

/// The least ρ at which k-SEQ is lossless lies between the two, whose distance is at most 2⁻⁴⁰.
template <class Number>
struct RhoBracket {
  Number low, high;
};

/// The probability that one position accepts a draft, as a closed form for each way to draft and to verify.
///
/// [L]  Leviathan et al. 2023, arXiv 2211.17192   [T]  SpecTr, Sun et al. 2023, arXiv 2310.15141
/// [I]  SpecInfer, Miao et al. 2023, arXiv 2305.09781   [Q]  Sequoia, Chen et al. 2024, arXiv 2402.12374
/// [M]  MCSD, Yang et al. 2024, arXiv 2401.06706   [H]  SpecHub, Sun et al. 2024, arXiv 2411.05289
/// [O]  Hu et al. 2025, arXiv 2502.18779   [E]  EAGLE-2, Li et al. 2024, arXiv 2406.16858
/// [C]  Medusa, Cai et al. 2024, arXiv 2401.10774
///
/// p is the target's law and q the draft's, over the same V tokens; k is the number of drafts ("candidates") of the
/// position. β = Σ min(p, q). Of tokens that are equally likely, the smaller id is the likelier one. Drafts drawn from
/// q without replacement are, once q's support is used up, uniform over the tokens not drafted yet.
///
/// Number is Rational (exact) or double (computed in long double: absolute error below k·10⁻¹⁴, k-SEQ's below k·10⁻¹²).
/// Sums over draws without replacement have a term for each order of the first k − 1 drafts; above `most_orders` of
/// them, a UsageError. The others take O(V·k); those that rank tokens by p/q share one O(V log V) sort, and k-SEQ
/// takes O(log V) for each step of its bisection beside. One object is for one thread.
///
/// Errors, all UsageError: k < 1; k > V where the drafts of a position differ; parameters outside their domains.
template <class Number>
class Acceptance {
  static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, Rational>);

 public:
  static constexpr double most_orders = 1e7;

  /// Entries ≥ 0. Fractions sum to 1; doubles to within 1e-6, and are divided by their sum. Else UsageError.
  Acceptance(std::span<Number const> p, std::span<Number const> q);

  // One draft.

  /// β, the token rule's. [L] Theorem 3.5.
  Number token() const;
  /// The draft x ~ q is accepted with min(1, p(x)/(l q(x))): α_l = Σ min(p/l, q), l in (0, 1]. [L] Appendix A.5.
  Number lenient(Number const& l) const;
  /// What lenience emits where a rejection draws from norm((p − q)₊) as before: min(q, p/l) + (1 − β_l)/(1 − β)·(p − q)₊
  /// ([L] Appendix A.5). At β = 1 nothing is rejected and the output is q = p.
  std::vector<Number> lenient_output(Number const& l) const;
  /// The draft is the likeliest token of q, and kept if p draws it: p(argmax q). It is what a one-hot draft law, and
  /// exact match with an argmax draft, accept with.
  Number one_hot() const;
  /// A draft x ~ q is kept if it equals an independent y ~ p: Σ p q.
  Number coupled() const;
  /// The draft argmax q is tested as if it had been drawn from q: min(1, p/q) there. Not lossless.
  Number argmax_draft() const;
  /// Both laws at temperature 0: 1 if argmax p = argmax q, else 0.
  Number greedy() const;
  /// The draft argmax q stands if p gives it at least l times its best token: 1 or 0, l in (0, 1]. [L] Appendix A.5,
  /// lenience at temperature 0.
  Number lenient_greedy(Number const& l) const;
  /// The draft argmax q stands if p(argmax q) > min(ε, δ·exp(−H(p))): 1 or 0. [C] Section 2.3.1. ε, δ in [0, 1].
  Number typical(Number const& epsilon, Number const& delta) const;

  // k drafts.

  /// y ~ p is emitted, accepted if drafted: Σ p (1 − (1 − q)^k), the drafts drawn from q with replacement.
  Number naive_set(int k) const;
  /// The same for k different drafts: E[p(drafted set)].
  Number naive_set_without(int k) const;
  /// Recursive rejection, drafts with replacement: 1 − Π(1 − a_i), a_i = Σ min(r_i, q), r_1 = p,
  /// r_{i+1} = norm((r_i − q)₊). [I] Algorithm 2.
  Number recursive(int k) const;
  /// Recursive rejection of k different drafts. [Q] Algorithm 2; [M].
  Number recursive_without(int k) const;
  /// Where ρ* lies, at which 1 − (1 − β(ρ))^k = ρ β(ρ), β(ρ) = Σ min(q, p/ρ): 1 ≤ ρ* ≤ k, and k-SEQ is lossless from
  /// it on ([T]). At β = 0 every ρ solves it, and the bracket is [1, 1].
  RhoBracket<Number> k_seq_rho(int k) const;
  /// 1 − (1 − β(ρ))^k, k-SEQ's acceptance at ρ in [1, k]; it falls in ρ.
  Number k_seq(int k, Number const& rho) const;
  /// The same at the upper end of the bracket, where the rule is lossless.
  Number k_seq(int k) const { return k_seq(k, k_seq_rho(k).high); }
  /// The most that a lossless rule can accept with k drafts from q with replacement, the optimal transport with
  /// membership cost ([T]): 1 + min_H (p(H) − q(H)^k) over sets of tokens H, by [O] one of the prefixes when
  /// tokens are ranked by p/q.
  Number optimal(int k) const;
  /// The same for k different drafts: P(all drafts ∈ H) in place of q(H)^k.
  Number optimal_without(int k) const;
  /// Greedy drafts ([O]): the set A of the k − 1 likeliest tokens of q and one draw from q outside A (uniform
  /// where q has nothing there), verified by optimal transport: min(1, p(A) + Σ_{x∉A} min(p, q/q(Aᶜ))). At k = 2 it is
  /// SpecHub ([H]).
  Number greedy_drafts(int k) const;
  /// The k likeliest tokens of q, tested in turn as one-hot drafts, as dynamic draft trees ([E]) are verified:
  /// p(drafted set).
  Number top_set(int k) const;

 private:
  using Real = std::conditional_t<std::is_same_v<Number, double>, long double, Number>;

  RankedLaws<Real> const& ranked() const;

  std::vector<Real> p_, q_;
  mutable std::shared_ptr<RankedLaws<Real> const> ranked_;  ///< made by the first formula that needs it
};

}  // namespace draftgauge
