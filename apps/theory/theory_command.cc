#include <fmt/format.h>

#include <cmath>
#include <set>

#include "analysis/report/theory.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

// The acceptance rates that were asked for at this γ: given, or what a measurement implies.
std::vector<double> alphas(Invocation const& args, std::int64_t gamma, TheoryCosts const& costs) {
  if (args.has("--alpha")) return numbers_of(args, "--alpha");
  bool const from_tokens = args.has("--from-tokens");
  std::string const option = from_tokens ? "--from-tokens" : "--from-speedup";
  double const measured = number_of(args, option);
  auto const alpha = from_tokens ? theory::implied_alpha(measured, gamma, costs.bonus)
                                 : theory::implied_alpha_of_speedup(measured, gamma, costs.draft, costs.bonus);
  if (!alpha) {
    double const rounds_time = from_tokens ? 1 : static_cast<double>(gamma) * costs.draft + 1;
    throw UsageError(fmt::format("{} {} is reached by no α at γ = {} (from α = 0 to 1 it goes from {:.6g} to {:.6g})",
                                 option, args.text(option), gamma, 1 / rounds_time,
                                 static_cast<double>(theory::longest_round(gamma, costs.bonus)) / rounds_time),
                     "check the measurement, --gamma and --cost");
  }
  return {*alpha};
}

// One line for each α: neighbours repeat it where several γ were asked for.
Table best_table(std::vector<TheoryRow> const& rows) {
  std::vector<TheoryRow> once;
  std::set<double> met;
  for (TheoryRow const& row : rows)
    if (met.insert(row.alpha).second) once.push_back(row);
  return described_rows(once).table().only({"alpha", "best_gamma", "best_speedup"});
}

// What the table says, in a sentence: of one γ its rounds, of several the best, and of an α that was asked for the α.
std::string answer(Invocation const& args, std::vector<TheoryRow> const& rows) {
  TheoryRow const &first = rows.front(), &last = rows.back();
  auto const real = [](double value) { return fmt::format("{:.5g}", value); };
  if (!args.has("--alpha")) {
    std::string words = fmt::format("The measurement implies α = {} at γ = {}", real(first.alpha), first.gamma);
    if (rows.size() > 1) words += fmt::format(" and α = {} at γ = {}", real(last.alpha), last.gamma);
    return words;
  }
  if (rows.size() == 1)
    return fmt::format("A round at α = {} and γ = {} gives {} tokens, a speed-up of {}", real(first.alpha),
                       first.gamma, real(first.tokens()), real(first.speedup()));
  auto const best = [&](TheoryRow const& row) {
    if (row.best.gamma)
      return fmt::format("γ = {} is best at α = {}, a speed-up of {}", *row.best.gamma, real(row.alpha),
                         real(row.best.speedup));
    return fmt::format("no γ is best at α = {}: the speed-up grows {}", real(row.alpha),
                       std::isinf(row.best.speedup) ? "without bound" : "towards " + real(row.best.speedup));
  };
  std::string words = best(first);
  if (first.alpha != last.alpha) words += "; " + best(last);
  if (words.starts_with('n')) words.front() = 'N';
  return words;
}

Result run(Invocation const& args) {
  if (args.has("--alpha") + args.has("--from-tokens") + args.has("--from-speedup") != 1) {
    throw UsageError("one of --alpha, --from-tokens and --from-speedup is needed (they are three ways to say α)",
                     "try draftgauge theory --alpha .8");
  }
  TheoryCosts const costs{number_of(args, "--cost"), number_of(args, "--ops-cost"), !args.has("--no-bonus")};
  std::vector<std::int64_t> const gammas = args.counts("--gamma");
  if (args.has("--alpha")) require_few("--alpha and --gamma", numbers_of(args, "--alpha").size() * gammas.size());
  std::vector<TheoryRow> rows;
  std::vector<std::vector<double>> by_gamma;
  for (std::int64_t const gamma : gammas) by_gamma.push_back(alphas(args, gamma, costs));
  for (std::size_t i = 0; i < by_gamma.front().size(); ++i)
    for (std::size_t j = 0; j < gammas.size(); ++j)
      rows.push_back(theory_row(by_gamma[j][i], gammas[j], costs));

  Result result{.document = document_of(TheoryReport{costs, rows})};
  result.title = fmt::format("{} (c = {}{}, ĉ = {}{})", answer(args, rows), args.text("--cost"),
                             args.has("--cost") ? "" : ", drafts taken as free, as no cost is given",
                             args.text("--ops-cost"), costs.bonus ? "" : ", without the bonus token");
  result.sections.push_back(
      {.table = described_rows(rows)
                    .table()
                    .only({"alpha", "gamma", "mean_tokens", "variance_tokens", "speedup", "operations",
                           "memory_reads", "break_even_alpha", "break_even_cost"}),
       .notes = {
           "Leviathan et al. 2023: Eq. (1), Theorems 3.8 and 3.11, Section 3.4. Drafts are taken to be accepted "
           "independently with probability α. To gain, α must be above or c below the last two columns."}});
  result.sections.push_back({.heading = "The best γ", .table = best_table(rows)});
  return result;
}

}  // namespace

Command theory_command() {
  return {
      .name = "theory",
      .summary = "the papers' formulas for α, γ, c, ĉ",
      .description =
          {"Tokens per round E[N], speed-up, operations and memory reads for an acceptance rate α and a draft length "
           "γ, with the γ that is best and the α and c from which drafting pays. Lists of α and γ give a table.",
           "Inverted, --from-tokens and --from-speedup give the α that a measurement implies."},
      .groups =
          {{"What is asked",
            {{.name = "--alpha", .kind = Kind::probabilities, .summary = "acceptance rates: .8 or .5,.6,.7"},
             {.name = "--from-tokens",
              .kind = Kind::number,
              .summary = "the measured tokens per round whose α is wanted"},
             {.name = "--from-speedup", .kind = Kind::number, .summary = "the measured speed-up whose α is wanted"},
             {.name = "--gamma",
              .kind = Kind::counts,
              .summary = "draft lengths: 5 or 1..8",
              .standard = "1..8",
              .least = 1}}},
           cost_options()},
      .examples = {{"draftgauge theory --alpha .8 --gamma 5", "tokens per round of Theorem 3.8's setting: 3.68928"},
                   {"draftgauge theory --alpha .5,.7,.9 --gamma 1..10 --cost .05", "how γ should grow with α"},
                   {"draftgauge theory --from-speedup 141/75.2 --gamma 4 --cost .12766",
                    "the α behind a measurement of Chen et al. 2023: 14.1 against 7.52 ms per token"}},
      .run = run};
}

}  // namespace draftgauge
