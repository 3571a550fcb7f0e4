#include "analysis/draft_policies.h"
#include "analysis/optimum.h"
#include "analysis/tables/cards.h"

namespace draftgauge {
namespace {

constexpr int longest_draft = 4096;

PaperTable make(TableInput const& input) {
  auto const alphas = input.alphas.empty() ? std::vector{.5, .6, .7, .8, .9} : input.alphas;
  auto const costs = input.costs.empty() ? std::vector{.05} : input.costs;
  Table table{
      {"cost", "c"},    {"alpha", "α"},           {"mean_drafts", "E[γ]"},     {"mean_tokens", "E[N]"},
      {"speedup", "S"}, {"best_gamma", "best γ"}, {"best_speedup", "S there"}, {"lost", "lost", Align::right, "%"}};
  for (double const cost : costs)
    for (double const alpha : alphas) {
      Costs const c{.draft = cost};
      PolicyGain const gain = long_run(DraftPolicy::heuristic, geometric_survival(alpha, longest_draft), c);
      BestGamma const best = best_gamma({alpha, c});
      double const mean_time = 1 + cost * gain.mean_drafts;
      table.add({Number{cost, 4}, Number{alpha, 4}, Number{gain.mean_drafts, 4}, Number{gain.speedup * mean_time, 4},
                 Number{gain.speedup, 4}, best.gamma ? Cell(*best.gamma) : Cell(std::string("unbounded")),
                 Number{best.speedup, 4}, Number{100 * (1 - gain.speedup / best.speedup), 2}});
    }
  return {"Hugging Face's heuristic schedule beside the best fixed γ",
          {{"",
            std::move(table),
            {"After a round that kept all drafts γ grows by 2, else it falls by 1, at least to 1: a chain whose "
             "stationary law gives E[γ], E[N] and S in the long run. Drafts are accepted independently with "
             "probability α; lost: what the best fixed γ would have over it."}}}};
}

}  // namespace

constinit TableCard const heuristic_lengths{"heuristic", "the adaptive schedule of transformers against the best γ",
                                            "", false, make};

}  // namespace draftgauge
