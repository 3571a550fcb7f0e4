#include "analysis/frontier/one_place.h"

namespace draftgauge {
namespace {

std::vector<long double> reals(std::vector<Rational> const& law) {
  std::vector<long double> all;
  for (Rational const& each : law) all.push_back(each.convert_to<long double>());
  return all;
}

/// The greatest number between them for which something holds that holds for the smallest, and for all below one for which
/// it does.
template <class Holds>
long double greatest(long double low, long double high, Holds const& holds) {
  if (holds(high)) return high;
  for (int halving = 0; halving < 100; ++halving) {
    long double const middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// The trade at the largest q/p, where the others keep q at least, with a share of q on the tokens that p excludes.
std::vector<long double> with_excluded(std::vector<long double> const& p, std::vector<long double> const& q,
                                       long double share) {
  std::vector<long double> law(p.size());
  long double owed = 0;
  for (std::size_t x = 0; x < p.size(); ++x)
    if (p[x] == 0) {
      law[x] = share * q[x];
      owed += q[x] - law[x];
    }
  if (owed <= 0) return q;
  TableModel<long double> const model(Follow::independent, {{p, q}});
  long double const b = rules::Mentored::level(model.node(0, Children()).order(), static_cast<std::uint32_t>(p.size()),
                                               1.0L, owed);
  for (std::size_t x = 0; x < p.size(); ++x)
    if (p[x] > 0) law[x] = std::max(q[x], b * p[x]);
  return law;
}

}  // namespace

BudgetTrade best_within(std::vector<Rational> const& p, std::vector<Rational> const& q, double budget, Order order) {
  std::vector<long double> const target = reals(p), draft = reals(q);
  auto const divergence = [&](std::vector<long double> const& law) {
    return order == Order::output_to_target ? relative_entropy(law, target) : relative_entropy(target, law);
  };
  auto const found = [&](std::optional<double> a, std::vector<long double> const& law, long double acceptance) {
    return BudgetTrade{a, {law.begin(), law.end()}, static_cast<double>(acceptance),
                       static_cast<double>(divergence(law))};
  };
  if (divergence(draft) <= budget) return found(std::nullopt, draft, 1);
  long double high = 1, excluded = 0;  // beyond the largest q/p nothing changes
  for (std::size_t x = 0; x < target.size(); ++x)
    if (target[x] > 0)
      high = std::max(high, draft[x] / target[x]);
    else
      excluded += draft[x];
  auto const within = [&](std::vector<long double> const& law) { return divergence(law) <= budget; };
  if (!within(best_trade(target, draft, high).law)) {
    long double const a =
        greatest(1, high, [&](long double const& at) { return within(best_trade(target, draft, at).law); });
    auto const trade = best_trade(target, draft, a);
    return found(static_cast<double>(a), trade.law, trade.acceptance);
  }
  long double const share =
      greatest(0, 1, [&](long double const& at) { return within(with_excluded(target, draft, at)); });
  return found(static_cast<double>(high), with_excluded(target, draft, share), 1 - (1 - share) * excluded);
}

}  // namespace draftgauge
