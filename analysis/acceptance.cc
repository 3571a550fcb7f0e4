#include "analysis/acceptance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "analysis/domain.h"
#include "analysis/draft_orders.h"
#include "sim/chance.h"
#include "sim/entropy.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

void require_sum_one(std::span<double const> law, std::string_view name) { require_law(law, name); }

void require_sum_one(std::span<Rational const> law, std::string_view name) {
  Rational sum = 0;
  for (Rational const& entry : law) {
    if (entry < 0) {
      throw UsageError(fmt::format(
          "an entry of {} is {} (a law's entries are probabilities) give fractions, 0 or more", name, entry.str()));
    }
    sum += entry;
  }
  if (sum != 1) {
    throw UsageError(
        fmt::format("the sum of {} is {} (a law sums to 1) divide its entries by their sum", name, sum.str()));
  }
}

template <class Real, class Number>
std::vector<Real> normalised(std::span<Number const> law) {
  std::vector<Real> result(law.begin(), law.end());
  Real const sum = std::accumulate(result.begin(), result.end(), Real(0));
  if (sum != 1)
    for (Real& entry : result) entry /= sum;
  return result;
}

void require_drafts(int k) {
  if (k < 1) throw UsageError(fmt::format("--candidates is {} (a draft is to be accepted) give 1 or more", k));
}

/// k as a number of tokens that differ.
std::size_t different_drafts(int k, std::size_t vocab) {
  require_drafts(k);
  auto const drafts = static_cast<std::size_t>(k);
  if (drafts > vocab) {
    throw UsageError(fmt::format("--candidates is {} over {} tokens (drafts of this kind differ) give at most {}", k,
                                 vocab, vocab));
  }
  return drafts;
}

template <class Number>
void require_lenience(Number const& l) {
  require_domain(l > 0 && l <= 1, "--lenience", static_cast<double>(l),
                 "p/(l q) is tested, and l = 1 is the exact rule", "give a number above 0, at most 1");
}

template <class Real>
Real power(Real base, int exponent) {
  Real result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) result *= base;
  return result;
}

/// 1 − (1 − x)^k, the probability that one of k independent events of probability x happens.
Rational any_of(Rational const& x, int k) { return 1 - power(Rational(1 - x), k); }
long double any_of(long double x, int k) { return -std::expm1(k * std::log1p(-std::min(x, 1.0L))); }

/// The `count` likeliest tokens; of equal ones the smaller id.
template <class Real>
std::vector<std::size_t> likeliest(std::vector<Real> const& law, std::size_t count) {
  std::vector<std::size_t> order(law.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](std::size_t x, std::size_t y) { return law[x] != law[y] ? law[x] > law[y] : x < y; });
  order.resize(count);
  return order;
}

template <class Real, class F>
Real sum_over(std::vector<Real> const& p, std::vector<Real> const& q, F const& f) {
  Real sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) sum += f(p[x], q[x]);
  return sum;
}

/// β(ρ) = Σ min(q, p/ρ).
template <class Real>
Real acceptance_of_draft(RankedLaws<Real> const& laws, Real const& rho) {
  return excess(Real(1), laws.above(rho)) / rho;
}

/// The laws of the drafts that follow when all that q can draft is drafted and rejected: the residual is p elsewhere,
/// the next drafts are uniform there.
template <class Real>
RankedLaws<Real> after_support(RankedLaws<Real> const& laws) {
  std::vector<Real> p = laws.undrafted();
  for (Real& entry : p) entry /= laws.undrafted_p();
  std::vector<Real> const uniform(p.size(), Real(1) / Real(p.size()));
  return {p, uniform};
}

template <class Real>
Real recursive_without_rejects(RankedLaws<Real> const& laws, std::size_t k, double most_orders) {
  if (k < laws.size()) return DraftOrders<Real>(laws, k, most_orders).all_rejected();
  if (k == laws.size() || !(laws.undrafted_p() > 0)) return laws.undrafted_p();
  return laws.undrafted_p() * recursive_without_rejects(after_support(laws), k - laws.size(), most_orders);
}

/// 1 + min over the prefixes of tokens, from rank to rank.
template <class Real>
class LeastSurplus {
 public:
  /// The next prefix has so much more p, and holds all drafts with so much more probability.
  void extend(Real const& p, Real const& drafts) {
    surplus_ += p - drafts;
    least_ = std::min(least_, surplus_);
  }
  Real acceptance() const { return excess(Real(1), Real(-least_)); }

 private:
  Real surplus_ = 0, least_ = 0;
};

}  // namespace

