#include "analysis/tables/cards.h"
#include "analysis/tables/gamma_map.h"

namespace draftgauge {
namespace {

PaperTable make_grid(TableInput const& input) {
  auto const alphas = input.alphas.empty() ? std::vector{.5, .6, .7, .8, .9, .95} : input.alphas;
  auto const costs = input.costs.empty() ? std::vector{.01, .02, .05, .1, .2} : input.costs;
  GammaMap map =
      gamma_map(alphas, costs, [&](double alpha, std::size_t i) { return best_gamma({alpha, {.draft = costs[i]}}); });
  return {
      "The best γ and its speed-up by Theorem 3.8",
      {{"Best γ", std::move(map.gammas), {"The smallest γ whose S is greatest; 0 is plain decoding, where α ≤ c."}},
       {"Speed-up there", std::move(map.speedups), {"S = (1−α^(γ+1)) / ((1−α)(γc+1))."}}}};
}

}  // namespace

constinit TableCard const grid{"reference-grid",
                               "the best γ and its speed-up, over α and c",
                               "",
                               false,
                               make_grid,
                               {.alphas = true, .costs = true}};

}  // namespace draftgauge
