#include "analysis/frontier/exact_program.h"

#include <stdexcept>

#include "analysis/ceiling/equations.h"
#include "analysis/ceiling/linear_program.h"

namespace draftgauge {

int ExactProgram::add_row(Rational limit, bool exactly) {
  rows_.push_back({std::move(limit), exactly});
  return static_cast<int>(rows_.size()) - 1;
}

void ExactProgram::add(Rational gain, std::vector<std::pair<int, Rational>> entries) {
  columns_.push_back({std::move(gain), std::move(entries)});
}

ExactProgram::Solution ExactProgram::solve() const {
  std::vector<double> limits;
  std::vector<bool> exactly;
  for (Row const& row : rows_) {
    limits.push_back(static_cast<double>(row.limit));
    exactly.push_back(row.exactly);
  }
  LinearProgram program(std::move(limits), std::move(exactly));
  for (Column const& column : columns_) {
    std::vector<LinearProgram::Entry> entries;
    for (auto const& [row, coefficient] : column.entries) entries.push_back({row, static_cast<double>(coefficient)});
    program.add(static_cast<double>(column.gain), entries);
  }
  LinearProgram::Solution const vertex = program.solve();

  // Rows whose slack is not in the basis are met, by as many columns: equations for both, one matrix and its transpose.
  std::vector<std::size_t> number(rows_.size(), rows_.size()), met, basic;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (!vertex.slack[row]) {
      number[row] = met.size();
      met.push_back(row);
    }
  for (std::size_t column = 0; column < columns_.size(); ++column)
    if (vertex.basic[column]) basic.push_back(column);
  if (basic.size() != met.size()) throw std::logic_error("a vertex without a square matrix");
  Equations amounts(met.size()), prices(met.size());
  for (std::size_t i = 0; i < basic.size(); ++i) {
    prices.right[i] = columns_[basic[i]].gain;
    amounts.right[i] = rows_[met[i]].limit;
    for (auto const& [row, coefficient] : columns_[basic[i]].entries) {
      std::size_t const at = number[static_cast<std::size_t>(row)];
      if (at == rows_.size()) continue;
      amounts.add(at, i, coefficient);
      prices.add(i, at, coefficient);
    }
  }
  auto const x = amounts.solution(), price = prices.solution();
  if (!x || !price) throw std::logic_error("a vertex that its equations do not say");
  Solution solution{0, std::vector<Rational>(rows_.size()), std::vector<Rational>(columns_.size()), false};
  for (std::size_t i = 0; i < met.size(); ++i) {
    solution.prices[met[i]] = (*price)[i];
    solution.amounts[basic[i]] = (*x)[i];
    solution.value += (*price)[i] * rows_[met[i]].limit;
  }
  if (!proves(solution)) throw std::logic_error("prices that prove nothing");
  solution.attained = attains(solution);
  return solution;
}

bool ExactProgram::proves(Solution const& solution) const {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (!rows_[row].exactly && solution.prices[row] < 0) return false;
  for (Column const& column : columns_) {
    Rational cost = 0;
    for (auto const& [row, coefficient] : column.entries)
      cost += coefficient * solution.prices[static_cast<std::size_t>(row)];
    if (cost < column.gain) return false;
  }
  return true;
}

bool ExactProgram::attains(Solution const& solution) const {
  std::vector<Rational> used(rows_.size());
  Rational gained = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (solution.amounts[i] < 0) return false;
    gained += columns_[i].gain * solution.amounts[i];
    for (auto const& [row, coefficient] : columns_[i].entries)
      used[static_cast<std::size_t>(row)] += coefficient * solution.amounts[i];
  }
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row].exactly ? used[row] != rows_[row].limit : used[row] > rows_[row].limit) return false;
  return gained == solution.value;
}

}  // namespace draftgauge
