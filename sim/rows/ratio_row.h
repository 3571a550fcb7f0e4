#pragma once
#include <cstdint>

#include "sim/chance.h"
#include "sim/decide.h"

namespace draftgauge {

/// Sums of p and of q over the first tokens of an order, or the weights of one; integers, and exact.
struct SumPair {
  std::uint64_t p = 0, q = 0;
};

/// Whether a token of these weights stands before another in a row's order: by falling p/q, exactly. So tokens with q = 0
/// come first, by falling p, and tokens with p = 0 last; of equal ones the smaller.
DRAFTGAUGE_HD inline bool ratio_precedes(SumPair const& a, Token token_a, SumPair const& b, Token token_b) {
  Uint128 const left = Uint128{a.p} * b.q, right = Uint128{b.p} * a.q;
  if (left != right) return left > right;
  if (a.p != b.p) return a.p > b.p;  // two tokens with q = 0, or of one ratio, or one that neither p nor q has
  return token_a < token_b;
}

/// A row's tokens in falling order of p/q, with the sums of both along it. For any a, b ≥ 0 the tokens with a·p > b·q are
/// then the first t, which bisection finds, and Σ(a·p − b·q)₊ = a·P_t − b·Q_t. Every residual that a rule meets is of this
/// form (sim/rows/README.md), so that a question costs O(log vocab) and no rule looks at the whole vocabulary.
class RatioRow {
 public:
  DRAFTGAUGE_HD RatioRow(Token const* order, SumPair const* sums, std::uint32_t vocab)
      : order_(order), sums_(sums), vocab_(vocab) {}

  DRAFTGAUGE_HD std::uint32_t vocab() const { return vocab_; }
  DRAFTGAUGE_HD std::uint64_t total() const { return sums_[vocab_].p; }
  DRAFTGAUGE_HD Token token(std::uint32_t place) const { return order_[place]; }
  /// Over the first `places` tokens of the order.
  DRAFTGAUGE_HD SumPair sums(std::uint32_t places) const { return sums_[places]; }
  DRAFTGAUGE_HD SumPair weights(std::uint32_t place) const {
    SumPair const before = sums_[place], after = sums_[place + 1];
    return {after.p - before.p, after.q - before.q};
  }
  /// Where a token of these weights stands.
  DRAFTGAUGE_HD std::uint32_t place_of(Token token, SumPair const& its) const {
    return first_place(vocab_, [&](std::uint32_t j) { return !ratio_precedes(weights(j), order_[j], its, token); });
  }

  /// The first of `places` places where `holds` is true, of a statement that stays true from there on; else `places`.
  template <class Statement>
  DRAFTGAUGE_HD static std::uint32_t first_place(std::uint32_t places, Statement const& holds) {
    std::uint32_t low = 0;
    while (places > 0) {
      std::uint32_t const half = places / 2;
      bool const later = !holds(low + half);
      low += later ? half + 1 : 0;
      places = later ? places - half - 1 : half;
    }
    return low;
  }

 private:
  Token const* order_;   ///< [vocab]
  SumPair const* sums_;  ///< [vocab + 1]
  std::uint32_t vocab_;
};

/// What p has to be more than.
enum class Against {
  draft,  ///< q
  rest,   ///< 1 for each token that q excludes, without bound for the others
};

/// (a·p − b·w)₊ on a row, where p sums to 1, and so does w = q; a, b ≥ 0. In doubles: the total is off by 2^-51·a at most and
/// each token's share of it by as much, of tokens at the boundary a·p = b·w too. Never is a token picked where p is 0.
template <Against against>
class ExcessLaw {
 public:
  DRAFTGAUGE_HD ExcessLaw(RatioRow const& row, double a, double b) : row_(row), a_(a), b_(b) {
    places_ = RatioRow::first_place(row.vocab(), [&](std::uint32_t j) {
      SumPair const here = row.weights(j);
      return !exceeds(here);
    });
    sum_ = up_to(places_);
  }

  DRAFTGAUGE_HD std::uint32_t size() const { return row_.vocab(); }
  DRAFTGAUGE_HD double total() const { return sum_ > 0 ? sum_ / static_cast<double>(row_.total()) : 0; }

  /// The token that holds the share `u` of the total, u in [0, 1), as tokens stand in the order. Domain: total() > 0.
  DRAFTGAUGE_HD Token at(double u) const {
    double const sought = u * sum_;
    return row_.token(RatioRow::first_place(places_ - 1, [&](std::uint32_t j) { return up_to(j + 1) > sought; }));
  }

 private:
  DRAFTGAUGE_HD bool exceeds(SumPair const& weights) const {
    if constexpr (against == Against::rest)
      return weights.q == 0 && a_ * static_cast<double>(weights.p) > b_ * static_cast<double>(row_.total());
    else
      return a_ * static_cast<double>(weights.p) > b_ * static_cast<double>(weights.q);
  }
  /// Over the first places of the order, in units of the row's total.
  DRAFTGAUGE_HD double up_to(std::uint32_t places) const {
    SumPair const sums = row_.sums(places);
    double const taken = against == Against::rest ? static_cast<double>(places) * static_cast<double>(row_.total())
                                                  : static_cast<double>(sums.q);
    return a_ * static_cast<double>(sums.p) - b_ * taken;
  }

  RatioRow row_;
  double a_, b_;
  std::uint32_t places_;  ///< tokens with a·p > b·w
  double sum_;
};

}  // namespace draftgauge
