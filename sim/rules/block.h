#pragma once
#include <cmath>

#include "sim/card.h"
#include "sim/chance.h"
#include "sim/rules/token.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// The steps of block verification, for the rule and for those that get it wrong. π_i is a number ≥ 0 that belongs to
/// the first i drafts.
namespace block {

/// π_i = min(1, π_{i−1}·p(x_i)/q(x_i)).
template <class Path, class Real>
DRAFTGAUGE_HD Real extended(Path const& path, int i, Real const& before) {
  auto const node = path.node(i - 1);
  Real const num = before * Real(node.p(path.token(i)));
  Real const den = Real(node.q(path.token(i)));
  return num < den ? Real(num / den) : Real(1);
}

/// Whether position i stands: with probability S/(S + 1 − π), S = Σ_x (π·p(x) − q(x))₊; the last one with π.
template <class Chance, class Path, class Real>
DRAFTGAUGE_HD bool stands(Chance& chance, Path const& path, int i, Real const& running) {
  if (i == path.length()) return chance.flip(running, Real(1));
  Real const sum = path.node(i).excess(running, Real(1)).total();
  return chance.flip(sum, Real(sum + (Real(1) - running)));
}

/// The first `kept` drafts and a token from norm((π·p − q)₊) there, from p after the last draft.
template <class Chance, class Path, class Real>
DRAFTGAUGE_HD Cut cut(Chance& chance, Path const& path, int kept, Real const& running) {
  auto const node = path.node(kept);
  if (kept == path.length()) return {kept, chance.pick(node.target())};
  return {kept, chance.pick(node.excess(running, Real(1)))};
}

}  // namespace block

/// Judge the draft as a whole: π_i = min(1, π_{i−1}·p(x_i)/q(x_i)) is the probability that at least i drafts are kept.
/// The longest prefix that stands is kept, whatever failed before it. Sun et al. 2024 (arXiv 2403.10444), Algorithm 2.
struct BlockRule {
  static constexpr RuleCard card{.name = "block",
                                 .summary = "keep the longest prefix that stands under the draft's running ratio",
                                 .source = "Sun et al. 2024, arXiv 2403.10444, Algorithm 2",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::path;
  static constexpr bool reads_order = true;

  template <class Chance, class Path>
  DRAFTGAUGE_HD Cut operator()(Chance& chance, Path const& path) const {
    using Real = typename Path::Real;
    Real running = 1, kept_running = 1;
    int kept = 0;
    for (int i = 1; i <= path.length(); ++i) {
      running = block::extended(path, i, running);
      if (block::stands(chance, path, i, running)) {
        kept = i;
        kept_running = running;
      }
    }
    return block::cut(chance, path, kept, kept_running);
  }

  /// Sun et al., Theorem 2.
  static constexpr bool at_least(As<TokenRule>) { return true; }

  /// It keeps τ = i drafts x^i and then emits y with probability Q(x^i) (π_i p(y) − q(y))₊, where the target writes x^i y with
  /// P(x^i) p(y). With w_i = Π_{j≤i} q(x_j)/p(x_j) of the text, P(τ = i | text) = (w_i π_i − w_{i+1})₊, and w_i π_i =
  /// min(w_i, w_{i−1} π_{i−1}) is the running minimum: P(τ ≥ i | text) = min(1, w_1, …, w_i). By sums of logarithms, so
  /// that no product overflows.
  struct Replay {
    using Drafter = drafters::Sample;

    double kept(double log_ratio) {
      sum_ += log_ratio;
      if (sum_ >= least_) return 1;  // also after q excluded a token: 1 of the nothing that gets there
      double const step = sum_ - least_;
      least_ = sum_;
      return std::exp(step);
    }

   private:
    double sum_ = 0, least_ = 0;  ///< ln w_i, and the least of them and 0
  };
};

}  // namespace draftgauge::rules
