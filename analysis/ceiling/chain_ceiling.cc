#include "analysis/ceiling/chain_ceiling.h"

#include <algorithm>

namespace draftgauge {
namespace {

/// Σ R over what may stand below a prefix of which R and q, the chance that it is drafted, are known.
double passed_below(PairTables const& tables, std::uint32_t row, double passed, double drafted, int open) {
  if (open == 0) return 0;
  auto const total = static_cast<double>(tables.total(row));
  double sum = 0;
  for (std::uint32_t x = 0; x < tables.vocab(); ++x) {
    double const below = drafted * static_cast<double>(tables.q(row)[x]) / total;
    double const kept = std::min(below, passed * static_cast<double>(tables.p(row)[x]) / total);
    if (kept > 0) sum += kept + passed_below(tables, x, kept, below, open - 1);
  }
  return sum;
}

}  // namespace

double chain_ceiling(PairTables const& tables, int gamma) {
  double sum = 0;
  for (std::uint32_t start = 0; start < tables.vocab(); ++start) sum += passed_below(tables, start, 1, 1, gamma);
  return sum / tables.vocab();
}

}  // namespace draftgauge
