#include "analysis/families/lookahead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/stats/token_coin.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/chance/chance.h"

namespace draftgauge {
namespace {

void check(std::int64_t gamma, std::int64_t guesses) {
  if (gamma < 0) throw UsageError(fmt::format("guesses of {} tokens (0 or more)", gamma));
  if (guesses < 1) throw UsageError(fmt::format("{} guesses (1 or more)", guesses));
}

}  // namespace

double lookahead_tokens(double alpha, std::int64_t gamma, std::int64_t guesses) {
  check(gamma, guesses);
  if (!(alpha >= 0 && alpha <= 1)) throw UsageError(fmt::format("α is {} (it is a probability)", alpha));
  double tokens = 1, right = 1;
  for (std::int64_t i = 1; i <= gamma; ++i)
    tokens += 1 - std::pow(1 - (right *= alpha), static_cast<double>(guesses));
  return tokens;
}

double lookahead_speedup(double tokens, double steps) {
  if (!(steps >= 1)) throw UsageError(fmt::format("one step in {} finds guesses (1 or more)", steps));
  return (steps - 1 + tokens) / steps;
}

double uniform_guess_tokens(int vocab, int gamma, std::int64_t guesses, Guesses kind) {
  check(gamma, guesses);
  if (vocab < 1) throw UsageError(fmt::format("a vocabulary of {} tokens (1 or more)", vocab));
  if (kind != Guesses::distinct) return lookahead_tokens(1. / vocab, gamma, kind == Guesses::equal ? 1 : guesses);
  double const strings = std::pow(vocab, gamma);
  if (static_cast<double>(guesses) > strings || strings > 0x1p53)
    throw UsageError(fmt::format("{} distinct guesses of {} tokens (there are {:g})", guesses, gamma, strings));
  double tokens = 1, alike = strings;  // strings that begin with the right i tokens
  for (int i = 1; i <= gamma; ++i) {
    alike /= vocab;
    double missed = 1;
    for (double drawn = 0; drawn < static_cast<double>(guesses); ++drawn)
      missed *= std::max(0., (strings - alike - drawn) / (strings - drawn));
    tokens += 1 - missed;
  }
  return tokens;
}

std::optional<Interval> played_guess_tokens(std::span<double const> p, int gamma, int guesses, Guesses kind,
                                            std::uint64_t passes, double confidence, std::uint64_t seed) {
  check(gamma, guesses);
  using String = std::vector<Token>;
  RatioSums sums{};
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    TokenCoins coins(seed, pass);
    auto const drawn = [&] {
      String text(static_cast<std::size_t>(gamma));
      auto const last = static_cast<Token>(p.size() - 1);  // of what rounding leaves beyond it, too
      for (Token& x : text) x = share_holding(coins.next(), last, [&](Token y) { return p[y]; });
      return text;
    };
    std::vector<String> pool{drawn()};
    while (std::ssize(pool) < guesses) {
      String next = kind == Guesses::equal ? pool.front() : drawn();
      if (kind != Guesses::distinct || !contains(pool, next)) pool.push_back(std::move(next));
    }
    String const text = drawn();
    std::uint64_t most = 0;
    for (String const& guess : pool)
      most = std::max(most, static_cast<std::uint64_t>(std::ranges::mismatch(text, guess).in1 - text.begin()));
    sums.add(1 + most, 1);
  }
  return ratio_interval(sums, confidence);
}

}  // namespace draftgauge
