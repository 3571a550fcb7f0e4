#pragma once
#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "sim/base/host_device.h"
#include "sim/chance/chance.h"

namespace draftgauge::rules {

/// Which of a node's children is kept with which of the target's tokens: a plan π(y, t) over tokens y and tuples t of
/// children, π(y, t) > 0 only where y is in t, with Σ_t π(y, t) ≤ s·p(y) and Σ_y π(y, t) ≤ T(t), T being how often t is
/// drafted, and ΣΣπ as great as can be: a maximum flow (Khisti et al. 2024, arXiv 2410.18234, for s = 1). It grows by
/// paths from what recursive rejection keeps, so that it keeps no less token by token. On the host only, with V^k
/// tuples.
template <class Real>
class ChildPlan {
 public:
  /// p, q: [V], normalised; s in [0, 1]; distinct: siblings are drawn without replacement.
  DRAFTGAUGE_APART ChildPlan(std::vector<Real> const& p, std::vector<Real> const& q, Real const& score,
                             std::uint32_t children, bool distinct)
      : vocab_(static_cast<std::uint32_t>(p.size())), children_(children), distinct_(distinct), left_(p) {
    std::size_t tuples = 1;
    for (std::uint32_t i = 0; i < children; ++i) tuples *= vocab_;
    open_.assign(tuples, Real(0));
    drafted_.assign(tuples, Real(0));
    flow_.assign(tuples * children, Real(0));
    tokens_.resize(children);
    kept_.resize(children);
    holding_.resize(vocab_);
    for (Real& each : left_) each = score * each;
    begin(0, 0, Real(1), left_, q);
    for (std::size_t t = 0; t < tuples; ++t)
      for (std::uint32_t i = 0; i < children && drafted_[t] > Real(0); ++i) {
        if (first(t, i) != i) continue;
        holding_[token(t, i)].push_back(t * children + i);
        all_ += flow_[t * children + i];
        left_[token(t, i)] -= flow_[t * children + i];
        open_[t] -= flow_[t * children + i];
      }
    while (grow()) {
    }
    for (Real& each : left_)
      if (each < Real(0)) each = Real(0);  // rounding of doubles
  }

  Real const& all() const { return all_; }                 ///< ΣΣπ, at most s
  std::vector<Real> const& left() const { return left_; }  ///< [V] s·p(y) − Σ_t π(y, t)
  /// π(x, t)/T(t) of child i of the tuple of these tokens; 0 for a child that equals one before it.
  Real share(std::vector<Token> const& tuple, std::uint32_t i) const {
    std::size_t t = 0;
    for (Token const x : tuple) t = t * vocab_ + x;
    return drafted_[t] > Real(0) ? Real(flow_[t * children_ + i] / drafted_[t]) : Real(0);
  }

 private:
  Token token(std::size_t tuple, std::uint32_t i) const {
    for (std::uint32_t later = i + 1; later < children_; ++later) tuple /= vocab_;
    return static_cast<Token>(tuple % vocab_);
  }
  /// The first child of the tuple that is the token of child i.
  std::uint32_t first(std::size_t tuple, std::uint32_t i) const {
    for (std::uint32_t j = 0; j < i; ++j)
      if (token(tuple, j) == token(tuple, i)) return j;
    return i;
  }
  bool is_drafted(Token x, std::uint32_t before) const {
    for (std::uint32_t i = 0; i < before; ++i)
      if (tokens_[i] == x) return true;
    return false;
  }

  /// The law of child i after those in tokens_.
  std::vector<Real> draft_law(std::uint32_t i, std::vector<Real> const& q) const {
    if (!distinct_) return q;
    std::vector<Real> law(vocab_);
    Real sum(0);
    for (Token x = 0; x < vocab_; ++x)
      if (!is_drafted(x, i)) sum += law[x] = q[x];
    bool const rest = !(sum > Real(0));  // q has nothing left: any other token
    if (rest) sum = Real(static_cast<int>(vocab_ - i));
    for (Token x = 0; x < vocab_; ++x)
      if (!is_drafted(x, i)) law[x] = Real((rest ? Real(1) : law[x]) / sum);
    return law;
  }

