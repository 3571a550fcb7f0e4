#include "analysis/load/rate_choice.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "analysis/load/shared_rounds.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

namespace {

/// What the same γ had in the last batch.
struct LastBatch {
  std::vector<double> survival;
  double rounds = 0;
};

/// The rounds of a request.
double rounds_at(BatchPoint const& point, BatchAcceptance const& accepted, Requests const& requests, bool bonus,
                 LastBatch& last) {
  if (point.gamma == 0) return static_cast<double>(requests.tokens);
  std::vector<double> survival = accepted.survival_in(point.gamma, point.batch);
  if (survival != last.survival || last.rounds == 0) {
    double const rounds = rounds_of_text(survival, point.gamma, requests.tokens, requests.lengths, bonus);
    last = {std::move(survival), rounds};
  }
  // Estimates of E[N] may exceed what a survival that never grows allows.
  auto const drafts = static_cast<std::size_t>(theory::longest_round(point.gamma, bonus)) - 1;
  return std::max(1., last.rounds * theory::expected_tokens(std::span(last.survival).first(drafts)) / point.tokens);
}

/// Whether a comes before b where one or both of two times are there; none where neither is.
std::optional<bool> sooner(std::optional<double> const& a, std::optional<double> const& b) {
  if (a && b) return *a < *b * (1 - speedup_tie);
  if (a || b) return a.has_value();
  return std::nullopt;
}

}  // namespace

std::vector<RateRow> serve_by_gamma(BatchCosts const& costs, BatchAcceptance const& accepted, std::int64_t most,
                                    bool by_batch, Requests const& requests, bool bonus) {
  std::int64_t const first = costs.batches().front(), last = costs.batches().back();
  std::vector<std::vector<RequestTime>> times;  // [γ][b − 1]; of fewer than the first batch its own
  std::vector<LastBatch> lasts;
  std::vector<std::int64_t> gammas;
  std::vector<RequestTime> best;
  for (std::int64_t batch = 1; batch <= last; ++batch) {
    auto const points = points_in_batch(costs, accepted.tokens, most, std::max(first, batch));
    times.resize(points.size());
    gammas.resize(points.size());
    lasts.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      gammas[i] = points[i].gamma;
      times[i].push_back({rounds_at(points[i], accepted, requests, bonus, lasts[i]), points[i].round_ms});
    }
    best.push_back(std::ranges::min(times | std::views::transform([](auto const& all) { return all.back(); }), {},
                                    &RequestTime::ms));
  }
  auto const tokens = static_cast<double>(requests.tokens);
  std::vector<RateRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    rows.push_back({gammas[i], serve(times[i], requests.per_second, tokens)});
  if (by_batch) rows.push_back({std::nullopt, serve(best, requests.per_second, tokens)});
  return rows;
}

RateRow const& best_of(std::vector<RateRow> const& rows) {
  auto const better = [](RateRow const& a, RateRow const& b) {
    if (!a.gamma || !b.gamma) return a.gamma.has_value() && !b.gamma;
    if (auto const first = sooner(a.served.poisson_ms_per_token, b.served.poisson_ms_per_token)) return *first;
    if (auto const first = sooner(a.served.ms_per_token, b.served.ms_per_token)) return *first;
    return a.served.most_requests_per_second > b.served.most_requests_per_second * (1 + speedup_tie);
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
