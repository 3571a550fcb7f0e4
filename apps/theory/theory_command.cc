#include "apps/theory/theory_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "apps/cli/invocation.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

struct Costs {
  double draft;
  double operations;
  bool bonus;
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// The acceptance rates that were asked for at this γ: given, or what a measurement implies.
std::vector<double> alphas(Invocation const& args, std::int64_t gamma, Costs const& costs) {
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

Json row(double alpha, std::int64_t gamma, Costs const& costs) {
  BestGamma const best = best_gamma({alpha, {.draft = costs.draft}, costs.bonus});
  auto const even = theory::break_even_alpha(gamma, costs.draft, costs.bonus);
  return {{"alpha", alpha},
          {"gamma", gamma},
          {"acceptance", alpha},
          {"mean_accepted", theory::expected_accepted(alpha, gamma)},
          {"mean_tokens", theory::expected_tokens(alpha, gamma, costs.bonus)},
          {"variance_tokens", theory::tokens_variance(alpha, gamma, costs.bonus)},
          {"speedup", theory::speedup(alpha, gamma, costs.draft, costs.bonus)},
          {"operations", theory::operations(alpha, gamma, costs.operations, costs.bonus)},
          {"memory_reads", theory::memory_reads(alpha, gamma, costs.bonus)},
          {"best_gamma", or_null(best.gamma)},
          {"best_speedup", best.speedup},
          {"break_even", {{"alpha", or_null(even)}, {"cost", theory::break_even_cost(alpha, gamma, costs.bonus)}}}};
}

Number number(Json const& value, int decimals) { return {value.is_null() ? unknown : value.get<double>(), decimals}; }

Table round_table(Json const& rows) {
  Table table{{"alpha", "α"},
              {"gamma", "γ"},
              {"mean_tokens", "E[N]"},
              {"variance_tokens", "Var[N]"},
              {"speedup", "speed-up"},
              {"operations", "operations"},
              {"memory_reads", "memory reads"},
              {"break_even_alpha", "α to gain"},
              {"break_even_cost", "c to gain"}};
  for (Json const& row : rows) {
    table.add({number(row["alpha"], 4), row["gamma"].get<std::int64_t>(), number(row["mean_tokens"], 5),
               number(row["variance_tokens"], 5), number(row["speedup"], 4), number(row["operations"], 4),
               number(row["memory_reads"], 4), number(row["break_even"]["alpha"], 4),
               number(row["break_even"]["cost"], 4)});
  }
  return table;
}

// One line for each α: neighbours repeat it where several γ were asked for.
Table best_table(Json const& rows) {
  Table table{{"alpha", "α"}, {"best_gamma", "best γ"}, {"best_speedup", "speed-up there"}};
  std::vector<Json> seen;
  for (Json const& row : rows) {
    if (std::find(seen.begin(), seen.end(), row["alpha"]) != seen.end()) continue;
    seen.push_back(row["alpha"]);
    table.add({number(row["alpha"], 4),
               row["best_gamma"].is_null() ? Cell("unbounded") : Cell(row["best_gamma"].get<std::int64_t>()),
               number(row["best_speedup"], 4)});
  }
  return table;
}

// What the table says, in a sentence: of one γ its rounds, of several the best, and of an α that was asked for the α.
std::string answer(Invocation const& args, Json const& rows) {
  Json const &first = rows.front(), &last = rows.back();
  auto const real = [](Json const& value) { return fmt::format("{:.5g}", value.get<double>()); };
  if (!args.has("--alpha")) {
    std::string words = "The measurement implies α = " + real(first["alpha"]);
    return words + fmt::format(" at γ = {}", first["gamma"].get<std::int64_t>()) +
           (rows.size() > 1
                ? fmt::format(" and α = {} at γ = {}", real(last["alpha"]), last["gamma"].get<std::int64_t>())
                : std::string());
  }
  if (rows.size() == 1)
    return fmt::format("A round at α = {} and γ = {} gives {} tokens, a speed-up of {}", real(first["alpha"]),
                       first["gamma"].get<std::int64_t>(), real(first["mean_tokens"]), real(first["speedup"]));
  auto const best = [&](Json const& row) {
    if (row["best_gamma"].is_null())
      return std::isinf(row["best_speedup"].get<double>())
                 ? fmt::format("no γ is best at α = {}: the speed-up grows without bound", real(row["alpha"]))
                 : fmt::format("no γ is best at α = {}: the speed-up grows towards {}", real(row["alpha"]),
                               real(row["best_speedup"]));
    return fmt::format("γ = {} is best at α = {}, a speed-up of {}", row["best_gamma"].get<std::int64_t>(),
                       real(row["alpha"]), real(row["best_speedup"]));
  };
  std::string words = best(first);
  if (first["alpha"] != last["alpha"]) words += "; " + best(last);
  if (words.starts_with('n')) words.front() = 'N';
  return words;
}

Result run(Invocation const& args) {
  if (args.has("--alpha") + args.has("--from-tokens") + args.has("--from-speedup") != 1) {
    throw UsageError("one of --alpha, --from-tokens and --from-speedup is needed (they are three ways to say α)",
                     "try draftgauge theory --alpha .8");
  }
  Costs const costs{number_of(args, "--cost"), number_of(args, "--ops-cost"), !args.has("--no-bonus")};
  std::vector<std::int64_t> const gammas = args.counts("--gamma");
  Json rows = Json::array();
  std::vector<std::vector<double>> by_gamma;
  for (std::int64_t const gamma : gammas) by_gamma.push_back(alphas(args, gamma, costs));
  for (std::size_t i = 0; i < by_gamma.front().size(); ++i) {
    for (std::size_t j = 0; j < gammas.size(); ++j) rows.push_back(row(by_gamma[j][i], gammas[j], costs));
  }

  Result result{.document = {{"estimator", "closed_form"},
                             {"cost", costs.draft},
                             {"ops_cost", costs.operations},
                             {"bonus", costs.bonus}}};
  if (rows.size() == 1) result.document.update(rows[0]);
  result.title = fmt::format("{} (c = {}{}, ĉ = {}{})", answer(args, rows), args.text("--cost"),
                             args.has("--cost") ? "" : ", drafts taken as free, as no cost is given",
                             args.text("--ops-cost"), costs.bonus ? "" : ", without the bonus token");
  result.sections.push_back(
      {.table = round_table(rows),
       .notes = {
           "Leviathan et al. 2023: Eq. (1), Theorems 3.8 and 3.11, Section 3.4. Drafts are taken to be accepted "
           "independently with probability α. To gain, α must be above or c below the last two columns."}});
  result.sections.push_back({.heading = "The best γ", .table = best_table(rows)});
  result.document["rows"] = std::move(rows);
  return result;
}

}  // namespace

Command theory_command() {
  return {
      .name = "theory",
      .summary = "the papers' formulas for α, γ, c, ĉ",
      .description = {"Tokens per round E[N], speed-up, operations and memory reads for an acceptance rate α and a "
                      "draft length γ, with the γ that is best and the α and c from which drafting pays. Lists of α "
                      "and γ give a table.",
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
