#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

#include "sim/chance/chance.h"
#include "sim/chance/entropy.h"
#include "sim/rows/most_likely.h"

namespace draftgauge::rules {

/// The numbers in which a row's distributions sum to 1: those of the row, or of integers its reals.
template <class Row>
using Share = std::conditional_t<std::is_integral_v<typename Row::Weight>, typename Row::Real, typename Row::Weight>;

/// p of a row, normalised. On the host.
template <class Row>
std::vector<Share<Row>> shares_of_p(Row const& row) {
  std::vector<Share<Row>> p;
  for (Token x = 0; x < row.vocab(); ++x) p.push_back(Share<Row>(row.p(x)) / Share<Row>(row.total()));
  return p;
}
template <class Row>
std::vector<Share<Row>> shares_of_q(Row const& row) {
  std::vector<Share<Row>> q;
  for (Token x = 0; x < row.vocab(); ++x) q.push_back(Share<Row>(row.q(x)) / Share<Row>(row.total()));
  return q;
}

/// What one position emits where a draft x from q is accepted with the probability accepts(x), and a rejection emits with
/// weights refill(x), not normalised.
template <class Row, class Accepts, class Refill>
auto emitted_law(Row const& row, Accepts const& accepts, Refill const& refill) {
  using Real = typename Row::Real;
  std::vector<Real> law(row.vocab());
  Real rejected(1), whole(0);
  for (Token x = 0; x < row.vocab(); ++x) {
    law[x] = Real(Real(row.q(x)) * accepts(x));
    rejected -= law[x];
    whole += refill(x);
  }
  if (!(rejected > Real(0)) || !(whole > Real(0))) return law;
  for (Token x = 0; x < row.vocab(); ++x) law[x] += Real(rejected / whole * refill(x));
  return law;
}
/// The same where a rejection emits from (p − q)₊.
template <class Row, class Accepts>
auto emitted_law(Row const& row, Accepts const& accepts) {
  using Real = typename Row::Real;
  return emitted_law(row, accepts, [&](Token x) { return excess(Real(row.p(x)), Real(row.q(x))); });
}
/// A row's tokens by falling p/q with the sums of both along it, as RatioRow has them in simulation. On the host.
template <class Real>
class RankedSums {
 public:
  struct Sums {
    Real p, q;
  };

  template <class Row>
  explicit RankedSums(Row const& row) : tokens_(row.vocab()) {
    std::iota(tokens_.begin(), tokens_.end(), Token{0});
    std::ranges::sort(tokens_, [&](Token a, Token b) {  // of what is tied with all, neither drafted nor wanted, last
      auto const left = row.p(a) * row.q(b), right = row.p(b) * row.q(a);
      return right < left || (!(left < right) && row.p(b) < row.p(a));
    });
    sums_.push_back({Real(0), Real(0)});
    for (Token const x : tokens_) {
      weights_.push_back({Real(row.p(x)), Real(row.q(x))});
      sums_.push_back({Real(sums_.back().p + weights_.back().p), Real(sums_.back().q + weights_.back().q)});
    }
  }

  std::vector<Token> const& tokens() const { return tokens_; }
  Sums const& sums(std::size_t places) const { return sums_[places]; }
  Sums const& weights(std::size_t place) const { return weights_[place]; }

 private:
  std::vector<Token> tokens_;
  std::vector<Sums> sums_, weights_;
};

/// min(1, num/den), and 1 where both are 0.
template <class Real>
Real share_of(Real const& num, Real const& den) {
  return num < den ? Real(num / den) : Real(1);
}

/// The k most likely tokens of p, of equal ones the smaller first; all where there are fewer. On the host.
template <class Row>
std::vector<Token> most_likely_of_p(Row const& row, std::uint32_t k) {
  std::vector<typename Row::Weight> p;
  for (Token x = 0; x < row.vocab(); ++x) p.push_back(row.p(x));
  return most_likely(p, std::min<std::size_t>(k, row.vocab()));
}

}  // namespace draftgauge::rules
