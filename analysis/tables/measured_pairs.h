#pragma once
#include <string>
#include <vector>

#include "analysis/tables/printed.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

/// A row of Leviathan et al. 2023 (arXiv 2211.17192), Tables 2 and 4: T5-XXL with one draft on one task.
struct MeasuredPair {
  std::string task, draft, temperature;
  std::int64_t gamma;
  Printed alpha, cost;
  Printed measured, predicted;  ///< the speed-ups EMP and EXP

  /// Theorem 3.8 at the printed α, γ and c.
  Recomputed speedup() const;
  /// Our optimum at the printed α and c.
  BestGamma best() const;
};
std::vector<MeasuredPair> measured_pairs();

}  // namespace draftgauge
