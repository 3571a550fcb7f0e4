#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/chance/chance.h"
#include "sim/chance/decide.h"

namespace draftgauge {

/// Sums of p and of q over the first tokens of an order, or the weights of one; integers, and exact.
struct SumPair {
  std::uint64_t p = 0, q = 0;
};

/// Whether a token of these weights stands before another in a row's order: by falling p/q, exactly. So tokens with q
/// = 0 come first, by falling p, and tokens with p = 0 last; of equal ones the smaller.
DRAFTGAUGE_HD inline bool ratio_precedes(SumPair const& a, Token token_a, SumPair const& b, Token token_b) {
  Uint128 const left = Uint128{a.p} * b.q, right = Uint128{b.p} * a.q;
  if (left != right) return left > right;
  if (a.p != b.p) return a.p > b.p;  // two tokens with q = 0, or of one ratio, or one that neither p nor q has
  return token_a < token_b;
}

/// So many places from one on.
struct Stretch {
  std::uint32_t first, count;
};

/// Where to look for places in the orders of all rows. Nothing of it changes an answer: a search begins where a
/// bisection of the whole row would come to in any case, and reads less memory on its way.
struct RowGuides {
  std::uint32_t const* places = nullptr;  ///< [rows][vocab] where each token stands
  std::uint32_t const* shares = nullptr;  ///< [rows][share_count(vocab) + 1] where each share of q begins
  Stretch const* ratios = nullptr;        ///< [rows][ratio_count(ratio_bits)] what a bisection by b/a comes down to
  int ratio_bits = 0;                     ///< of the mantissas of ratios that are told apart

  /// Equal shares of q's total that are told apart.
  DRAFTGAUGE_HD static constexpr std::uint32_t share_count(std::uint32_t vocab) {
    return vocab < 256 ? vocab : vocab / 4 + 192;
  }
  /// The share that number n < total lies in. (Any function that does not fall would do.)
  DRAFTGAUGE_HD static std::uint32_t share(std::uint64_t n, std::uint64_t total, std::uint32_t vocab) {
    std::uint32_t const count = share_count(vocab);
    std::uint32_t const i = static_cast<std::uint32_t>(static_cast<double>(n) * (count / static_cast<double>(total)));
    return i < count ? i : count - 1;
  }

  static constexpr int bits_for(std::uint32_t vocab) {
    int bits = 2;
    while (bits < 12 && vocab >> (bits + 6) > 0) ++bits;
    return bits;
  }
  /// Ratios are told apart from 2^-8 to 2^8; the first class is also of those below, the last of those above.
  DRAFTGAUGE_HD static constexpr std::uint32_t ratio_count(int bits) { return 16u << bits; }
  /// The class of a ratio ≥ 0, of infinity, or of what is no number, which is as good as infinity.
  DRAFTGAUGE_HD static std::uint32_t ratio_class(double ratio, int bits) {
    std::int64_t image;
    memcpy(&image, &ratio, sizeof image);
    std::int64_t const i = (image >> (52 - bits)) - (std::int64_t{1023 - 8} << bits);
    std::int64_t const last = ratio_count(bits) - 1;
    return static_cast<std::uint32_t>(i < 0 ? 0 : i > last ? last : i);
  }
  /// The least ratio of a class, and one beyond the last class.
  static double least_ratio(std::uint32_t i, int bits) {
    std::int64_t const image = (std::int64_t{i} + (std::int64_t{1023 - 8} << bits)) << (52 - bits);
    double ratio;
    memcpy(&ratio, &image, sizeof ratio);
    return ratio;
  }
};

/// A row's tokens in falling order of p/q, with the sums of both along it. For any a, b ≥ 0 the tokens with a·p > b·q
/// are then the first t, which bisection finds, and Σ(a·p − b·q)₊ = a·P_t − b·Q_t. Every residual that a rule meets
/// is of this form (sim/rows/README.md), so that a question costs O(log vocab) and no rule looks at the whole
/// vocabulary.
class RatioRow {
 public:
  DRAFTGAUGE_HD RatioRow(Token const* order, SumPair const* sums, std::uint32_t vocab)
      : order_(order), sums_(sums), vocab_(vocab) {}
  /// Row number `row` of those that the guides are to.
  DRAFTGAUGE_HD RatioRow(Token const* order, SumPair const* sums, std::uint32_t vocab, RowGuides const& guides,
                         std::uint32_t row)
      : order_(order), sums_(sums), vocab_(vocab), row_(row), guides_(guides) {}

