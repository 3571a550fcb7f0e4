#include "analysis/load/batch_acceptance.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/closed_form.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::vector<double> survival_of(std::vector<double> const& tokens, bool bonus) {
  std::vector<double> survival;
  double before = 1;
  for (std::size_t i = bonus ? 1 : 2; i < tokens.size(); ++i)
    survival.push_back(before = std::clamp(tokens[i] - tokens[i - 1], 0., before));
  return survival;
}

}  // namespace

BatchAcceptance acceptance_by_tokens(std::vector<double> tokens, bool bonus) {
  auto const most = static_cast<std::int64_t>(tokens.size()) - 1;
  std::vector<double> const survival = survival_of(tokens, bonus);
  TokensInBatch const alone = [tokens](std::int64_t gamma, std::int64_t) {
    return std::optional(tokens[static_cast<std::size_t>(gamma)]);
  };
  auto const survival_in = [survival](std::int64_t, std::int64_t) { return survival; };
  return {alone, survival_in, most, true, survival};
}

BatchAcceptance acceptance_in(LoadTable const& table, bool bonus) {
  if (!table.survival.empty())
    return acceptance_by_tokens(theory::tokens_by_gamma(table.survival, bonus), bonus);
  if (!bonus)
    throw UsageError(table.file + " says how many tokens rounds gave, and not by position (`no-bonus` asks for what it "
                                  "does not hold)",
                     "leave it out, or give `alpha` or `survival` beside");
  std::vector<std::int64_t> const lengths = table.tokens_per_round.lengths();
  auto const measured = [&table](std::int64_t gamma, std::int64_t batch) -> std::optional<double> {
    auto const found = table.tokens_per_round.at(gamma, batch);
    // Carried on to other batches it stays what a round can give.
    return found ? std::optional(std::clamp(found->value, 1., static_cast<double>(gamma + 1))) : std::nullopt;
  };
  auto const survival_in = [measured](std::int64_t gamma, std::int64_t batch) {
    double const alpha = theory::implied_alpha(*measured(gamma, batch), gamma).value();
    std::vector<double> survival;
    for (std::int64_t i = 1; i <= gamma; ++i) survival.push_back(std::pow(alpha, static_cast<double>(i)));
    return survival;
  };
  return {measured, survival_in, lengths.empty() ? 0 : lengths.back()};
}

}  // namespace draftgauge
