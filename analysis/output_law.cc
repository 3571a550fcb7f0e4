#include "analysis/output_law.h"

#include <numeric>

namespace draftgauge {
namespace {

std::vector<double> target(Laws const& laws, std::uint32_t row) {
  std::vector<double> p(laws.vocab());
  for (Token x = 0; x < p.size(); ++x)
    p[x] = static_cast<double>(laws.p(row)[x]) / static_cast<double>(laws.total(row));
  return p;
}

std::vector<double> mean_target(Laws const& laws, std::vector<std::uint32_t> const& rows) {
  std::vector<double> mean(laws.vocab(), 0);
  for (std::uint32_t row : rows) {
    auto const p = target(laws, row);
    for (Token x = 0; x < mean.size(); ++x) mean[x] += p[x] / static_cast<double>(rows.size());
  }
  return mean;
}

}  // namespace

std::optional<std::vector<double>> target_gram_law(Simulation const& simulation, int gram) {
  Laws const& laws = simulation.laws();
  Follow const follow = laws.contexts().follow;
  bool const endless = follow == Follow::independent || follow == Follow::token;
  if (gram > 1 && (!endless || static_cast<std::uint32_t>(gram) > simulation.task().rounds_per_trial))
    return std::nullopt;
  std::vector<std::uint32_t> rows = simulation.starts();
  if (follow == Follow::independent) {
    rows.resize(laws.rows());
    std::iota(rows.begin(), rows.end(), 0u);
  }
  std::vector<double> law = mean_target(laws, rows);
  std::vector<double> const first = law;
  for (int length = 2; length <= gram; ++length) {
    std::vector<double> longer;
    longer.reserve(law.size() * laws.vocab());
    for (std::size_t cell = 0; cell < law.size(); ++cell) {
      auto const next = follow == Follow::independent ? first
                                                      : target(laws, static_cast<std::uint32_t>(cell % laws.vocab()));
      for (double probability : next) longer.push_back(law[cell] * probability);
    }
    law = std::move(longer);
  }
  return law;
}

}  // namespace draftgauge
