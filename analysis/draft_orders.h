#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "analysis/ranked_laws.h"
#include "sim/chance.h"
#include "sim/error.h"

namespace draftgauge {

/// The drafts of a position as they are drawn from q without replacement, and sums over the tokens that are left.
template <class Real>
class DrawnDrafts {
 public:
  /// Up to `most` drafts will be drawn of q's tokens, all of positive probability.
  DrawnDrafts(std::vector<Real> const& q, std::size_t most) : drawn_(q.size()), heavy_(q.size()) {
    top_.resize(q.size());
    std::iota(top_.begin(), top_.end(), std::size_t{0});
    std::ranges::partial_sort(top_, top_.begin() + static_cast<std::ptrdiff_t>(most + 1),
                              [&](std::size_t x, std::size_t y) { return q[x] > q[y]; });
    top_.resize(most + 1);
    for (std::size_t const x : top_) heavy_[x] = true;
  }

  bool has(std::size_t x) const { return drawn_[x]; }
  void draw(std::size_t x) {
    drawn_[x] = true;
    drafts_.push_back(x);
  }
  void put_back() {
    drawn_[drafts_.back()] = false;
    drafts_.pop_back();
  }
  std::vector<std::size_t> const& drafts() const { return drafts_; }

  /// Σ of values over all but the `most` + 1 likeliest tokens of q, called heavy: what `left` starts from.
  Real light(std::vector<Real> const& values) const {
    Real sum = 0;
    for (std::size_t x = 0; x < values.size(); ++x)
      if (!heavy_[x]) sum += values[x];
    return sum;
  }

  /// Σ of values over the tokens that are left, in O(most). More heavy tokens are left than light ones are drawn, so that
  /// nothing cancels where the values are at most q, as it does in 1 − Σ over drafts that hold nearly all of q.
  Real left(std::vector<Real> const& values, Real const& light) const {
    Real sum = light;
    for (std::size_t const x : top_)
      if (!drawn_[x]) sum += values[x];
    for (std::size_t const x : drafts_)
      if (!heavy_[x]) sum -= values[x];
    return sum;
  }

 private:
  std::vector<std::size_t> drafts_, top_;
  std::vector<bool> drawn_, heavy_;
};

/// Sums over the orders in which k drafts can be drawn from q without replacement; k ≤ the tokens that q can draft.
template <class Real>
class DraftOrders {
 public:
  /// Throws UsageError where the first k − 1 drafts have more than `most_orders` orders.
  DraftOrders(RankedLaws<Real> const& laws, std::size_t k, double most_orders)
      : laws_(laws), k_(k), drawn_(laws.q(), k - 1), light_q_(drawn_.light(laws.q())) {
    double orders = 1;
    for (std::size_t i = 0; i + 1 < k; ++i) orders *= static_cast<double>(laws.size() - i);
    if (orders > most_orders)
      throw UsageError(
          fmt::format("--candidates {} of {} tokens without replacement (their first {} have {:.2g} orders, each a "
                      "term of the sum, "
                      "and {:.2g} are the most) give fewer candidates, or simulate",
                      k, laws.size(), k - 1, orders, most_orders));
  }

  /// E[p(drafted set)].
  Real expected_p() {
    std::vector<Real> pq(laws_.size());
    for (std::size_t x = 0; x < pq.size(); ++x) pq[x] = laws_.p()[x] * laws_.q()[x];
    Real const light_pq = drawn_.light(pq);
    Real sum = 0;
    each_order(Real(1), [&](Real const& probability, Real const& left) {
      sum += probability * drawn_.left(pq, light_pq) / left;  // of the next draft alone
    });
    return sum;
  }

  /// [V] P(the highest rank among the drafts is i).
  std::vector<Real> highest_rank() {
    // Given the first k − 1 drafts with the highest rank h, the last draft leaves it or is a higher rank, in proportion
    // to q: entry h + 1 collects both, h = −1 being that of no drafts.
    std::vector<Real> stays(laws_.size() + 1), factor(laws_.size() + 1);
    each_order(Real(1), [&](Real const& probability, Real const& left) {
      if (drawn_.drafts().size() + 1 < k_) return;
      std::size_t h = 0;
      for (std::size_t const x : drawn_.drafts()) h = std::max(h, x + 1);
      factor[h] += probability / left;
      stays[h] += probability * excess(Real(1), Real(laws_.q_from(h) / left));
    });
    std::vector<Real> law(laws_.size());
    Real sum = 0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      sum += factor[i];
      law[i] = stays[i + 1] + laws_.q()[i] * sum;
    }
    return law;
  }

  /// P(recursive rejection rejects all k drafts). A rejected draft has nothing left in the residual, so that after i
  /// rejections it is r_i = (p − t_i q)₊/F(t_i) over all tokens, F(t) = Σ (p − t q)₊: with d_i = q/q(left) elsewhere,
  /// (r_i − d_i)₊ ∝ (p − t_{i+1} q)₊, t_{i+1} = t_i + F(t_i)/q(left).
  Real all_rejected() { return rejected(Real(1), Real(0), Real(1)); }

 private:
  /// Calls visit(probability, q(left)) for every way to draw 0, 1, … k − 1 drafts, which drawn_ then holds.
  template <class Visit>
  void each_order(Real const& probability, Visit const& visit) {
    Real const left = drawn_.left(laws_.q(), light_q_);
    visit(probability, left);
    if (drawn_.drafts().size() + 1 == k_) return;
    for (std::size_t x = 0; x < laws_.size(); ++x) {
      if (drawn_.has(x)) continue;
      drawn_.draw(x);
      each_order(probability * laws_.q()[x] / left, visit);
      drawn_.put_back();
    }
  }

  /// `probability` of the drafts drawn and their rejections, t their level, mass = F(t).
  Real rejected(Real const& probability, Real const& t, Real const& mass) {
    Real const left = drawn_.left(laws_.q(), light_q_);
    Real const next = t + mass / left;
    Real const next_mass = laws_.above(next);
    if (!(next_mass > 0)) return 0;
    if (drawn_.drafts().size() + 1 == k_) return probability * next_mass / mass;
    Real sum = 0;
    for (std::size_t x = 0; x < laws_.size(); ++x) {
      if (drawn_.has(x)) continue;
      Real const residual = excess(laws_.p()[x], Real(t * laws_.q()[x])) / mass;
      Real const turned_down = excess(Real(laws_.q()[x] / left), residual);
      if (!(turned_down > 0)) continue;
      drawn_.draw(x);
      sum += rejected(probability * turned_down, next, next_mass);
      drawn_.put_back();
    }
    return sum;
  }

  RankedLaws<Real> const& laws_;
  std::size_t k_;
  DrawnDrafts<Real> drawn_;
  Real light_q_;
};

}  // namespace draftgauge
