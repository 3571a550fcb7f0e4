#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "analysis/exact/rational.h"

namespace draftgauge {

/// Linear equations in fractions, of which most coefficients are 0. (Eigen 3.4 does not compile with Boost 1.74's
/// fractions.)
struct Equations {
  std::vector<std::map<std::size_t, Rational>> rows;  ///< of coefficients that are not 0, by unknown
  std::vector<Rational> right;

  explicit Equations(std::size_t size) : rows(size), right(size) {}
  void add(std::size_t row, std::size_t unknown, Rational const& coefficient);
  /// As many unknowns as equations. None where they do not say each.
  std::optional<std::vector<Rational>> solution() const;
};

}  // namespace draftgauge
