#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/base/host_device.h"
#include "sim/chance/chance.h"

namespace draftgauge::rules {

/// How k independent drafts from q are to be accepted so that as many are as any lossless rule can: orders of the tokens,
/// each with a weight. One is drawn, and its first token that was drafted is accepted; where the place of "none" comes
/// before, none is.
///
/// What can be accepted at all, m(y) of each token, is a polymatroid: m(A) ≤ f(A) = 1 − q(not A)^k, the probability that
/// some token of A is drafted. Its vertices are the orders, in which the token y gets f(y and those before it) − f(those
/// before it), so that every m is a mixture of orders, and any greedy m ≤ p is as great as can be, Σ m = 1 + min_H (p(H) −
/// q(H)^k). Every question about all sets H comes down to the prefixes of tokens ranked by m/q: x − y^k is concave. So
/// no set is ever listed, and a plan of n tokens takes O(n³) at most. (Own result; Global Resolution, arXiv 2511.15898,
/// has the same acceptance by convex minimisation.) On the host.
template <class Real>
class OrderPlan {
 public:
  /// p, q: [V], normalised. k ≥ 1.
  DRAFTGAUGE_APART OrderPlan(std::vector<Real> const& p, std::vector<Real> const& q, int k) : k_(k), left_(p) {
    for (Token x = 0; x < q.size(); ++x)
      if (q[x] > Real(0)) {
        tokens_.push_back(x);
        q_.push_back(q[x]);
      }
    places_ = std::vector<std::uint32_t>(tokens_.size());
    for (std::uint32_t i = 0; i < places_.size(); ++i) places_[i] = i;
    std::vector<Real> x(tokens_.size(), Real(0));
    Real none(1);
    for (std::uint32_t y = 0; y < x.size(); ++y) {
      Real const room = none + least(x, Real(1), y);
      Real const take = std::min(p[tokens_[y]], room);
      x[y] = take > Real(0) ? take : Real(0);
      none -= x[y];
    }
    mix(std::move(x), none > Real(0) ? none : Real(0));
  }

  /// Tokens in the order of their rank; what stands in no order is accepted in none.
  struct Order {
    Real weight;
    std::vector<Token> tokens;
  };
  std::vector<Order> const& orders() const { return orders_; }
  /// P(one is accepted).
  Real const& accepted() const { return accepted_; }
  /// [V] p less what is accepted: what a rejection owes.
  std::vector<Real> const& left() const { return left_; }

 private:
  Real power(Real const& x) const {
    Real all = x;
    for (int i = 1; i < k_; ++i) all = all * x;
    return all;
  }

  /// min over sets B, but with `without` in none, of x(B) − w·q(B)^k; `set` is told which places are in it.
  Real least(std::vector<Real> const& x, Real const& w, std::uint32_t without, std::vector<bool>* set = nullptr) {
    std::ranges::sort(places_, [&](std::uint32_t a, std::uint32_t b) { return x[a] * q_[b] < x[b] * q_[a]; });
    Real sum(0), drafted(0), best(0);
    std::size_t reached = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] == without) continue;
      sum += x[places_[i]];
      drafted += q_[places_[i]];
      Real const value = sum - w * power(drafted);
      if (!(value < best)) continue;
      best = value;
      reached = i + 1;
    }
    if (set) {
      set->assign(x.size(), false);
      for (std::size_t i = 0; i < reached; ++i) (*set)[places_[i]] = places_[i] != without;
    }
    return best;
  }

  /// x of the tokens and of none, whose sum is w, as a mixture: the order by falling x/q is a vertex of the smallest face
  /// that x lies in, and has the greatest weight with which what remains is still in the polymatroid.
  void mix(std::vector<Real> x, Real none) {
    std::uint32_t const nobody = static_cast<std::uint32_t>(x.size());
    Real w(1);
    for (std::size_t step = 0; some(w) && step <= 2 * x.size() + 2; ++step) {
      std::ranges::stable_sort(places_, [&](std::uint32_t a, std::uint32_t b) { return x[b] * q_[a] < x[a] * q_[b]; });
      Order order{w, {}};
      std::vector<Real> vertex(x.size(), Real(0));
      Real open(1), behind(1);  // P(none of those before was drafted), and its k-th root
      for (std::uint32_t const y : places_) {
        if (!some(x[y])) continue;
        order.tokens.push_back(tokens_[y]);
        behind -= q_[y];
        Real const rest = behind > Real(0) ? power(behind) : Real(0);
        vertex[y] = open - rest;
        open = rest;
      }
      Real weight = some(none) || some(open) ? at_most(w, none, open) : w;
      for (std::size_t y = 0; y < x.size(); ++y) weight = at_most(weight, x[y], vertex[y]);
      for (std::size_t round = 0; round <= x.size(); ++round) {  // the sets that would be left with too little
        std::vector<Real> rest(x.size());
        for (std::size_t y = 0; y < x.size(); ++y) rest[y] = x[y] - weight * vertex[y];
        std::vector<bool> set;
        Real const lack = none - weight * open + least(rest, Real(w - weight), nobody, &set);
        if (!some(Real(Real(0) - lack))) break;
        Real drafted(0), mass = none, of_vertex = open;
        for (std::size_t y = 0; y < x.size(); ++y)
          if (set[y]) {
            drafted += q_[y];
            mass += x[y];
            of_vertex += vertex[y];
          }
        Real const slope = of_vertex - power(drafted), slack = mass - w * power(drafted);
        if (!(slope > Real(0))) break;
        weight = slack > Real(0) ? Real(slack / slope) : Real(0);
      }
      if (step == 2 * x.size() + 2) weight = w;  // what rounding of doubles leaves
      order.weight = weight;
      for (std::size_t y = 0; y < x.size(); ++y) {
        x[y] = excess(x[y], Real(weight * vertex[y]));
        left_[tokens_[y]] = excess(left_[tokens_[y]], Real(weight * vertex[y]));
        accepted_ += weight * vertex[y];
      }
      none = excess(none, Real(weight * open));
      w -= weight;
      if (weight > Real(0)) orders_.push_back(std::move(order));
    }
  }

  /// The weight, or less, so that no more than x is taken.
  static Real at_most(Real const& weight, Real const& x, Real const& each) {
    return each > Real(0) && x < weight * each ? Real(x / each) : weight;
  }
  /// Above what doubles leave over.
  static bool some(Real const& amount) {
    if constexpr (std::is_floating_point_v<Real>)
      return amount > Real(1e-14);
    else
      return amount > Real(0);
  }

  int k_;
  std::vector<Token> tokens_;  ///< that q drafts
  std::vector<Real> q_;        ///< of these
  std::vector<std::uint32_t> places_;  ///< of these, sorted as last asked for
  std::vector<Real> left_;
  Real accepted_ = Real(0);
  std::vector<Order> orders_;
};

}  // namespace draftgauge::rules
