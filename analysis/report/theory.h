#pragma once
#include <cstdint>
#include <vector>

#include "analysis/report/field.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

struct TheoryCosts {
  double draft, operations;  ///< c, ĉ
  bool bonus;
};

/// Where S = 1.
struct BreakEven {
  std::optional<double> alpha;
  double cost;
};
Described<BreakEven> const& describe(BreakEven const* at);

/// What the formulas say of one α and γ; `best`: of any γ at this α.
struct TheoryRow {
  double alpha;
  std::int64_t gamma;
  TheoryCosts costs;
  BestGamma best;

  double tokens() const;
  double speedup() const;
  BreakEven break_even() const;
};
Described<TheoryRow> const& describe(TheoryRow const* row);
/// Throws UsageError as best_gamma does.
TheoryRow theory_row(double alpha, std::int64_t gamma, TheoryCosts const& costs);

/// What `draftgauge theory` prints: rows, and the fields of the one where there is one.
struct TheoryReport {
  TheoryCosts costs;
  std::vector<TheoryRow> rows;
};
Described<TheoryReport> describe_like(TheoryReport const& report);
Json document_of(TheoryReport const& report);
std::vector<Description> theory_documents();

}  // namespace draftgauge
