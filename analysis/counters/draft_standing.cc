#include "analysis/counters/draft_standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counters/two_lengths.h"
#include "analysis/stats/interval.h"
#include "analysis/texts/text_errors.h"
#include "analysis/theory/optimum.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

CountedCurve curve_of(CountedDraft const& draft, CountedAsked const& asked) {
  auto curve = counted_curve(draft.counters, draft.costs, asked);
  if (!curve)
    throw InputError(fmt::format("{}: {} does not say how many tokens other drafts than its own would give",
                                 draft.counters.file, draft.counters.format),
                     "give counters by position, responses with their histograms, or rounds of one length");
  return std::move(*curve);
}

std::vector<CountedCurve> curves_of(std::span<CountedDraft const> drafts, CountedAsked asked) {
  asked.thorough = false;
  std::vector<CountedCurve> curves;
  for (CountedDraft const& each : drafts) curves.push_back(curve_of(each, asked));
  if (asked.most) return curves;
  // A longer draft that is replayed for one of them may be the best for another, too.
  std::size_t longest = 0;
  for (CountedCurve const& each : curves)
    if (each.replayed) longest = std::max(longest, each.rows.size());
  asked.replay_to = static_cast<std::int64_t>(longest) - 1;
  for (std::size_t i = 0; i < curves.size(); ++i)
    if (curves[i].replayed && curves[i].rows.size() < longest) curves[i] = curve_of(drafts[i], asked);
  return curves;
}

/// Plain decoding is certain.
std::optional<Interval> interval_of(CountedCurve const& curve, double confidence) {
  if (curve.best == 0) return Interval{1, 1, 1, confidence};
  return curve.rows[curve.best].interval;
}

std::optional<Interval> lead(CountedCurve const& best, CountedCurve const& other, double confidence) {
  auto const a = interval_of(best, confidence), b = interval_of(other, confidence);
  if (!a || !b) return std::nullopt;
  double const lead = a->value - b->value;
  return Interval{lead, lead - std::hypot(a->value - a->low, b->high - b->value),
                  lead + std::hypot(a->high - a->value, b->value - b->low), confidence, true};
}

/// By the differences between requests, where both runs have the same.
std::optional<Interval> paired_lead(CountedCurve const& best, EngineCounters const& of, CountedCurve const& other,
                                    EngineCounters const& other_of, double confidence) {
  auto const over_requests = [](CountedCurve const& curve) {
    return curve.over == CountedOver::requests && curve.best > 0 && curve.claims(curve.best) && curve.rows[curve.best].interval;
  };
  if (!over_requests(best) || !over_requests(other)) return std::nullopt;
  std::vector<std::size_t> const pairs = pairing(names_with_rounds(of), names_with_rounds(other_of));
  if (pairs.size() < 2 || pairs.size() != best.influence.size() || pairs.size() != other.influence.size())
    return std::nullopt;
  double squares = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double const off = best.influence[i] - other.influence[pairs[i]];
    squares += off * off;
  }
  auto const n = static_cast<double>(pairs.size());
  return student_interval(best.rows[best.best].speedup - other.rows[other.best].speedup,
                          std::sqrt(squares * n / (n - 1)), n - 1, confidence);
}

/// The speed-up of a curve in each of its draws, at the γ that ran; plain decoding, 1, where that is no faster. Sorted.
std::vector<double> fastest_in_draws(CountedCurve const& curve) {
  std::vector<double> fastest;
  for (std::vector<double> const& draw : curve.draws) {
    double most = 1;
    for (std::size_t g = 0; g < draw.size(); ++g)  // NaN where a draw has no round that says it
      if (curve.claims(g) && draw[g] > most) most = draw[g];
    fastest.push_back(most);
  }
  std::ranges::sort(fastest);
  return fastest;
}

/// Shares of a sorted list below a speed-up, and as fast.
struct Beside {
  double below, as_fast;

  Beside(std::vector<double> const& sorted, double speedup) {
    auto const least = std::ranges::lower_bound(sorted, speedup * (1 - speedup_tie));
    auto const above = std::ranges::upper_bound(sorted, speedup * (1 + speedup_tie));
    auto const all = static_cast<double>(sorted.size());
    below = static_cast<double>(least - sorted.begin()) / all;
    as_fast = static_cast<double>(above - least) / all;
  }
};

/// What one that reaches this speed-up wins of the others, in any of their draws: all where they are slower, its part
/// of those that are as fast.
double won_at(double speedup, std::vector<std::vector<double>> const& all, std::size_t own) {
  std::vector<double> tied = {1};  // [m] probability that none is faster and m are as fast
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == own) continue;
    Beside const other(all[i], speedup);
    tied.push_back(0);
    for (std::size_t m = tied.size(); m-- > 0;)
      tied[m] = tied[m] * other.below + (m > 0 ? tied[m - 1] * other.as_fast : 0);
  }
  double won = 0;
  for (std::size_t m = 0; m < tied.size(); ++m) won += tied[m] / static_cast<double>(m + 1);
  return won;
}

/// How often each has the fastest γ; last, how often none is faster than plain decoding. Runs are independent of each
/// other: each draw of one stands beside each of another's, so that no order and no seed pairs them.
std::vector<double> shares_won(std::vector<CountedCurve> const& curves) {
  std::vector<std::vector<double>> fastest;
  for (CountedCurve const& each : curves) fastest.push_back(fastest_in_draws(each));
  std::vector<double> won(curves.size() + 1);
  won.back() = 1;
  for (std::vector<double> const& each : fastest) won.back() *= Beside(each, 1).as_fast;
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (double const speedup : fastest[i])
      if (speedup > 1 + speedup_tie) won[i] += won_at(speedup, fastest, i) / static_cast<double>(fastest[i].size());
  for (double& share : won) share = std::min(share, 1.);  // whose sum rounds
  return won;
}

}  // namespace

CountedChoice choose_counted(std::span<CountedDraft const> drafts, CountedAsked const& asked) {
  std::vector<CountedCurve> curves = curves_of(drafts, asked);
  auto const fastest = [](CountedCurve const& each) { return each.rows[each.best].speedup; };
  CountedChoice choice{{}, smallest_best(speedups_of(curves, fastest)), {}, false, {}, {}};
  CountedAsked together = asked;
  together.confidence = 1 - (1 - asked.confidence) / static_cast<double>(drafts.size() - 1);
  auto const wider = drafts.size() > 2 ? curves_of(drafts, together) : curves;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    CountedCurve const& best = wider[choice.best];
    auto const paired = i == choice.best ? std::nullopt
                                         : paired_lead(best, drafts[choice.best].counters, wider[i],
                                                       drafts[i].counters, together.confidence);
    choice.paired.push_back(paired.has_value());
    choice.leads.push_back(i == choice.best ? Interval{0, 0, 0, asked.confidence}
                           : paired         ? paired
                                            : lead(best, wider[i], together.confidence));
  }
  std::vector<double> won;
  choice.few_requests = std::ranges::any_of(
      curves, [](CountedCurve const& each) { return each.requests.value_or(fewest_for_chances) < fewest_for_chances; });
  if (!choice.few_requests && std::ranges::all_of(curves, &CountedCurve::decides)) won = shares_won(curves);
  if (!won.empty()) choice.plain_p_best = won.back();
  for (std::size_t i = 0; i < curves.size(); ++i)
    choice.drafts.push_back({std::move(curves[i]), won.empty() ? std::nullopt : std::optional(won[i])});
  return choice;
}

}  // namespace draftgauge
