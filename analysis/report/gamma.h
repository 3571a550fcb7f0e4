#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/counted_gamma.h"
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

/// A row of what each γ yields, where no costs are given.
struct YieldRow : GammaYield {
  double operations;
};
Described<YieldRow> const& describe(YieldRow const* row);
std::vector<YieldRow> yields_of(std::span<GammaYield const> rows, OperationCosts const& costs);

/// A policy beside the best fixed γ, whose speed-up it is compared with.
struct AdaptingRow : PolicyRow {
  double best_speedup;
};
Described<AdaptingRow> const& describe(AdaptingRow const* row);
std::vector<AdaptingRow> adapting_of(std::span<PolicyRow const> rows, double best_speedup);

Described<Costs> const& describe(Costs const* costs);
/// Costs, and whether any option says them.
struct GivenCosts : Costs {
  bool given;
};
Described<GivenCosts> const& describe(GivenCosts const* costs);
Described<GammaRange> const& describe(GammaRange const* range);
Described<RealGamma> const& describe(RealGamma const* optimum);

/// Where S = 1 at the best γ.
struct GammaBreakEven {
  std::optional<double> alpha = {};
  std::optional<Estimated> cost = {};
};
Described<GammaBreakEven> const& describe(GammaBreakEven const* at);
/// Where some γ has S > 1.
struct GammaPays {
  std::optional<double> from_alpha, to_cost;
};
Described<GammaPays> const& describe(GammaPays const* where);

struct RunnerUp : GammaRunnerUp {
  std::string unit;  ///< of the data: "tokens", "rounds"
};
Described<RunnerUp> const& describe(RunnerUp const* other);

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
