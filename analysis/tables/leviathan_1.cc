#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

PaperTable make_leviathan_1(TableInput const&) {
  Table table{{"alpha", "α"},
              {"gamma", "γ"},
              {"printed_operations", "printed operations"},
              {"operations", "operations"},
              {"operations_verdict", "verdict", Align::left},
              {"printed_speed", "printed speed"},
              {"speed", "speed"},
              {"speed_verdict", "verdict", Align::left}};
  for (auto const& row : published("leviathan-1").rows) {
    Printed const alpha = chosen(row.at("alpha"));
    std::int64_t const gamma = chosen_count(row.at("gamma"));
    Printed const operations = printed(row.at("operations")), speed = printed(row.at("speed"));
    Recomputed const operations_again =
        recomputed(std::array{alpha}, [&](double a) { return theory::operations(a, gamma, 0); });
    Recomputed const speed_again =
        recomputed(std::array{alpha}, [&](double a) { return theory::speedup(a, gamma, 0); });
    table.add({Number{alpha.value, 1}, gamma, shown(operations), Number{operations_again.value, 4},
               verdict_cell(agreement(operations, operations_again)), shown(speed), Number{speed_again.value, 4},
               verdict_cell(agreement(speed, speed_again))});
  }
  return {"Operations and speed at chosen α and γ, where drafts cost nothing (c = ĉ = 0)",
          {{"",
            std::move(table),
            {"Theorem 3.11, (1−α)(γĉ+γ+1)/(1−α^(γ+1)), and Theorem 3.8, (1−α^(γ+1))/((1−α)(γc+1)). α was chosen, not "
             "measured, so that only what is printed was rounded."}}}};
}

}  // namespace

constinit TableCard const leviathan_1{"leviathan-1", "operations and speed at chosen α and γ, c = ĉ = 0",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 1", false, make_leviathan_1};

}  // namespace draftgauge
