#include "analysis/counters/counted_curve.h"

#include <algorithm>

#include "analysis/choose/counted_gamma.h"
#include "analysis/choose/replay_gamma.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/ordered.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/text_lead.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

CountedCurve of_requests(LengthCounts const& requests, Costs const& costs, CountedAsked const& asked) {
  RequestsGamma found = choose_by_requests(requests, costs, asked);
  return {std::move(found.choice), CountedOver::requests, found.counted.pooled.rounds,
          found.counted.survival.front().texts()};
}

CountedCurve of_rounds(RequestCounts const& rows, Costs const& costs, CountedAsked const& asked) {
  RoundsGamma found = choose_by_rounds(rows, costs, asked);
  return {std::move(found.choice), asked.draws > 0 ? CountedOver::rounds : CountedOver::nothing,
          found.counted.rounds};
}

CountedCurve of_ordered(OrderedCounts const& ordered, Costs const& costs, CountedAsked const& asked) {
  ReplayGamma found = choose_by_replay(ordered.requests, costs, asked, ordered.accepted_from);
  CountedCurve curve{std::move(found.choice), CountedOver::requests, found.rounds, found.requests};
  curve.replayed = found.bounded && !found.depth;
  if (found.parts > 0)
    curve.over = CountedOver::parts;
  else if (found.requests < 2)
    curve.over = CountedOver::nothing, curve.requests.reset();
  return curve;
}

/// Draws are of rounds that keep all of their drafts or none, where the interval is, too: one over requests has no
/// draws here, as each request's totals say nothing of its rounds.
CountedCurve of_totals(double alpha, EngineCounters const& counters, Costs const& costs, CountedAsked const& asked) {
  CounterEstimates const found = counter_estimates(counters, asked.confidence, asked.seed);
  auto const& within = found.alpha->interval;
  int const most = asked.most.value_or(longest_assumed);
  CountedCurve curve{choose_by_alpha(alpha, within, most, costs, asked), CountedOver::nothing,
                     static_cast<std::uint64_t>(*counters.sums.rounds)};
  curve.by_alpha = true;
  std::int64_t const length = *set_length(counters);
  curve.claim_only(static_cast<std::size_t>(length));
  if (!within) return curve;
  curve.over = found.over;
  if (curve.over != CountedOver::totals) return curve;
  std::int64_t const rounds = *counters.sums.rounds,
                     all = std::clamp<std::int64_t>(*counters.sums.accepted / length, 0, rounds);
  RequestCounts const all_or_none = {{rounds - all, all}};
  for (std::vector<double> const& share : survival_draws(kaplan_meier(all_or_none), asked.draws, asked.seed)) {
    auto const drawn = theory::implied_alpha(1 + share.front() * static_cast<double>(length), length);
    curve.draws.push_back(choose_by_alpha(drawn.value_or(1), std::nullopt, most, costs, asked).speedups());
  }
  return curve;
}

std::optional<CountedCurve> curve_of(KeptCounts const& kept, EngineCounters const& counters, Costs const& costs,
                                     CountedAsked const& asked) {
  if (!kept.requests.empty()) return of_requests(kept.requests, costs, asked);
  if (!kept.rows.empty()) return of_rounds(kept.rows, costs, asked);
  if (!kept.survival.empty()) {
    CountedCurve curve{choose_by_survival(kept.survival, costs, asked)};
    curve.claim_only(kept.survival.size());
    return curve;
  }
  if (!kept.alpha) return std::nullopt;
  return of_totals(*kept.alpha, counters, costs, asked);
}

}  // namespace

std::optional<CountedCurve> counted_curve(EngineCounters const& counters, Costs const& costs,
                                          CountedAsked const& asked) {
  if (OrderedCounts const ordered = ordered_counts(counters); !ordered.requests.empty())
    return of_ordered(ordered, costs, asked);
  KeptCounts const kept = kept_counts(counters);
  CountedAsked of = asked;
  of.along_text = along_text(counters, kept);
  auto curve = curve_of(kept, counters, costs, of);
  if (!curve) return curve;
  curve->at_least = kept.at_least;
  return curve;
}

bool CountedCurve::decides() const {
  if (draws.empty() || !claims(best) || (rounds && !enough_rounds(*rounds))) return false;
  auto const known = [](GammaRow const& row) { return row.interval.has_value(); };
  return best > 0 ? known(rows[best]) : rows.size() == 1 || std::ranges::any_of(rows, known);
}

}  // namespace draftgauge
