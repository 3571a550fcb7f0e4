#include "analysis/tables/cards.h"
#include "analysis/tables/measured_pairs.h"

namespace draftgauge {
namespace {

PaperTable make_leviathan_4(TableInput const&) {
  Table table(recomputed_columns({{"task", "task", Align::left},
                                  {"draft", "draft", Align::left},
                                  {"temperature", "T"},
                                  {"gamma", "γ"},
                                  {"alpha", "α"},
                                  {"cost", "c"}},
                                 {"speedup", "S"}, {{"best_gamma", "best γ"}, {"best_speedup", "S there"}}));
  for (MeasuredPair const& pair : measured_pairs()) {
    BestGamma const best = pair.best();
    table.add(recomputed_cells(
        {pair.task, pair.draft, Exact{pair.temperature}, pair.gamma, shown(pair.alpha), shown(pair.cost)},
        pair.predicted, pair.speedup(), {.ends = 3}, {*best.gamma, Number{best.speedup, 4}}));
  }
  return {"Speed-ups of T5-XXL by Theorem 3.8, as printed and recomputed",
          {{"",
            std::move(table),
            {"S: Theorem 3.8 at the printed α, γ and c; least and most: over all α and c that are printed so, half a "
             "unit of the last digit either way. It follows where S rounds to the printed figure, and follows within "
             "rounding where something between least and most does. Last columns: our best γ at that α and c, and S "
             "there.",
             "The measured speed-ups that the paper prints beside these are in leviathan-2."}}}};
}

}  // namespace

constinit TableCard const leviathan_4{"leviathan-4", "predicted speed-ups of T5-XXL: which follow, and the best γ",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 4", false, make_leviathan_4};

}  // namespace draftgauge