  /// The flow of recursive rejection over the tuples that begin with the first i of tokens_: child x is kept with
  /// min(1, owed(x)/D(x)), D being its law, else owed becomes (owed − D)₊ over the probability that x was not.
  /// reached: P(these were drafted); open: P(none of them is kept).
  void begin(std::uint32_t i, std::size_t tuple, Real const& reached, std::vector<Real> const& owed,
             std::vector<Real> const& q, Real const& open = Real(1)) {
    if (i == children_) {
      open_[tuple] = drafted_[tuple] = reached;
      for (std::uint32_t j = 0; j < children_; ++j) flow_[tuple * children_ + j] = reached * kept_[j];
      return;
    }
    std::vector<Real> const law = draft_law(i, q);
    std::vector<Real> next(vocab_);
    Real sum(0), before(0);
    for (Token x = 0; x < vocab_; ++x) {
      sum += next[x] = excess(owed[x], law[x]);
      before += owed[x];
    }
    Real const rejected = Real(sum + (Real(1) - before));
    for (Real& each : next) each = rejected > Real(0) ? Real(each / rejected) : Real(0);
    for (Token x = 0; x < vocab_; ++x) {
      if (!(law[x] > Real(0))) continue;
      Real const keeps = owed[x] < law[x] ? Real(owed[x] / law[x]) : Real(1);
      tokens_[i] = x;
      kept_[i] = open * keeps;
      begin(i + 1, tuple * vocab_ + x, Real(reached * law[x]), next, q, Real(open * (Real(1) - keeps)));
    }
  }

  /// One more path from a token that has something left to a tuple that has, over tokens that give up what they hold
  /// of a tuple; the shortest one, by breadth-first search. False where there is none.
  bool grow() {
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> into(open_.size(), none);  // by tuple: the place by which it is reached
    std::vector<std::size_t> from(vocab_, none);        // by token: the place in a tuple that it gives up
    std::vector<bool> seen(vocab_);
    std::deque<Token> queue;
    for (Token y = 0; y < vocab_; ++y)
      if (some(left_[y])) {
        queue.push_back(y);
        seen[y] = true;
      }
    for (; !queue.empty(); queue.pop_front())
      for (std::size_t const place : holding_[queue.front()]) {
        std::size_t const tuple = place / children_;
        if (into[tuple] != none) continue;
        into[tuple] = place;
        if (some(open_[tuple])) {
          push(tuple, into, from);
          return true;
        }
        for (std::uint32_t i = 0; i < children_; ++i) {
          Token const y = token(tuple, i);
          if (seen[y] || !some(flow_[tuple * children_ + i])) continue;
          from[y] = tuple * children_ + i;
          seen[y] = true;
          queue.push_back(y);
        }
      }
    return false;
  }

  void push(std::size_t tuple, std::vector<std::size_t> const& into, std::vector<std::size_t> const& from) {
    constexpr std::size_t none = ~std::size_t{0};
    auto const each = [&](auto const& gains, auto const& gives) {  // places along the path, from its end
      for (std::size_t t = tuple;;) {
        std::size_t const place = into[t];
        Token const y = token(t, static_cast<std::uint32_t>(place % children_));
        gains(place);
        if (from[y] == none) return y;
        gives(from[y]);
        t = from[y] / children_;
      }
    };
    Real amount = open_[tuple];
    auto const least = [&](Real const& other) {
      if (other < amount) amount = other;
    };
    Token const source = each([](std::size_t) {}, [&](std::size_t place) { least(flow_[place]); });
    least(left_[source]);
    each([&](std::size_t place) { flow_[place] += amount; }, [&](std::size_t place) { flow_[place] -= amount; });
    open_[tuple] -= amount;
    left_[source] -= amount;
    all_ += amount;
  }

  /// Above what doubles leave over.
  static bool some(Real const& amount) {
    if constexpr (std::is_floating_point_v<Real>)
      return amount > 1e-15;
    else
      return amount > Real(0);
  }

  std::uint32_t vocab_, children_;
  bool distinct_;
  Real all_ = Real(0);
  std::vector<Real> left_;
  std::vector<Real> open_, drafted_;               ///< [tuples] what is left of T(t); T(t)
  std::vector<Real> flow_;                         ///< [tuples][children] π of the first child of each token
  std::vector<std::vector<std::size_t>> holding_;  ///< by token: its places in tuples
  std::vector<Token> tokens_;                      ///< of a tuple that begins
  std::vector<Real> kept_;                         ///< of its children
};

}  // namespace draftgauge::rules
