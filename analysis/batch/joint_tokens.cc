#include "analysis/batch/joint_tokens.h"

#include <algorithm>
#include <cmath>

#include "analysis/exact/output_law.h"
#include "analysis/stats/goodness.h"

namespace draftgauge {
namespace {

constexpr double most_joint_cells = 4096;

}  // namespace

int joint_tokens(std::uint32_t vocab, int requests, int gamma, std::uint64_t batches) {
  double const most = std::min(most_joint_cells, static_cast<double>(batches) / least_expected);
  int tokens = 0;
  while (tokens <= gamma && std::pow(vocab, (tokens + 1) * requests) <= most) ++tokens;
  return tokens;
}

std::vector<std::uint64_t> joint_counts(BatchTally const& tally, int first, int count) {
  std::uint64_t each = 1, counted = 1, behind = 1;  // cells of a request, of those counted, of those behind them
  for (int i = 0; i < tally.layout().joint; ++i) each *= tally.layout().each.vocab;
  for (int r = 0; r < count; ++r) counted *= each;
  for (int r = first + count; r < tally.layout().requests; ++r) behind *= each;
  std::vector<std::uint64_t> counts(counted);
  for (std::uint64_t cell = 0; cell < tally.joint().size(); ++cell)
    counts[cell / behind % counted] += tally.joint()[cell];
  return counts;
}

std::optional<std::vector<double>> joint_law(BatchSimulation const& simulation, int count) {
  int const tokens = simulation.plan().tally.joint;
  if (tokens == 0) return std::nullopt;
  auto const own = target_gram_law(simulation.each(), tokens);
  if (!own) return std::nullopt;
  std::vector<double> law{1};
  for (int r = 0; r < count; ++r) {
    std::vector<double> longer;
    for (double const before : law)
      for (double const next : *own) longer.push_back(before * next);
    law = std::move(longer);
  }
  return law;
}

}  // namespace draftgauge