  DRAFTGAUGE_HD std::uint32_t vocab() const { return vocab_; }
  DRAFTGAUGE_HD std::uint64_t total() const { return sums_[vocab_].p; }
  DRAFTGAUGE_HD Token token(std::uint32_t place) const { return order_[place]; }
  /// Over the first `places` tokens of the order.
  DRAFTGAUGE_HD SumPair sums(std::uint32_t places) const { return sums_[places]; }
  DRAFTGAUGE_HD SumPair weights(std::uint32_t place) const {
    SumPair const before = sums_[place], after = sums_[place + 1];
    return {after.p - before.p, after.q - before.q};
  }
  /// Where a token of weights(token) stands.
  template <class WeightsOf>
  DRAFTGAUGE_HD std::uint32_t place_of(Token token, WeightsOf const& weights_of) const {
    if (guides_.places) return guides_.places[std::size_t{row_} * vocab_ + token];
    SumPair const its = weights_of(token);
    return first_place({0, vocab_},
                       [&](std::uint32_t j) { return !ratio_precedes(weights(j), order_[j], its, token); });
  }

  /// Where the token stands, or right behind, that holds number n < total() of q.
  DRAFTGAUGE_HD Stretch near_number(std::uint64_t n) const {
    if (!guides_.places) return {0, vocab_ - 1};
    std::uint32_t const* const shares = guides_.shares + std::size_t{row_} * (RowGuides::share_count(vocab_) + 1) +
                                        RowGuides::share(n, total(), vocab_);
    return {shares[0], shares[1] - shares[0]};
  }
  /// What a bisection for the tokens with a·p > b·q comes down to.
  DRAFTGAUGE_HD Stretch near_ratio(double a, double b) const {
    if (!guides_.places || !(a + b > 0x1p-900)) return {0, vocab_};  // products so small are rounded more coarsely
    int const bits = guides_.ratio_bits;
    return guides_.ratios[std::size_t{row_} * RowGuides::ratio_count(bits) + RowGuides::ratio_class(b / a, bits)];
  }

  /// The first place of a stretch where `holds` is true, of a statement that stays true from there on; else the one
  /// behind.
  template <class Statement>
  DRAFTGAUGE_HD static std::uint32_t first_place(Stretch places, Statement const& holds) {
    std::uint32_t low = places.first, count = places.count;
    while (count > 0) {
      std::uint32_t const half = count / 2;
      bool const later = !holds(low + half);
      low += later ? half + 1 : 0;
      count = later ? count - half - 1 : half;
    }
    return low;
  }

 private:
  Token const* order_;   ///< [vocab]
  SumPair const* sums_;  ///< [vocab + 1]
  std::uint32_t vocab_, row_ = 0;
  RowGuides guides_;
};

/// What p has to be more than.
enum class Against {
  draft,  ///< q
  rest,   ///< 1 for each token that q excludes, without bound for the others
};

/// (a·p − b·w)₊ on a row, where p sums to 1, and so does w = q; a, b ≥ 0. In doubles: the total is off by 2^-51·a at
/// most and each token's share of it by as much, of tokens at the boundary a·p = b·w too. Never is a token picked
/// where p is 0.
template <Against against>
class ExcessLaw {
 public:
  DRAFTGAUGE_HD ExcessLaw(RatioRow const& row, double a, double b) : row_(row), a_(a), b_(b) {
    Stretch const near = against == Against::draft ? row.near_ratio(a, b) : Stretch{0, row.vocab()};
    places_ = RatioRow::first_place(near, [&](std::uint32_t j) { return !exceeds(row.weights(j)); });
    sum_ = up_to(places_);
  }

  DRAFTGAUGE_HD double total() const { return sum_ > 0 ? sum_ / static_cast<double>(row_.total()) : 0; }

  /// How many tokens have some of it, those that stand first.
  DRAFTGAUGE_HD std::uint32_t places() const { return places_; }

  /// The token that holds the share `u` of the total, u in [0, 1), as tokens stand in the order. Domain: total() > 0.
  DRAFTGAUGE_HD Token at(double u) const {
    double const sought = u * sum_;
    return row_.token(
        RatioRow::first_place({0, places_ - 1}, [&](std::uint32_t j) { return up_to(j + 1) > sought; }));
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
