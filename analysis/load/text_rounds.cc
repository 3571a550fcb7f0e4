#include "analysis/load/text_rounds.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr std::int64_t exact_rounds = 256;  ///< of the longest kind
constexpr double never = 1e-17;             ///< the chance of a round that no sum shows

double rounds_of_equal(std::span<double const> chances, std::int64_t tokens) {
  while (chances.back() < never) chances = chances.first(chances.size() - 1);
  auto const longest = static_cast<std::int64_t>(chances.size()) - 1, most = exact_rounds * longest;
  // Whole rounds of the longest are left out, so that rounds which all are that long stay exact.
  std::int64_t const beyond = tokens > most ? (tokens - most + longest - 1) / longest * longest : 0;
  std::vector<double> rounds(static_cast<std::size_t>(tokens - beyond) + 1);
  for (std::size_t n = 1; n < rounds.size(); ++n) {
    rounds[n] = 1;
    for (std::size_t k = 1; k < std::min(n, chances.size()); ++k) rounds[n] += chances[k] * rounds[n - k];
  }
  double mean = 0;
  for (std::size_t k = 1; k < chances.size(); ++k) mean += static_cast<double>(k) * chances[k];
  return rounds.back() + static_cast<double>(beyond) / mean;
}

double rounds_of_geometric(std::span<double const> chances, std::int64_t tokens) {
  double const goes_on = std::log1p(-1 / static_cast<double>(tokens));  // log of, at each token
  double ends = 0;
  for (std::size_t k = 1; k < chances.size(); ++k) ends -= chances[k] * std::expm1(static_cast<double>(k) * goes_on);
  return 1 / ends;
}

}  // namespace

std::vector<double> tokens_in_round(std::span<double const> survival, std::int64_t gamma, bool bonus) {
  std::vector<double> chances(static_cast<std::size_t>(theory::longest_round(gamma, bonus)) + 1);
  for (std::size_t tokens = 1; tokens < chances.size(); ++tokens)
    chances[tokens] =
        (tokens == 1 ? 1 : survival[tokens - 2]) - (tokens + 1 == chances.size() ? 0 : survival[tokens - 1]);
  return chances;
}

double rounds_of_text(std::span<double const> survival, std::int64_t gamma, std::int64_t tokens, TextLengths lengths,
                      bool bonus) {
  if (gamma == 0) return static_cast<double>(tokens);
  std::vector<double> const chances = tokens_in_round(survival, gamma, bonus);
  return lengths == TextLengths::equal ? rounds_of_equal(chances, tokens) : rounds_of_geometric(chances, tokens);
}

}  // namespace draftgauge
