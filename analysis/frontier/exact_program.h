#pragma once
#include <utility>
#include <vector>

#include "analysis/exact/rational.h"

namespace draftgauge {

/// max Σ gain·x where Σ coefficient·x of each row is at most, or exactly, its limit, and x ≥ 0: in fractions.
class ExactProgram {
 public:
  /// Returns the number of the row.
  int add_row(Rational limit, bool exactly = false);
  /// Another x, with its coefficients by row.
  void add(Rational gain, std::vector<std::pair<int, Rational>> entries);

  struct Solution {
    Rational value;                 ///< of the prices: no x is above
    std::vector<Rational> prices;   ///< [rows] of one unit more, ≥ 0 but for exact rows
    std::vector<Rational> amounts;  ///< [columns] x
    bool attained;                  ///< x is admissible and has this value: the optimum, proved
  };
  /// Solved in floating point; the vertex is computed again in fractions, prices as well, and both are checked there.
  /// Throws std::logic_error for a program without a bounded optimum, or where prices prove nothing.
  Solution solve() const;

 private:
  struct Row {
    Rational limit;
    bool exactly;
  };
  struct Column {
    Rational gain;
    std::vector<std::pair<int, Rational>> entries;
  };

  bool proves(Solution const& solution) const;
  bool attains(Solution const& solution) const;

  std::vector<Row> rows_;
  std::vector<Column> columns_;
};

}  // namespace draftgauge
