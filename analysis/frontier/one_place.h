#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/frontier/divergences.h"
#include "sim/lossy/mentored.h"
#include "sim/model/table_model.h"

/// The best trade at one position. Any rule that drafts from q and emits with the distribution h keeps a draft with
/// probability Σ min(q, h) = 1 − TV(q, h) at most, and "accept with min(1, h/q), else emit from (h − q)₊" keeps as much.
/// So the question is which h is near to p and to q.
namespace draftgauge {

/// At a total variation of ε: min(1, β + ε), since TV(q, h) ≥ TV(q, p) − TV(h, p).
template <class Number>
Number acceptance_at_distance(std::vector<Number> const& p, std::vector<Number> const& q, Number const& distance) {
  Number const most = Number(1) - total_variation(p, q) + distance;
  return most < Number(1) ? most : Number(1);
}

/// One h that reaches it: from p towards q by ε.
template <class Number>
std::vector<Number> towards_draft(std::vector<Number> const& p, std::vector<Number> const& q, Number const& distance) {
  Number const whole = total_variation(p, q);
  if (!(distance < whole)) return q;
  std::vector<Number> h;
  for (std::size_t x = 0; x < p.size(); ++x) h.push_back(p[x] + distance / whole * (q[x] - p[x]));
  return h;
}

/// h = median(b·p, q, a·p), b ≤ 1 ≤ a, whose sum is 1. Where p > 0 for all that is drafted, one of these h keeps most at a
/// budget of any f-divergence from p, in either order. Where h < q the derivative of the divergence takes one value and
/// where h > q one value, between them h = q; the derivative rises in h/p, so that h/p is a where h < q and b where h > q
/// (own result; for KL(p ‖ h) it is mentored decoding).
template <class Number>
struct Trade {
  Number a, b;              ///< b is 0 where nothing is rejected
  std::vector<Number> law;  ///< h
  Number acceptance;        ///< Σ min(q, h)
};
template <class Number>
Trade<Number> best_trade(std::vector<Number> const& p, std::vector<Number> const& q, Number const& a) {
  TableModel<Number> const model(Follow::independent, {{p, q}});
  auto const vocab = static_cast<std::uint32_t>(p.size());
  Number owed(0);
  for (std::size_t x = 0; x < p.size(); ++x) owed += excess(q[x], Number(a * p[x]));
  Number const b = owed > Number(0) ? rules::Mentored::level(model.node(0, Children()).order(), vocab, Number(1), owed) : Number(0);
  Trade<Number> trade{a, b, {}, Number(1) - owed};
  for (std::size_t x = 0; x < p.size(); ++x)
    trade.law.push_back(std::max(Number(b * p[x]), std::min(q[x], Number(a * p[x]))));
  return trade;
}

/// Which way round a KL divergence is taken.
enum class Order { output_to_target, target_to_output };

/// The most that is accepted where the divergence is at most so many nats. `a`: none where h may be q itself. Drafts with
/// p = 0 are accepted last: never where KL(h ‖ p) is bounded, which they make infinite, and where KL(p ‖ h) is, to which
/// they add nothing by themselves, once all others are (`a` is then the largest q/p).
struct BudgetTrade {
  std::optional<double> a;
  std::vector<double> law;
  double acceptance, divergence;
};
BudgetTrade best_within(std::vector<Rational> const& p, std::vector<Rational> const& q, double budget, Order order);

}  // namespace draftgauge
