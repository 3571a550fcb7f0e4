#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/gamma_choice.h"
#include "analysis/report/field.h"

namespace draftgauge {

/// What arithmetic costs: ĉ, the draft's operations a token over the target's, and whether rounds have a bonus token.
struct OperationCosts {
  double draft = 0;
  bool bonus = true;

  /// Theorem 3.11's numerator over E[N] (arXiv 2211.17192); of plain decoding 1.
  double per_token(std::int64_t gamma, double tokens) const;
};

/// A row of the curve over γ.
struct CurveRow : GammaRow {
  double operations;
  bool best = false;
};
Described<CurveRow> const& describe(CurveRow const* row);
/// best: the γ whose row is marked.
std::vector<CurveRow> curve_of(std::span<GammaRow const> rows, OperationCosts const& costs,
                               std::optional<std::int64_t> best = {});

/// Which draft length to set, as the Python package says it.
struct ChosenGamma {
  std::vector<std::string> alarms;
  std::optional<std::int64_t> best_gamma;
  double best_speedup;
  std::optional<std::vector<int>> confidence_set = {};
  std::optional<double> expected_regret = {};
  std::vector<CurveRow> curve;
};
Described<ChosenGamma> const& describe(ChosenGamma const* choice);

}  // namespace draftgauge
