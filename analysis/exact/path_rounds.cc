#include "analysis/exact/path_rounds.h"

#include <algorithm>

namespace draftgauge {

PathRounds::PathRounds(std::vector<double> beta, std::vector<std::uint32_t> reach, int gamma, bool bonus)
    : beta_(std::move(beta)), reach_(std::move(reach)), gamma_(gamma), bonus_(bonus) {}

std::vector<double> PathRounds::tokens_law(std::uint32_t row) const {
  std::vector<double> law;
  double survival = 1;
  for (int i = 0; i < gamma_; ++i) {
    double const beta = beta_[row + static_cast<std::uint32_t>(i)];
    law.push_back(survival * (1 - beta));
    survival *= beta;
  }
  if (bonus_)
    law.push_back(survival);
  else
    law.back() += survival;
  return law;
}

double PathRounds::mean_tokens(std::uint32_t row) const {
  double mean = 0;
  auto const law = tokens_law(row);
  for (std::size_t n = 1; n <= law.size(); ++n) mean += static_cast<double>(n) * law[n - 1];
  return mean;
}

PathRounds::Expected PathRounds::trial(std::span<std::uint32_t const> starts, std::uint32_t rounds) const {
  std::vector<std::vector<double>> tables(beta_.size());
  for (std::uint32_t t = 0; t < beta_.size(); ++t)
    if (reach_[t] > static_cast<std::uint32_t>(gamma_)) tables[t] = tokens_law(t);
  // With r rounds still to play: what they are expected to hold, from the results for r − 1. The row after the last
  // of a sequence belongs to the next one and must not be read.
  std::vector<Expected> now(beta_.size(), {0, 0}), fewer;
  for (std::uint32_t r = 1; r <= rounds; ++r) {
    fewer = now;
    for (std::uint32_t t = 0; t < beta_.size(); ++t) {
      Expected sum{0, tables[t].empty() ? 0.0 : 1.0};
      for (std::uint32_t n = 1; n <= tables[t].size(); ++n) {
        double const probability = tables[t][n - 1];
        sum.tokens += probability * n;
        if (n < reach_[t]) {
          sum.tokens += probability * fewer[t + n].tokens;
          sum.rounds += probability * fewer[t + n].rounds;
        }
      }
      now[t] = sum;
    }
    if (std::ranges::equal(now, fewer, [](auto a, auto b) { return a.rounds == b.rounds && a.tokens == b.tokens; }))
      break;  // every sequence has ended
  }
  Expected mean{0, 0};
  for (std::uint32_t t : starts) {
    mean.tokens += now[t].tokens / static_cast<double>(starts.size());
    mean.rounds += now[t].rounds / static_cast<double>(starts.size());
  }
  return mean;
}

}  // namespace draftgauge
