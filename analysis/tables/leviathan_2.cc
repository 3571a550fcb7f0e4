#include "analysis/tables/cards.h"
#include "analysis/tables/measured_pairs.h"

namespace draftgauge {
namespace {

PaperTable make_leviathan_2(TableInput const&) {
  Table table{{"task", "task", Align::left},
              {"draft", "draft", Align::left},
              {"temperature", "T"},
              {"gamma", "γ"},
              {"alpha", "α"},
              {"measured", "measured"},
              {"predicted", "theory"},
              {"predicted_low", "least"},
              {"predicted_high", "most"},
              {"measured_over_predicted", "measured / theory"},
              {"best_gamma", "best γ"},
              {"best_speedup", "S there"},
              {"gain", "S gained", Align::right, "%"}};
  for (MeasuredPair const& pair : measured_pairs()) {
    Recomputed const again = pair.speedup();
    BestGamma const best = pair.best();
    table.add({pair.task, pair.draft, Exact{pair.temperature}, pair.gamma, shown(pair.alpha), shown(pair.measured),
               Number{again.value, 4}, Number{again.low, 3}, Number{again.high, 3},
               Number{pair.measured.value / again.value, 2}, *best.gamma, Number{best.speedup, 4},
               Number{100 * (best.speedup / again.value - 1), 1}});
  }
  return {"Measured speed-ups of T5-XXL beside what theory gives for them",
          {{"",
            std::move(table),
            {"α and the speed-up were measured: nothing here follows from anything. theory: Theorem 3.8 at the "
             "printed α and γ and at the c of Table 4, with the least and the most that rounding of α and c allows. "
             "Last columns: our best γ at that α and c, S there, and what it gains over the paper's γ by theory.",
             "A measured speed-up above the most that theory allows cannot be explained by rounding: costs, or a "
             "dependence between acceptances, were not as the theorem takes them (the paper's A.3 says so)."}}}};
}

}  // namespace

constinit TableCard const leviathan_2{"leviathan-2", "measured speed-ups of T5-XXL, beside theory and our best γ",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 2", false, make_leviathan_2};

}  // namespace draftgauge
