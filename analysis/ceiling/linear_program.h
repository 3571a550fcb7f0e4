#pragma once
#include <span>
#include <utility>
#include <vector>

namespace draftgauge {

/// max Σ gain·x where each row's Σ coefficient·x ≤ its limit, or is exactly that, and x ≥ 0, in floating point. Domain:
/// limits ≥ 0, some x that will do (x = 0 where no row is exact), and a bounded maximum.
class LinearProgram {
 public:
  struct Entry {
    int row;
    double coefficient;
  };

  /// exactly: [rows] whether it is met; empty: none.
  explicit LinearProgram(std::vector<double> limits, std::vector<bool> exactly = {})
      : limits_(std::move(limits)), exactly_(std::move(exactly)) {}
  /// Another x, with its entries in the rows.
  void add(double gain, std::span<Entry const> entries);

  /// A vertex where the maximum is taken.
  struct Solution {
    std::vector<bool> basic;  ///< [columns] x is in the basis
    std::vector<bool> slack;  ///< [rows] the row's slack is
  };
  Solution solve() const;

 private:
  std::vector<double> limits_;
  std::vector<bool> exactly_;
  std::vector<double> gains_;
  std::vector<int> starts_{0}, rows_;
  std::vector<double> coefficients_;
};

}  // namespace draftgauge
