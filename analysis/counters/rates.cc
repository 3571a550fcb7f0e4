#include "analysis/counters/rates.h"

#include <array>

#include "analysis/counters/kept.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

std::optional<double> mean_over_requests(std::vector<CountedRequest> const& requests) {
  double sum = 0;
  std::size_t count = 0;
  for (CountedRequest const& request : requests)
    if (auto const rate = share_of_counts(request.sums.accepted, request.sums.drafted)) {
      sum += *rate;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

void add_alpha(CounterRates& rates, EngineCounters const& counters, std::optional<KaplanMeier> const& survival) {
  if (survival) {
    std::uint64_t tested = 0, rejected = 0;
    for (std::size_t i = 0; i < survival->reached.size(); ++i) {
      tested += survival->reached[i];
      rejected += survival->rejected[i];
    }
    rates.alpha = 1 - static_cast<double>(rejected) / static_cast<double>(tested);
    rates.alpha_from = alpha_of_tested;
    return;
  }
  auto const length = set_length(counters);
  if (!length || !rates.tokens_per_round) return;
  rates.alpha = theory::implied_alpha(*rates.tokens_per_round, *length);
  if (rates.alpha) rates.alpha_from = alpha_by_eq1;
}

}  // namespace

std::span<RateCard const> rate_cards() {
  static constexpr std::array cards = {
      RateCard{Rate::accepted_per_drafted, "accepted_per_drafted",
               "accepted of all draft tokens, with those behind a rejection"},
      RateCard{Rate::alpha, "alpha", "α: accepted of the draft tokens that were tested, up to the first rejection"},
      RateCard{Rate::conditional, "conditional", "draft i, of the rounds that drafted it and kept those before it"},
      RateCard{Rate::cumulative, "cumulative", "rounds that kept draft i, of all rounds"},
      RateCard{Rate::independent, "independent", "passed their test by themselves, also behind a rejection"},
      RateCard{Rate::per_request_mean, "per_request_mean", "mean over requests of accepted/drafted"}};
  return cards;
}

CounterRates counter_rates(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  CounterRates rates;
  rates.accepted_per_drafted = share_of_counts(sums.accepted, sums.drafted);
  rates.tokens_per_round = one_and_share_of_counts(sums.accepted, sums.rounds);
  rates.independent = share_of_counts(counters.passed_alone, sums.drafted);
  if (are_requests(counters)) rates.per_request_mean = mean_over_requests(counters.requests);
  if (sums.rounds && *sums.rounds > 0)
    for (std::int64_t const kept : sums.by_position)
      rates.cumulative.push_back(static_cast<double>(kept) / static_cast<double>(*sums.rounds));
  std::optional<KaplanMeier> survival;
  if (auto const rows = kept_by_length(sums); !rows.empty()) survival = kaplan_meier(rows);
  if (survival)
    for (std::size_t i = 0; i < survival->reached.size() && survival->reached[i] > 0; ++i)
      rates.conditional.push_back(1 - static_cast<double>(survival->rejected[i]) /
                                          static_cast<double>(survival->reached[i]));
  add_alpha(rates, counters, survival);
  return rates;
}

}  // namespace draftgauge
