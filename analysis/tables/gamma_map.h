#pragma once
#include <functional>
#include <vector>

#include "analysis/table.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

/// What stands where S grows with γ for ever.
inline constexpr char const* unbounded_gamma = "unbounded";
Cell gamma_cell(BestGamma const& best);

/// The best γ, and S there, by α (columns) and c (rows).
struct GammaMap {
  Table gammas, speedups;
};

/// best: of an α and the place of a c, called row by row.
GammaMap gamma_map(std::vector<double> const& alphas, std::vector<double> const& costs,
                   std::function<BestGamma(double alpha, std::size_t cost)> const& best);

}  // namespace draftgauge
