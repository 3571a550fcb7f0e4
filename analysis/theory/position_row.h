#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/exact/rational.h"
#include "analysis/theory/draft_orders.h"
#include "analysis/theory/ranked_pair.h"
#include "sim/model/argmax.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {

/// p and q of a position as the formulas of rules read them (sim/task/record.h): a node of the form of
/// sim/model/node.h without drafts. Weights are the numbers that laws are given in, double or Rational; formulas
/// compute in Real, which is long double for doubles. p and q sum to 1, of doubles but for rounding.
///
/// Tokens are ranked by p/q when this is first needed, in O(V log V); then an excess takes O(log V). One object is
/// for one thread.
template <class Number>
class PositionRow {
  static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, Rational>);

 public:
  using Weight = Number;
  using Real = std::conditional_t<std::is_same_v<Number, double>, long double, Number>;

  PositionRow(std::vector<Number> p, std::vector<Number> q) : p_(std::move(p)), q_(std::move(q)) {}

  std::uint32_t vocab() const { return static_cast<std::uint32_t>(p_.size()); }
  Number total() const { return Number(1); }
  Number const& p(Token x) const { return p_[x]; }
  Number const& q(Token x) const { return q_[x]; }

  Token argmax_p() const {
    return argmax(vocab(), [this](Token x) -> Number const& { return p_[x]; });
  }
  Token argmax_q() const {
    return argmax(vocab(), [this](Token x) -> Number const& { return q_[x]; });
  }
  /// The i-th most likely token of q, i = 0…; of equal ones the smaller first.
  Token top_q(int i) const {
    auto const asked = static_cast<std::size_t>(i) + 1;
    if (top_.size() < asked) top_ = most_likely(q_, std::min(2 * asked, q_.size()));
    return top_[asked - 1];
  }

  /// Σ f(p(x), q(x)) over all tokens, in Real.
  template <class F>
  Real sum(F const& f) const {
    Real sum = 0;
    for (std::size_t x = 0; x < p_.size(); ++x) sum += f(Real(p_[x]), Real(q_[x]));
    return sum;
  }

  struct Mass {
    Real sum;
    Real const& total() const { return sum; }
  };
  /// (a·p − b·q)₊ with its total(). Domain: a, b ≥ 0.
  Mass excess(Real const& a, Real const& b) const {
    return {a > 0 ? Real(a * ranked().above(Real(b / a))) : Real(0)};
  }
  /// (a·p − b)₊ on the tokens that q excludes.
  Mass excess_of_rest(Real const& a, Real const& b) const {
    Real sum = 0;
    for (Real const& p : ranked().undrafted()) sum += draftgauge::excess(Real(a * p), b);
    return {sum};
  }

  /// How many tokens q can draft.
  int support() const { return static_cast<int>(ranked().size()); }
  /// The laws of drafts without replacement that follow when all of them are drafted and rejected: p is that of the
  /// tokens that q excludes, q uniform. Domain: p has some.
  PositionRow rest() const {
    std::vector<Number> p;
    for (Real const& entry : ranked().undrafted()) p.push_back(static_cast<Number>(entry / ranked().undrafted_p()));
    std::vector<Number> uniform(p.size(), Number(1) / Number(p.size()));
    return {std::move(p), std::move(uniform)};
  }
  /// The orders of k drafts without replacement, k ≤ support(); UsageError where they are too many. Valid while this
  /// lives.
  DraftOrders<Real> orders(int k) const { return {ranked(), static_cast<std::size_t>(k)}; }

  RankedPair<Real> const& ranked() const {
    if (!ranked_) {
      std::vector<Real> const p(p_.begin(), p_.end()), q(q_.begin(), q_.end());
      ranked_ = std::make_shared<RankedPair<Real> const>(p, q);
    }
    return *ranked_;
  }

 private:
  std::vector<Number> p_, q_;
  mutable std::vector<Token> top_;
  mutable std::shared_ptr<RankedPair<Real> const> ranked_;
};

}  // namespace draftgauge
