#include "analysis/load/rate_choice.h"

#include <algorithm>

#include "analysis/load/shared_rounds.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

std::vector<RateRow> serve_by_gamma(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t most,
                                    bool by_batch, double tokens_per_second) {
  std::int64_t const first = costs.batches().front(), last = costs.batches().back();
  std::vector<std::vector<double>> times;  // [γ][b − 1] ms per token; of fewer than the first batch its own
  std::vector<std::int64_t> gammas;
  std::vector<double> best;
  for (std::int64_t batch = 1; batch <= last; ++batch) {
    auto const points = points_in_batch(costs, accepted.tokens, most, std::max(first, batch));
    times.resize(points.size());
    gammas.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      gammas[i] = points[i].gamma;
      times[i].push_back(points[i].ms_per_token());
    }
    best.push_back(best_of(points).ms_per_token());
  }
  std::vector<RateRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i) rows.push_back({gammas[i], serve(times[i], tokens_per_second)});
  if (by_batch) rows.push_back({std::nullopt, serve(best, tokens_per_second)});
  return rows;
}

RateRow const& best_of(std::vector<RateRow> const& rows) {
  auto const better = [](RateRow const& a, RateRow const& b) {
    if (!a.gamma || !b.gamma) return a.gamma.has_value() && !b.gamma;
    if (a.served.ms_per_token && b.served.ms_per_token)
      return *a.served.ms_per_token < *b.served.ms_per_token * (1 - speedup_tie);
    if (a.served.ms_per_token || b.served.ms_per_token) return a.served.ms_per_token.has_value();
    return a.served.most_tokens_per_second > b.served.most_tokens_per_second * (1 + speedup_tie);
  };
  return *std::ranges::min_element(rows, better);
}

std::vector<WaitRow> done_first(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t tokens,
                                bool bonus) {
  std::vector<WaitRow> rows;
  for (std::int64_t const batch : costs.batches()) {
    std::optional<WaitRow> best;
    for (BatchPoint const& point : points_in_batch(costs, accepted.tokens, accepted.most, batch)) {
      auto const rounds = rounds_of_longest(accepted.survival, point.gamma, batch, tokens, bonus);
      if (!rounds) return {};
      WaitRow const row{batch,
                        point.gamma,
                        *rounds,
                        *rounds_of_longest(accepted.survival, point.gamma, 1, tokens, bonus),
                        *rounds * point.round_ms,
                        static_cast<double>(tokens) * point.plain_ms};
      if (!best || row.ms < best->ms * (1 - speedup_tie)) best = row;
    }
    rows.push_back(*best);
  }
  return rows;
}

}  // namespace draftgauge
