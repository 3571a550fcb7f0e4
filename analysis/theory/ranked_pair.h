#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

namespace draftgauge {

/// p and q over the tokens that q can draft, in the order of p/q, and what p has elsewhere. p and q sum to 1.
template <class Real>
class RankedPair {
 public:
  RankedPair(std::span<Real const> p, std::span<Real const> q) {
    std::vector<std::size_t> order;
    std::vector<Real> ratio(p.size());
    for (std::size_t x = 0; x < p.size(); ++x) {
      if (q[x] > 0) {
        order.push_back(x);
        ratio[x] = p[x] / q[x];
      } else {
        undrafted_.push_back(p[x]);
      }
    }
    std::ranges::sort(order, {}, [&](std::size_t x) -> Real const& { return ratio[x]; });
    std::ranges::sort(undrafted_);
    for (std::size_t const x : order) {
      p_.push_back(p[x]);
      q_.push_back(q[x]);
    }
    p_from_.resize(size() + 1);
    q_from_.resize(size() + 1);
    p_from_[size()] = std::accumulate(undrafted_.begin(), undrafted_.end(), Real(0));
    for (std::size_t i = size(); i-- > 0;) {
      p_from_[i] = p_from_[i + 1] + p_[i];
      q_from_[i] = q_from_[i + 1] + q_[i];
    }
  }

  /// Tokens that q can draft, and their probabilities by rank: p(i)/q(i) never falls in i.
  std::size_t size() const { return q_.size(); }
  std::vector<Real> const& p() const { return p_; }
  std::vector<Real> const& q() const { return q_; }
  /// q of the ranks ≥ i.
  Real const& q_from(std::size_t i) const { return q_from_[i]; }

  /// p of the tokens that q cannot draft, ascending, and their sum.
  std::vector<Real> const& undrafted() const { return undrafted_; }
  Real const& undrafted_p() const { return p_from_[size()]; }

  /// Σ (p − t q)₊, the mass that p has above t times q. O(log V).
  Real above(Real const& t) const {
    auto const ranks = std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(size()));
    std::size_t const first =
        *std::ranges::partition_point(ranks, [&](std::size_t i) { return !(p_[i] > t * q_[i]); });
    Real const mass = p_from_[first] - t * q_from_[first];
    return mass > 0 ? mass : Real(0);
  }

 private:
  std::vector<Real> p_, q_, undrafted_;
  std::vector<Real> p_from_, q_from_;  // of the ranks ≥ i
};

}  // namespace draftgauge
