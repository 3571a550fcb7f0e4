#include "analysis/theory/optimum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// Beyond every γ: what a round adds to γ still fits.
constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max() - (1 << 20);

/// The γ from first to last, between which a round's cost grows by `slope` with each draft.
struct Piece {
  std::int64_t first, last;
  double slope;
  bool open() const { return last == endless; }
};

/// From γ = 1 on. Neighbours share the γ at which v or w bends.
std::vector<Piece> pieces(Costs const& costs) {
  std::set<std::int64_t> bends = {1};
  for (auto const* curve : {&costs.verify, &costs.draft_curve})
    for (auto const& [n, ignored] : *curve)
      if (n > 2) bends.insert(n - 1);
  std::vector<std::int64_t> const starts(bends.begin(), bends.end());
  std::vector<Piece> all;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::int64_t const first = starts[i], last = i + 1 < starts.size() ? starts[i + 1] : endless;
    double const wider = costs.verify_pass(first + 2) - costs.verify_pass(first + 1);
    double const again = costs.extra_draft_passes * (costs.draft_pass(first + 2) - costs.draft_pass(first + 1));
    // In this order: a c far below 1 must not be lost in v.
    all.push_back({first, last, costs.draft + costs.draft * again + wider});
  }
  return all;
}

/// The first γ in (known_false, known_true] for which a condition that stays true holds.
std::int64_t first_true(std::int64_t known_false, std::int64_t known_true, auto const& holds) {
  while (known_true - known_false > 1) {
    std::int64_t const middle = known_false + (known_true - known_false) / 2;
    (holds(middle) ? known_true : known_false) = middle;
  }
  return known_true;
}

/// The same from `first` on, at most `last`, by steps that double: quick where the answer is near.
std::int64_t first_from(std::int64_t first, std::int64_t last, auto const& holds) {
  if (holds(first)) return first;
  std::int64_t low = first, step = 1;
  while (low < last) {
    std::int64_t const next = step > last - low ? last : low + step;
    if (holds(next)) return first_true(low, next, holds);
    low = next;
    if (step <= last / 2) step *= 2;
  }
  return last;
}

/// Whether S(γ + 1) > S(γ) within a piece.
bool rises(IidRounds const& rounds, Piece const& piece, std::int64_t gamma) {
  auto const longest = static_cast<double>(theory::longest_round(gamma, rounds.bonus));
  return std::pow(rounds.alpha, longest) * time_of_round(rounds.costs, gamma) >
         piece.slope * tokens_of_round(rounds, gamma);
}

/// Whether S grows along the piece without end. At α = 1 the condition of `rises` is the same for every γ of a piece.
bool grows_for_ever(IidRounds const& rounds, Piece const& piece) {
  if (!piece.open() || rounds.alpha == 0) return false;
  return piece.slope == 0 || (rounds.alpha == 1 && rises(rounds, piece, piece.first));
}

/// What S goes to along a piece on which it grows for ever.
double supremum(IidRounds const& rounds, Piece const& piece) {
  if (piece.slope == 0) return theory::expected_tokens_limit(rounds.alpha) / time_of_round(rounds.costs, piece.first);
  return 1 / piece.slope;
}

/// The γ of the piece at which S is greatest; `endless` where it grows for ever.
std::int64_t top_of(IidRounds const& rounds, Piece const& piece) {
  if (grows_for_ever(rounds, piece)) return endless;
  return first_from(piece.first, piece.last, [&](std::int64_t gamma) { return !rises(rounds, piece, gamma); });
}

double best_on(IidRounds const& rounds, Piece const& piece) {
  std::int64_t const top = top_of(rounds, piece);
  return top == endless ? supremum(rounds, piece) : speedup(rounds, top);
}

/// The first γ of the piece with S ≥ enough; none where there is none.
std::optional<std::int64_t> first_reaching(IidRounds const& rounds, Piece const& piece, double enough) {
  auto const holds = [&](std::int64_t gamma) { return speedup(rounds, gamma) >= enough; };
  std::int64_t const top = top_of(rounds, piece);
  std::int64_t const found = first_from(piece.first, top, holds);
  return found < endless && holds(found) ? std::optional(found) : std::nullopt;
}