template <class Number>
Acceptance<Number>::Acceptance(std::span<Number const> p, std::span<Number const> q) {
  require_one_vocabulary(p.size(), q.size());
  require_sum_one(p, "--p");
  require_sum_one(q, "--q");
  p_ = normalised<Real>(p);
  q_ = normalised<Real>(q);
}

template <class Number>
auto Acceptance<Number>::ranked() const -> RankedLaws<Real> const& {
  if (!ranked_) ranked_ = std::make_shared<RankedLaws<Real> const>(p_, q_);
  return *ranked_;
}

template <class Number>
Number Acceptance<Number>::token() const {
  return static_cast<Number>(sum_over(p_, q_, [](Real const& p, Real const& q) { return std::min(p, q); }));
}

template <class Number>
Number Acceptance<Number>::lenient(Number const& l) const {
  require_lenience(l);
  return static_cast<Number>(
      sum_over(p_, q_, [&](Real const& p, Real const& q) { return std::min(Real(p / Real(l)), q); }));
}

template <class Number>
std::vector<Number> Acceptance<Number>::lenient_output(Number const& l) const {
  require_lenience(l);
  // 1 − β_l and 1 − β as sums of what is rejected: no cancellation where almost all is accepted.
  Real const rejected = sum_over(p_, q_, [&](Real const& p, Real const& q) { return excess(q, Real(p / Real(l))); });
  Real const strict = sum_over(p_, q_, [](Real const& p, Real const& q) { return excess(q, p); });
  Real const share = rejected > 0 ? Real(rejected / strict) : Real(0);
  std::vector<Number> output(p_.size());
  for (std::size_t x = 0; x < p_.size(); ++x)
    output[x] = static_cast<Number>(std::min(q_[x], Real(p_[x] / Real(l))) + share * excess(p_[x], q_[x]));
  return output;
}

template <class Number>
Number Acceptance<Number>::one_hot() const {
  return top_set(1);
}

template <class Number>
Number Acceptance<Number>::argmax_draft() const {
  std::size_t const x = likeliest(q_, 1)[0];
  return p_[x] < q_[x] ? static_cast<Number>(Real(p_[x] / q_[x])) : Number(1);
}

template <class Number>
Number Acceptance<Number>::coupled() const {
  return static_cast<Number>(sum_over(p_, q_, [](Real const& p, Real const& q) { return Real(p * q); }));
}

template <class Number>
Number Acceptance<Number>::greedy() const {
  return likeliest(p_, 1) == likeliest(q_, 1) ? 1 : 0;
}

template <class Number>
Number Acceptance<Number>::lenient_greedy(Number const& l) const {
  require_lenience(l);
  return p_[likeliest(q_, 1)[0]] >= Real(l) * *std::ranges::max_element(p_) ? 1 : 0;
}

template <class Number>
Number Acceptance<Number>::typical(Number const& epsilon, Number const& delta) const {
  require_domain(epsilon >= 0 && epsilon <= 1, "--epsilon", static_cast<double>(epsilon), "it bounds a probability",
                 "give a number from 0 to 1");
  require_domain(delta >= 0 && delta <= 1, "--delta", static_cast<double>(delta), "it is a share of a probability",
                 "give a number from 0 to 1");
  Number const drafted = static_cast<Number>(p_[likeliest(q_, 1)[0]]);
  if (drafted > epsilon) return 1;
  std::vector<Number> const p(p_.begin(), p_.end());
  return drafted > delta * inverse_perplexity(p) ? 1 : 0;
}

template <class Number>
Number Acceptance<Number>::naive_set(int k) const {
  require_drafts(k);
  return static_cast<Number>(sum_over(p_, q_, [&](Real const& p, Real const& q) { return Real(p * any_of(q, k)); }));
}

template <class Number>
Number Acceptance<Number>::naive_set_without(int k) const {
  std::size_t const drafts = different_drafts(k, p_.size());
  RankedLaws<Real> const& laws = ranked();
  if (drafts < laws.size()) return static_cast<Number>(DraftOrders<Real>(laws, drafts, most_orders).expected_p());
  Real accepted = 1 - laws.undrafted_p();
  if (drafts > laws.size())
    accepted += laws.undrafted_p() * Real(drafts - laws.size()) / Real(laws.undrafted().size());
  return static_cast<Number>(accepted);
}

template <class Number>
Number Acceptance<Number>::recursive(int k) const {
  require_drafts(k);
  // r_i = (p − t_i q)₊/F(t_i) with F(t) = Σ (p − t q)₊, so that (r_i − q)₊ ∝ (p − t_{i+1} q)₊, t_{i+1} = t_i + F(t_i),
  // and a draft is rejected with F(t_{i+1})/F(t_i): all k are with F(t_{k+1}), as F(t_1) = F(0) = 1.
  RankedLaws<Real> const& laws = ranked();
  Real t = 0, mass = 1;
  for (int i = 0; i < k && mass > 0; ++i) {
    t += mass;
    mass = laws.above(t);
  }
  return static_cast<Number>(excess(Real(1), mass));
}

