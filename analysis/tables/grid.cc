#include <fmt/format.h>

#include "analysis/tables/cards.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

PaperTable make_grid(TableInput const& input) {
  auto const alphas = input.alphas.empty() ? std::vector{.5, .6, .7, .8, .9, .95} : input.alphas;
  auto const costs = input.costs.empty() ? std::vector{.01, .02, .05, .1, .2} : input.costs;
  std::vector<Column> columns{{"cost", "c"}};
  for (double const alpha : alphas) columns.push_back({fmt::format("alpha_{}", alpha), fmt::format("α={}", alpha)});
  Table gammas(columns), speedups(columns);
  for (double const cost : costs) {
    std::vector<Cell> gamma_row{Number{cost, 4}}, speedup_row = gamma_row;
    for (double const alpha : alphas) {
      BestGamma const best = best_gamma({alpha, {.draft = cost}});
      gamma_row.push_back(best.gamma ? Cell(*best.gamma) : Cell(std::string("unbounded")));
      speedup_row.push_back(Number{best.speedup, 4});
    }
    gammas.add(std::move(gamma_row));
    speedups.add(std::move(speedup_row));
  }
  return {"The best γ and its speed-up by Theorem 3.8",
          {{"Best γ", std::move(gammas), {"The smallest γ whose S is greatest; 0 is plain decoding, where α ≤ c."}},
           {"Speed-up there", std::move(speedups), {"S = (1−α^(γ+1)) / ((1−α)(γc+1))."}}}};
}

}  // namespace

constinit TableCard const grid{"reference-grid", "the best γ and its speed-up, over α and c", "", false, make_grid};

}  // namespace draftgauge
