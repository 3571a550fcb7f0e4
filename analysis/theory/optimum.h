#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analysis/theory/closed_form.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// Which draft length to set where drafts are accepted independently with probability α (Leviathan et al. 2023, arXiv
/// 2211.17192, Section 3.1) and a round costs what it costs:
///
///     S(γ) = E[N] / ((γ + extra)·c + v(γ + 1) + o),     S(0) = 1, plain decoding,
///
/// Theorem 3.8 being v = 1, o = 0. A measured v is piecewise linear (Costs). Where the cost of a round grows by d
/// with each draft, S(γ+1) > S(γ) exactly where α^L·cost(γ) > d·E[N], L the longest round; the difference of the
/// sides changes by −α^L (1 − α) cost(γ+1) < 0, so that S is unimodal on every piece: the optimum over all γ is
/// found by bisection on each, without a largest γ.
struct IidRounds {
  double alpha;  ///< in [0, 1]
  Costs costs;
  bool bonus = true;
};

/// E[N], E[N] at γ = 0 being 1 also without the bonus token. γ ≥ 0.
double tokens_of_round(IidRounds const& rounds, std::int64_t gamma);
/// In plain steps of the target; 1 at γ = 0.
double time_of_round(Costs const& costs, std::int64_t gamma);
double speedup(IidRounds const& rounds, std::int64_t gamma);
/// The c up to which γ ≥ 1 pays, whatever c of these costs is (analysis/theory/cost.h).
double break_even_cost(IidRounds const& rounds, std::int64_t gamma);

/// The smallest γ whose S is within a relative 1e-12 of the greatest; 0, plain decoding (S = 1), where no γ has more:
/// with v = 1 and o = 0 wherever α ≤ c (Corollary 3.9). None where S grows for ever; then `speedup` is the
/// supremum, infinite at α = 1 with drafts that cost nothing.
struct BestGamma {
  std::optional<std::int64_t> gamma;
  double speedup;
};
/// rounds.alpha in [0, 1], rounds.costs.draft finite and ≥ 0, else UsageError.
BestGamma best_gamma(IidRounds const& rounds);

/// The real γ ≥ 0 at which a round's S is greatest, by Lambert's function (theory::best_real_gamma at the draft's
/// cost over all that a round costs without drafts), and S there; γ = 0 and S = 1, plain decoding, where no round has
/// more. None where S grows for ever, where v is not 1 throughout, and without the bonus token.
struct RealGamma {
  double gamma, speedup;
};
std::optional<RealGamma> best_real_gamma(IidRounds const& rounds);

/// The γ from `first` to `last`; to all greater ones where that is none.
struct GammaRange {
  std::int64_t first;
  std::optional<std::int64_t> last;
  friend bool operator==(GammaRange const&, GammaRange const&) = default;
};

/// Growing γ as ranges without a gap.
std::vector<GammaRange> ranges_of(std::span<int const> gammas);
bool in_any(std::span<GammaRange const> ranges, std::int64_t gamma);

/// Every γ ≥ 0 with S ≥ (1 − share)·S*, in order; more than one range where v bends. share in [0, 1), else
/// UsageError.
std::vector<GammaRange> near_best(IidRounds const& rounds, double share);

/// The same among γ = 0, 1, … with these speed-ups. Not empty.
std::vector<GammaRange> near_best(std::span<double const> speedups, double share);
/// One by one.
std::vector<int> near_places(std::span<double const> speedups, double share);

/// The α from which on some γ pays (S > 1) at these costs, c up to which some γ pays at this α; to 1e-9. None where
/// none does. Theorem 3.8's costs give c and α themselves (Corollary 3.9).
std::optional<double> least_paying_alpha(IidRounds const& rounds);
std::optional<double> greatest_paying_cost(IidRounds const& rounds);

/// Where α is only known to lie in [low, high]: the γ whose worst regret 1 − S(γ)/S* over the interval is least.
///
/// The worst is at one of the ends: S*/S(γ) is the greatest over g of E_g/E_γ·cost(γ)/cost(g), where E_g/E_γ, a
/// ratio of sums of powers of α, grows in α for g > γ and falls for g < γ. On a piece of v the regret at `low` has
/// its least value at a γ no greater than that at `high`, between which one grows and the other falls.
struct LeastRegret {
  std::optional<std::int64_t> gamma;  ///< the smallest; none where ever longer drafts are ever better
  double regret;                      ///< the greater of the two
  double at_low, at_high;             ///< regret at the ends
};
/// 0 ≤ low ≤ high ≤ 1, else UsageError. rounds.alpha is not looked at.
LeastRegret least_regret(IidRounds const& rounds, double low, double high);

/// 1 − S(γ)/S*.
double regret(IidRounds const& rounds, std::int64_t gamma);

/// Speed-ups closer than this, relatively, are equal: the smaller γ wins.
inline constexpr double speedup_tie = 1e-12;

/// What `speedup` says of each.
template <class All, class Speedup>
std::vector<double> speedups_of(All const& all, Speedup const& speedup) {
  std::vector<double> each;
  for (auto const& one : all) each.push_back(std::invoke(speedup, one));
  return each;
}

/// The place of the first entry within a relative 1e-12 of the greatest. Domain: not empty.
std::size_t smallest_best(std::span<double const> speedups);

}  // namespace draftgauge
