#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "analysis/tables/cards.h"
#include "analysis/tables/gamma_map.h"
#include "analysis/theory/draft_policies.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// None where drafts reach beyond those that are followed: half as many would then give other digits.
std::optional<PolicyGain> followed(double alpha, Costs const& costs) {
  constexpr double below_print = 1e-6;
  auto const at = [&](int most) { return long_run(DraftPolicy::heuristic, geometric_survival(alpha, most), costs); };
  PolicyGain const gain = at(longest_policy_draft), half = at(longest_policy_draft / 2);
  bool const settled = std::abs(gain.mean_drafts - half.mean_drafts) <= below_print * gain.mean_drafts &&
                       std::abs(gain.speedup - half.speedup) <= below_print * gain.speedup;
  return settled ? std::optional(gain) : std::nullopt;
}

PaperTable make_heuristic(TableInput const& input) {
  auto const alphas = input.alphas.empty() ? std::vector{.5, .6, .7, .8, .9} : input.alphas;
  auto const costs = input.costs.empty() ? std::vector{.05} : input.costs;
  Table table{
      {"cost", "c"},    {"alpha", "α"},           {"mean_drafts", "E[γ]"},     {"mean_tokens", "E[N]"},
      {"speedup", "S"}, {"best_gamma", "best γ"}, {"best_speedup", "S there"}, {"lost", "lost", Align::right, "%"}};
  bool beyond = false;
  for (double const cost : costs)
    for (double const alpha : alphas) {
      Costs const c{.draft = cost};
      auto const gain = followed(alpha, c);
      BestGamma const best = best_gamma({alpha, c});
      std::vector<Cell> row{Number{cost, 4}, Number{alpha, 4}};
      if (gain) {
        double const mean_time = 1 + cost * gain->mean_drafts;
        row.insert(row.end(),
                   {Number{gain->mean_drafts, 4}, Number{gain->speedup * mean_time, 4}, Number{gain->speedup, 4}});
      } else {
        row.resize(row.size() + 3);
      }
      row.push_back(gamma_cell(best));
      row.push_back(Number{best.speedup, 4});
      row.push_back(gain ? Cell(Number{100 * (1 - gain->speedup / best.speedup), 2}) : Cell());
      table.add(std::move(row));
      if (!gain) beyond = true;
    }
  std::vector<std::string> notes{
      "After a round that kept all drafts γ grows by 2, else it falls by 1, at least to 1: a chain whose stationary "
      "distribution gives E[γ], E[N] and S in the long run. Drafts are accepted independently with probability α; "
      "lost: 1 − S/S*, S* that of the best fixed γ."};
  if (beyond)
    notes.push_back(fmt::format("Left empty: γ grows beyond {}, as far as it is followed.", longest_policy_draft));
  return {"Hugging Face's heuristic schedule beside the best fixed γ", {{"", std::move(table), std::move(notes)}}};
}

}  // namespace

constinit TableCard const heuristic_lengths{"heuristic",
                                            "the adaptive schedule of transformers against the best γ",
                                            "",
                                            false,
                                            make_heuristic,
                                            {.alphas = true, .costs = true}};

}  // namespace draftgauge
