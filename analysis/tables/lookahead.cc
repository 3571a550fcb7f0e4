#include "analysis/families/lookahead.h"

#include <fmt/format.h>

#include "analysis/tables/cards.h"

namespace draftgauge {
namespace {

PaperTable make(TableInput const&) {
  constexpr int gamma = 4;
  constexpr double alphas[] = {.3, .5, .7, .9};
  std::vector<Column> columns{{"guesses", "b"}};
  for (double const alpha : alphas) columns.push_back({fmt::format("alpha_{}", alpha), fmt::format("α={}", alpha)});
  Table table(std::move(columns));
  for (std::int64_t const b : {1, 2, 4, 8, 16, 32}) {
    std::vector<Cell> row{b};
    for (double const alpha : alphas) row.push_back(Number{lookahead_tokens(alpha, gamma, b), 4});
    table.add(std::move(row));
  }
  Table apart{{"vocab", "V"},         {"gamma", "γ"},           {"guesses", "b"},
              {"formula", "formula"}, {"distinct", "distinct"}, {"equal", "all alike"}};
  struct Case {
    int vocab, gamma, guesses;
  };
  for (Case const& each : {Case{2, 1, 2}, Case{2, 3, 4}, Case{4, 2, 4}, Case{10, 3, 8}}) {
    auto const tokens = [&](Guesses kind) {
      return Number{uniform_guess_tokens(each.vocab, each.gamma, each.guesses, kind), 4};
    };
    apart.add({std::int64_t{each.vocab}, std::int64_t{each.gamma}, std::int64_t{each.guesses},
               tokens(Guesses::independent), tokens(Guesses::distinct), tokens(Guesses::equal)});
  }
  return {"Lookahead decoding: tokens of a pass with b guesses of γ tokens",
          {{fmt::format("E[N] by the formula, γ = {}", gamma),
            std::move(table),
            {"E[N] = (γ+1) − Σ_{i≤γ} (1 − α^i)^b. It takes guesses as independent; b = 1 is Eq. (1) of Leviathan et "
             "al. 2023."}},
           {"What independence leaves out",
            std::move(apart),
            {"Tokens and guesses uniform over V, exactly: α = 1/V. Guesses of a pool are distinct, and then exclude "
             "each other, so that more of them hit than the formula says; where all are alike one does all the "
             "work."}}}};
}

}  // namespace

constinit TableCard const lookahead_guesses{"lookahead", "Lookahead's formula, and where guesses are not independent",
                                            "", false, make};

}  // namespace draftgauge
