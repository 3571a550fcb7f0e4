#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "analysis/theory/ranked_pair.h"
#include "sim/chance/chance.h"

namespace draftgauge {

/// "--candidates 4 of 1000 tokens without replacement …", a UsageError.
[[noreturn]] void throw_too_many_orders(std::size_t k, std::size_t tokens, double orders, double most);

/// The orders in which k drafts can be drawn from q without replacement, k ≤ the tokens that q can draft: the drafts
/// that are drawn so far, and sums over them. Tokens are numbered by their rank (analysis/theory/ranked_pair.h).
template <class Real>
class DraftOrders {
 public:
  static constexpr double most = 1e7;

  /// Throws UsageError where the first k − 1 drafts have more than `most` orders.
  DraftOrders(RankedPair<Real> const& tables, std::size_t k)
      : tables_(tables), k_(k), top_(tables.size()), drawn_(tables.size()), heavy_(tables.size()) {
    double orders = 1;
    for (std::size_t i = 0; i + 1 < k; ++i) orders *= static_cast<double>(tables.size() - i);
    if (orders > most) throw_too_many_orders(k, tables.size(), orders, most);
    std::iota(top_.begin(), top_.end(), std::size_t{0});
    std::ranges::partial_sort(top_, top_.begin() + static_cast<std::ptrdiff_t>(k),
                              [&](std::size_t x, std::size_t y) { return q(x) > q(y); });
    top_.resize(k);
    for (std::size_t const x : top_) heavy_[x] = true;
    q_ = values([this](std::size_t x) { return q(x); });
  }

  /// Tokens that q can draft, and their laws.
  std::size_t size() const { return tables_.size(); }
  Real const& p(std::size_t i) const { return tables_.p()[i]; }
  Real const& q(std::size_t i) const { return tables_.q()[i]; }

  bool has(std::size_t i) const { return drawn_[i]; }
  void draw(std::size_t i) {
    drawn_[i] = true;
    drafts_.push_back(i);
  }
  void put_back() {
    drawn_[drafts_.back()] = false;
    drafts_.pop_back();
  }
  /// Whether the next draft is the last.
  bool last() const { return drafts_.size() + 1 == k_; }

  /// A number a token, and its sum over all but the k most likely tokens of q, called heavy.
  struct Values {
    std::vector<Real> of;
    Real light = 0;
  };
  template <class F>
  Values values(F const& f) const {
    Values result;
    for (std::size_t i = 0; i < size(); ++i) {
      result.of.push_back(f(i));
      if (!heavy_[i]) result.light += result.of.back();
    }
    return result;
  }
  /// Their sum over the tokens that are left, in O(k). More heavy tokens are left than light ones are drawn, so that
  /// nothing cancels where values are at most q, as it does in 1 − Σ over drafts that hold nearly all of q.
  Real left(Values const& values) const {
    Real sum = values.light;
    for (std::size_t const i : top_)
      if (!drawn_[i]) sum += values.of[i];
    for (std::size_t const i : drafts_)
      if (!heavy_[i]) sum -= values.of[i];
    return sum;
  }
  /// What is left of q.
  Real left() const { return left(q_); }

  /// Calls visit(probability, left()) for every way to draw 0, 1, … k − 1 drafts, which are then drawn.
  template <class Visit>
  void each(Visit const& visit, Real const& probability = 1) {
    Real const left = this->left();
    visit(probability, left);
    if (last()) return;
    for (std::size_t i = 0; i < size(); ++i) {
      if (has(i)) continue;
      draw(i);
      each(visit, Real(probability * q(i) / left));
      put_back();
    }
  }

  /// [size()] P(the highest rank among the k drafts is i).
  std::vector<Real> highest_rank() {
    // Given the first k − 1 drafts with the highest rank h, the last draft leaves it or is a higher rank, in proportion
    // to q: entry h + 1 collects both, h = −1 being that of no drafts.
    std::vector<Real> stays(size() + 1), factor(size() + 1);
    each([&](Real const& probability, Real const& left) {
      if (!last()) return;
      std::size_t h = 0;
      for (std::size_t const x : drafts_) h = std::max(h, x + 1);
      factor[h] += probability / left;
      stays[h] += probability * excess(Real(1), Real(tables_.q_from(h) / left));
    });
    std::vector<Real> law(size());
    Real sum = 0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      sum += factor[i];
      law[i] = stays[i + 1] + q(i) * sum;
    }
    return law;
  }

 private:
  RankedPair<Real> const& tables_;
  std::size_t k_;
  std::vector<std::size_t> drafts_, top_;
  std::vector<bool> drawn_, heavy_;
  Values q_;
};

}  // namespace draftgauge
