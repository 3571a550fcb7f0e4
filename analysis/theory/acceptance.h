#pragma once
#include <span>
#include <vector>

#include "analysis/theory/position_row.h"

namespace draftgauge {

/// k drafts, whose tokens differ or may not: else UsageError.
void require_drafts(int k, bool different, std::size_t vocab);

/// The probability that one position accepts a draft, as a closed form for each way to draft and to verify: those of
/// rules stand in their files, and here is what belongs to no rule.
///
/// [L]  Leviathan et al. 2023, arXiv 2211.17192   [T]  SpecTr, Sun et al. 2023, arXiv 2310.15141
/// [O]  Hu et al. 2025, arXiv 2502.18779
///
/// p is the target's law and q the draft's, over the same V tokens; k is the number of drafts ("children") of the
/// position. Of tokens that are equally likely, the smaller id is the likelier one. Drafts drawn from q without
/// replacement are, once q's support is used up, uniform over the tokens not drafted yet.
///
/// Number is Rational (exact) or double (computed in long double: absolute error below k·10⁻¹⁴, k-SEQ's below k·10⁻¹²).
/// Sums over draws without replacement have a term for each order of the first k − 1 drafts; above DraftOrders::most of
/// them, a UsageError. The others take O(V·k); those that rank tokens by p/q share one O(V log V) sort, and k-SEQ
/// takes O(log V) for each step of its bisection beside. One object is for one thread.
///
/// Errors, all UsageError: k < 1; k > V where the drafts of a position differ; parameters outside their domains.
template <class Number>
class Acceptance {
 public:
  /// Entries ≥ 0. Fractions sum to 1; doubles to within 1e-6, and are divided by their sum. Else UsageError.
  Acceptance(std::span<Number const> p, std::span<Number const> q);

  /// What the rule says of k drafts by this drafter (sim/task/record.h).
  template <class Drafter, class Rule>
  Number of(Rule const& rule, int k = 1) const {
    require_drafts(k, Drafter::card.distinct, row_.vocab());
    return static_cast<Number>(rule.acceptance(Drafter(), row_, k));
  }

  /// The lenient rule's at any lenience l in (0, 1]. [L] Appendix A.5.
  Number lenient(Number const& l) const;
  /// What it emits where a rejection draws from norm((p − q)₊) as before: min(q, p/l) + (1 − β_l)/(1 − β)·(p − q)₊
  /// ([L] Appendix A.5). At β = 1 nothing is rejected and the output is q = p.
  std::vector<Number> lenient_output(Number const& l) const;

  /// The most that a lossless rule can accept with k drafts from q with replacement, the optimal transport with
  /// membership cost ([T]): 1 + min_H (p(H) − q(H)^k) over sets of tokens H, by [O] one of the prefixes when
  /// tokens are ranked by p/q.
  Number optimal(int k) const;
  /// The same for k different drafts: P(all drafts ∈ H) in place of q(H)^k.
  Number optimal_without(int k) const;

  PositionRow<Number> const& row() const { return row_; }

 private:
  using Real = typename PositionRow<Number>::Real;

  PositionRow<Number> row_;
};

}  // namespace draftgauge
