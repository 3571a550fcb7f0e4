#include "analysis/load/batch_choice.h"

#include <algorithm>

#include "analysis/theory/optimum.h"

namespace draftgauge {

std::vector<BatchPoint> points_in_batch(BatchCosts const& costs, TokensInBatch const& tokens, std::int64_t most,
                                        std::int64_t batch) {
  Costs const round = costs.at(batch);
  GridValue const plain = costs.plain_ms(batch);
  std::vector<BatchPoint> points{{batch, 0, 1, plain.value, plain.value, plain.guess}};
  for (std::int64_t gamma = 1; gamma <= std::min(most, costs.longest().value_or(most)); ++gamma)
    if (auto const emitted = tokens(gamma, batch))
      points.push_back({batch, gamma, *emitted, plain.value, round.of_round(gamma) * plain.value,
                        plain.guess || costs.guesses_draft(batch) || round.extrapolates(gamma + 1)});
  return points;
}

BatchPoint const& best_of(std::vector<BatchPoint> const& points) {
  return points[smallest_best(speedups_of(points, &BatchPoint::speedup))];
}

BatchChoice choose_by_batch(BatchCosts const& costs, TokensInBatch const& tokens, std::int64_t most) {
  BatchChoice choice;
  for (std::int64_t const batch : costs.batches())
    choice.measured.push_back(best_of(points_in_batch(costs, tokens, most, batch)));
  for (std::int64_t batch = costs.batches().front(); batch <= costs.batches().back(); ++batch) {
    std::int64_t const gamma = best_of(points_in_batch(costs, tokens, most, batch)).gamma;
    if (choice.ranges.empty() || choice.ranges.back().gamma != gamma) choice.ranges.push_back({batch, batch, gamma});
    choice.ranges.back().last = batch;
  }
  return choice;
}

}  // namespace draftgauge
