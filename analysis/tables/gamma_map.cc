#include "analysis/tables/gamma_map.h"

#include <fmt/format.h>

namespace draftgauge {

Cell gamma_cell(BestGamma const& best) { return best.gamma ? Cell(*best.gamma) : Cell(std::string(unbounded_gamma)); }

GammaMap gamma_map(std::vector<double> const& alphas, std::vector<double> const& costs,
                   std::function<BestGamma(double alpha, std::size_t cost)> const& best) {
  std::vector<Column> columns{{"cost", "c"}};
  for (double const alpha : alphas) columns.push_back({fmt::format("alpha_{}", alpha), fmt::format("α={}", alpha)});
  GammaMap map{Table(columns), Table(columns)};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    std::vector<Cell> gammas{Number{costs[i], 4}}, speedups = gammas;
    for (double const alpha : alphas) {
      BestGamma const there = best(alpha, i);
      gammas.push_back(gamma_cell(there));
      speedups.push_back(Number{there.speedup, 4});
    }
    map.gammas.add(std::move(gammas));
    map.speedups.add(std::move(speedups));
  }
  return map;
}

}  // namespace draftgauge
