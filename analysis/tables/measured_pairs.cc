#include "analysis/tables/measured_pairs.h"

#include "analysis/tables/published.h"

namespace draftgauge {

Recomputed MeasuredPair::speedup() const {
  return recomputed(std::array{alpha, cost}, [&](double a, double c) { return theory::speedup(a, gamma, c); });
}

BestGamma MeasuredPair::best() const { return best_gamma({alpha.value, {.draft = cost.value}}); }

std::vector<MeasuredPair> measured_pairs() {
  std::vector<MeasuredPair> pairs;
  for (auto const& row : published("leviathan-2-4").rows)
    pairs.push_back({row.at("task"), row.at("draft"), row.at("temperature"), chosen_count(row.at("gamma")),
                     printed(row.at("alpha")), printed(row.at("c")), printed(row.at("emp")), printed(row.at("exp"))});
  return pairs;
}

}  // namespace draftgauge
