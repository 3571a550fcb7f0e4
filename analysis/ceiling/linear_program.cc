#include "analysis/ceiling/linear_program.h"

#include <ClpSimplex.hpp>
#include <stdexcept>

namespace draftgauge {

void LinearProgram::add(double gain, std::span<Entry const> entries) {
  for (Entry const& entry : entries) {
    rows_.push_back(entry.row);
    coefficients_.push_back(entry.coefficient);
  }
  starts_.push_back(static_cast<int>(rows_.size()));
  gains_.push_back(gain);
}

LinearProgram::Solution LinearProgram::solve() const {
  auto const columns = static_cast<int>(gains_.size()), rows = static_cast<int>(limits_.size());
  ClpSimplex solver;
  solver.setLogLevel(0);
  solver.setOptimizationDirection(-1);  // the greatest
  std::vector<double> least(limits_.size(), -COIN_DBL_MAX);
  for (std::size_t row = 0; row < exactly_.size(); ++row)
    if (exactly_[row]) least[row] = limits_[row];
  solver.loadProblem(CoinPackedMatrix(true, rows, columns, static_cast<int>(rows_.size()), coefficients_.data(),
                                      rows_.data(), starts_.data(), nullptr),
                     nullptr, nullptr, gains_.data(), least.data(), limits_.data());
  solver.primal();  // x = 0 is where it begins
  if (!solver.isProvenOptimal()) throw std::logic_error("a linear program with a solution was not solved");
  Solution solution;
  for (int i = 0; i < columns; ++i) solution.basic.push_back(solver.getColumnStatus(i) == ClpSimplex::basic);
  for (int i = 0; i < rows; ++i) solution.slack.push_back(solver.getRowStatus(i) == ClpSimplex::basic);
  return solution;
}

}  // namespace draftgauge