/// `speedup_tie` keeps the best γ itself in at share 0; an infinite speed-up has nothing near it.
double near_enough(double greatest, double share) {
  require_domain(share >= 0 && share < 1, "`near`", share, "it is a share of the best speed-up",
                 "give a number from 0 to below 1, such as .01");
  return greatest * (1 - std::max(share, speedup_tie));
}

IidRounds at(IidRounds rounds, double alpha) {
  rounds.alpha = alpha;
  return rounds;
}

/// The least x in [low, high] for which a condition that stays true holds, to 1e-9; none where it never does.
std::optional<double> least_true(double low, double high, auto const& holds) {
  if (!holds(high)) return std::nullopt;
  if (holds(low)) return low;
  while (high - low > 1e-10) {
    double const middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double tokens_of_round(IidRounds const& rounds, std::int64_t gamma) {
  return gamma == 0 ? 1 : theory::expected_tokens(rounds.alpha, gamma, rounds.bonus);
}

double time_of_round(Costs const& costs, std::int64_t gamma) { return gamma == 0 ? 1 : costs.of_round(gamma); }

double speedup(IidRounds const& rounds, std::int64_t gamma) {
  return tokens_of_round(rounds, gamma) / time_of_round(rounds.costs, gamma);
}

double break_even_cost(IidRounds const& rounds, std::int64_t gamma) {
  return break_even_cost(tokens_of_round(rounds, gamma) - 1, rounds.costs, gamma);
}

BestGamma best_gamma(IidRounds const& rounds) {
  require_alpha(rounds.alpha);
  require_cost(rounds.costs.draft);
  std::vector<Piece> const all = pieces(rounds.costs);
  double greatest = 1;
  for (Piece const& piece : all)
    if (!grows_for_ever(rounds, piece)) greatest = std::max(greatest, best_on(rounds, piece));
  if (Piece const& last = all.back(); grows_for_ever(rounds, last))
    if (double const limit = supremum(rounds, last); limit * (1 - speedup_tie) > greatest)
      return {std::nullopt, limit};
  double const enough = greatest * (1 - speedup_tie);
  if (1 >= enough) return {0, 1};
  for (Piece const& piece : all)
    if (auto const gamma = first_reaching(rounds, piece, enough)) return {*gamma, speedup(rounds, *gamma)};
  return {0, 1};  // not reached: some piece holds the greatest
}

std::vector<GammaRange> ranges_of(std::span<int const> gammas) {
  std::vector<GammaRange> ranges;
  for (int const gamma : gammas)
    if (!ranges.empty() && *ranges.back().last + 1 == gamma)
      ranges.back().last = gamma;
    else
      ranges.push_back({gamma, gamma});
  return ranges;
}

bool in_any(std::span<GammaRange const> ranges, std::int64_t gamma) {
  return std::ranges::any_of(
      ranges, [&](GammaRange const& range) { return range.first <= gamma && !(range.last && *range.last < gamma); });
}

std::vector<int> near_places(std::span<double const> speedups, double share) {
  double const enough = near_enough(std::ranges::max(speedups), share);
  std::vector<int> places;
  for (std::size_t i = 0; i < speedups.size(); ++i)
    if (speedups[i] >= enough) places.push_back(static_cast<int>(i));
  return places;
}

std::vector<GammaRange> near_best(std::span<double const> speedups, double share) {
  return ranges_of(near_places(speedups, share));
}

std::vector<GammaRange> near_best(IidRounds const& rounds, double share) {
  double const enough = near_enough(best_gamma(rounds).speedup, share);
  std::vector<GammaRange> ranges;
  if (1 >= enough) ranges.push_back({0, 0});
  for (Piece const& piece : pieces(rounds.costs)) {
    auto const first = first_reaching(rounds, piece, enough);
    if (!first) continue;
    std::optional<std::int64_t> last;
    if (std::int64_t const top = top_of(rounds, piece); top != endless) {
      auto const below = [&](std::int64_t gamma) { return !(speedup(rounds, gamma) >= enough); };
      std::int64_t const end = first_from(top, piece.last, below);
      if (end != endless) last = below(end) ? end - 1 : end;
    }
    if (!ranges.empty() && ranges.back().last && *first <= *ranges.back().last + 1)
      ranges.back().last = last;
    else
      ranges.push_back({*first, last});
  }
  return ranges;
}

std::optional<RealGamma> best_real_gamma(IidRounds const& rounds) {
  Costs const& costs = rounds.costs;
  auto const flat = [](auto const& curve) {
    return std::ranges::all_of(curve, [](auto const& point) { return point.second == 1; });
  };
  if (!flat(costs.verify) || !rounds.bonus) return std::nullopt;
  if (costs.extra_draft_passes > 0 && !flat(costs.draft_curve)) return std::nullopt;
  double const fixed = 1 + costs.overhead + costs.extra_draft_passes * costs.draft;
  auto const gamma = theory::best_real_gamma(rounds.alpha, costs.draft / fixed);
  if (!gamma) return std::nullopt;
  double const there = theory::speedup_at_real(rounds.alpha, *gamma, costs.draft / fixed) / fixed;
  return there > 1 ? RealGamma{*gamma, there} : RealGamma{0, 1};
}

std::optional<double> least_paying_alpha(IidRounds const& rounds) {
  return least_true(0, 1, [&](double alpha) { return best_gamma(at(rounds, alpha)).gamma != 0; });
}

std::optional<double> greatest_paying_cost(IidRounds const& rounds) {
  constexpr double most = 2;  // γc < E[N] ≤ γ + 1
  auto const pays_below = least_true(0, most, [&](double less) {
    IidRounds cheaper = rounds;
    cheaper.costs.draft = most - less;
    return best_gamma(cheaper).gamma != 0;
  });
  return pays_below ? std::optional(most - *pays_below) : std::nullopt;
}

double regret(IidRounds const& rounds, std::int64_t gamma) {
  double const greatest = best_gamma(rounds).speedup;
  return std::isinf(greatest) ? 1 : std::max(0.0, 1 - speedup(rounds, gamma) / greatest);
}

LeastRegret least_regret(IidRounds const& rounds, double low, double high) {
  require_alpha(low);
  require_alpha(high);
  if (low > high)
    throw UsageError(fmt::format("`alpha` goes from {:g} down to {:g} (it is an interval)", low, high),
                     "give the smaller end first");
  IidRounds const ends[] = {at(rounds, low), at(rounds, high)};
  double const best[] = {best_gamma(ends[0]).speedup, best_gamma(ends[1]).speedup};
  auto const lost = [&](int end, std::int64_t gamma) {
    return std::isinf(best[end]) ? 1 : std::max(0.0, 1 - speedup(ends[end], gamma) / best[end]);
  };
  auto const with = [&](std::int64_t gamma) {
    double const at_low = lost(0, gamma), at_high = lost(1, gamma);
    return LeastRegret{gamma, std::max(at_low, at_high), at_low, at_high};
  };
  LeastRegret least = with(0);
  auto const consider = [&](LeastRegret const& other) {
    if (other.regret < least.regret - speedup_tie) least = other;
  };
  for (Piece const& piece : pieces(rounds.costs)) {
    std::int64_t const from = top_of(ends[0], piece), to = top_of(ends[1], piece);
    if (from == endless) continue;  // both grow along it: only its limit, below
    auto const crossed = [&](std::int64_t gamma) { return lost(0, gamma) >= lost(1, gamma); };
    std::int64_t const gamma = first_from(from, to, crossed);
    if (gamma > from) consider(with(gamma - 1));
    if (gamma != endless) consider(with(gamma));
  }
  Piece const last = pieces(rounds.costs).back();
  if (grows_for_ever(ends[1], last) && (last.slope == 0 || low == 1)) {
    auto const at_limit = [&](int end) {
      if (std::isinf(best[end])) return 0.0;
      return std::max(0.0, 1 - supremum(ends[end], last) / best[end]);
    };
    LeastRegret const limit{std::nullopt, std::max(at_limit(0), at_limit(1)), at_limit(0), at_limit(1)};
    if (limit.regret <= least.regret + speedup_tie) least = limit;
  }
  return least;
}

std::size_t smallest_best(std::span<double const> speedups) {
  double const most = std::ranges::max(speedups);
  auto const found = std::ranges::find_if(speedups, [&](double s) { return s >= most * (1 - speedup_tie); });
  return static_cast<std::size_t>(found - speedups.begin());
}

}  // namespace draftgauge
