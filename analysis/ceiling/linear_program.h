#pragma once
#include <span>
#include <vector>

namespace draftgauge {

/// max Σ gain·x where each row's Σ coefficient·x ≤ its limit and x ≥ 0, in floating point. Domain: limits ≥ 0, so
/// that x = 0 will do, and a bounded maximum.
class LinearProgram {
 public:
  struct Entry {
    int row;
    double coefficient;
  };

  explicit LinearProgram(std::vector<double> limits) : limits_(std::move(limits)) {}
  /// Another x, with its entries in the rows.
  void add(double gain, std::span<Entry const> entries);

  /// A vertex where the maximum is taken.
  struct Solution {
    std::vector<bool> basic;  ///< [columns] x is in the basis
    std::vector<bool> slack;  ///< [rows] the row's slack is
  };
  Solution solve() const;

 private:
  std::vector<double> limits_, gains_;
  std::vector<int> starts_{0}, rows_;
  std::vector<double> coefficients_;
};

}  // namespace draftgauge
