#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/field.h"
#include "analysis/texts/dependence.h"
#include "analysis/texts/text_limits.h"

/// What a text's dependence (analysis/texts/dependence.h) is as a result.
namespace draftgauge {

/// Within the limits of what it is of.
inline Uncertain uncertain(TextEstimate const& estimate, double confidence, Limits const& limits = {}) {
  return {estimate.value, interval_within(estimate, confidence, limits), confidence};
}

struct LagReport {
  int lag;
  Uncertain correlation;
};
Described<LagReport> const& describe(LagReport const* at);

struct CorrelationReport {
  std::vector<LagReport> beta, a;
};
Described<CorrelationReport> const& describe(CorrelationReport const* of);

struct PositionReport {
  int position;
  Uncertain survival, geometric, excess, conditional;
  std::optional<Uncertain> correlation;  ///< of a at as large a lag
};
Described<PositionReport> const& describe(PositionReport const* at);

struct GapReport {
  int gamma;
  Uncertain difference, relative, runs, starts, ends;
};
Described<GapReport> const& describe(GapReport const* at);

struct DependenceReport {
  CorrelationReport autocorrelation;
  std::vector<PositionReport> positions;
  std::vector<GapReport> eq1_minus_replay;
  std::string sentence;
};
Described<DependenceReport> const& describe(DependenceReport const* of);
DependenceReport report_of(Dependence const& dependence, double confidence);

}  // namespace draftgauge