template <class Number>
Number Acceptance<Number>::recursive_without(int k) const {
  std::size_t const drafts = different_drafts(k, p_.size());
  Real const rejected = recursive_without_rejects(ranked(), drafts, most_orders);
  return static_cast<Number>(excess(Real(1), rejected));
}

template <class Number>
RhoBracket<Number> Acceptance<Number>::k_seq_rho(int k) const {
  require_drafts(k);
  RankedLaws<Real> const& laws = ranked();
  // Not rising in ρ, ≥ 0 at 1 and ≤ 0 at k.
  auto const owed = [&](Real const& rho) {
    Real const beta = acceptance_of_draft(laws, rho);
    return Real(any_of(beta, k) - rho * beta);
  };
  Real low = 1, high = 1;
  if (owed(low) > 0) high = k;
  while (high - low > Real(1) / Real(std::int64_t{1} << 40)) {
    Real const middle = (low + high) / 2;
    (owed(middle) > 0 ? low : high) = middle;
  }
  return {static_cast<Number>(low), static_cast<Number>(high)};
}

template <class Number>
Number Acceptance<Number>::k_seq(int k, Number const& rho) const {
  require_drafts(k);
  require_domain(rho >= 1 && rho <= k, "--rho", static_cast<double>(rho),
                 "p/rho is tested, and a draft is to be kept at most k times too often",
                 "give 1 to the --candidates");
  return static_cast<Number>(any_of(acceptance_of_draft(ranked(), Real(rho)), k));
}

template <class Number>
Number Acceptance<Number>::optimal(int k) const {
  require_drafts(k);
  RankedLaws<Real> const& laws = ranked();
  LeastSurplus<Real> prefix;
  Real held = 0, drafted = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    drafted += laws.q()[i];
    Real const next = power(drafted, k);
    prefix.extend(laws.p()[i], next - held);
    held = next;
  }
  return static_cast<Number>(prefix.acceptance());
}

template <class Number>
Number Acceptance<Number>::optimal_without(int k) const {
  std::size_t const drafts = different_drafts(k, p_.size());
  RankedLaws<Real> const& laws = ranked();
  LeastSurplus<Real> prefix;
  if (drafts < laws.size()) {
    std::vector<Real> const held = DraftOrders<Real>(laws, drafts, most_orders).highest_rank();
    for (std::size_t i = 0; i < held.size(); ++i) prefix.extend(laws.p()[i], held[i]);
    return static_cast<Number>(prefix.acceptance());
  }
  // All that q can draft is drafted, and n others uniformly: a set with j of the others holds them with C(j,n)/C(m,n).
  std::size_t const n = drafts - laws.size(), m = laws.undrafted().size();
  Real held = n == 0 ? 1 : 0;
  prefix.extend(1 - laws.undrafted_p(), held);
  for (std::size_t j = 1; j <= m; ++j) {
    Real next = 1;
    for (std::size_t i = 0; i < n; ++i) next *= i < j ? Real(j - i) / Real(m - i) : Real(0);
    prefix.extend(laws.undrafted()[j - 1], next - held);
    held = next;
  }
  return static_cast<Number>(prefix.acceptance());
}

template <class Number>
Number Acceptance<Number>::greedy_drafts(int k) const {
  std::size_t const drafts = different_drafts(k, p_.size());
  std::vector<bool> fixed(p_.size());
  Real accepted = 0;
  for (std::size_t const x : likeliest(q_, drafts - 1)) {
    fixed[x] = true;
    accepted += p_[x];
  }
  Real left = 0;
  for (std::size_t x = 0; x < q_.size(); ++x)
    if (!fixed[x]) left += q_[x];
  Real const uniform = Real(1) / Real(p_.size() - drafts + 1);
  for (std::size_t x = 0; x < p_.size(); ++x)
    if (!fixed[x]) accepted += std::min(p_[x], left > 0 ? Real(q_[x] / left) : uniform);
  return static_cast<Number>(std::min(accepted, Real(1)));
}

template <class Number>
Number Acceptance<Number>::top_set(int k) const {
  Real accepted = 0;
  for (std::size_t const x : likeliest(q_, different_drafts(k, p_.size()))) accepted += p_[x];
  return static_cast<Number>(accepted);
}

template class Acceptance<double>;
template class Acceptance<Rational>;

}  // namespace draftgauge
