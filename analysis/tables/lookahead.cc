#include "analysis/families/lookahead.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "analysis/tables/cards.h"

namespace draftgauge {
namespace {

PaperTable make_lookahead(TableInput const& input) {
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
  std::vector<double> const p{.6, .3, .1};
  constexpr double alpha = .46;  // Σ p²
  constexpr std::uint64_t passes = 100'000, seed = 1;
  Table uneven{{"gamma", "γ"},           {"guesses", "b"},
               {"formula", "formula"},   {"independent", "independent"},
               {"distinct", "distinct"}, {"equal", "all alike"}};
  for (auto const& [gamma_here, b] : {std::pair{1, 2}, {3, 4}, {4, 8}}) {
    auto const played = [&](Guesses kind) {
      return Cell(Estimate{*played_guess_tokens(p, gamma_here, b, kind, passes, input.confidence, seed), 4});
    };
    uneven.add({std::int64_t{gamma_here}, std::int64_t{b}, Number{lookahead_tokens(alpha, gamma_here, b), 4},
                played(Guesses::independent), played(Guesses::distinct), played(Guesses::equal)});
  }
  Table rare{{"steps", "f"}, {"speedup", "S"}};
  for (std::int64_t const steps : {1, 2, 4, 8})
    rare.add({steps, Number{lookahead_speedup(lookahead_tokens(.5, gamma, 8), static_cast<double>(steps)), 4}});
  return {
      "Lookahead decoding: tokens of a pass with b guesses of γ tokens",
      {{fmt::format("E[N] by the formula, γ = {}", gamma),
        std::move(table),
        {"E[N] = (γ+1) − Σ_{i≤γ} (1 − α^i)^b. It takes guesses as independent; b = 1 is Eq. (1) of Leviathan et al. "
         "2023."}},
       {"Guesses in one step of f: α = .5, γ = 4, b = 8", std::move(rare), {"S = (f − 1 + E[N])/f."}},
       {"What independence leaves out",
        std::move(apart),
        {"Tokens and guesses uniform over V, exactly: α = 1/V. Guesses of a pool are distinct, and then exclude each "
         "other, so that more of them hit than the formula says; where all are alike one does all the work."}},
       {"Tokens that are not equally likely, as played",
        std::move(uneven),
        {fmt::format("Tokens and guesses drawn from p = (.6, .3, .1), α = Σ p² = {}, {} passes, seed {}. Guesses "
                     "that are drawn independently are all tested on one text: where it is unlikely all miss, and "
                     "the formula claims too much.",
                     alpha, passes, seed)}}}};
}

}  // namespace

constinit TableCard const lookahead_guesses{"lookahead", "Lookahead's formula, and where guesses are not independent",
                                            "", false, make_lookahead};

}  // namespace draftgauge
