#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/audit/audit.h"
#include "analysis/audit/engine_logprobs.h"
#include "analysis/report/field.h"

/// What an engine's own log says, as results.
namespace draftgauge {

/// Tokens per round of a log, beside what a recording predicts of it.
struct PredictionReport {
  std::string name, rule, drafter;
  int gamma;
  double rounds, tokens, as_counted;
  std::size_t texts;
  Uncertain measured;
  std::optional<Uncertain> predicted = {};
  std::optional<double> last_rounds_whole = {};
  std::string estimator;
  std::optional<Uncertain> difference = {};
  std::optional<bool> covered = {};
  std::optional<std::string> covered_by = {};
  std::optional<double> resolution = {};
  std::optional<std::string> verdict = {};
};
Described<PredictionReport> const& describe(PredictionReport const* report);

/// An audit (analysis/audit/audit.h), with its verdict in words.
struct AuditReport {
  Audit audited;
  std::string verdict;
};
Described<AuditReport> const& describe(AuditReport const* report);
Described<MartingaleCheck> const& describe(MartingaleCheck const* check);
Described<RoundsCheck> const& describe(RoundsCheck const* check);
Described<AcceptanceGap> const& describe(AcceptanceGap const* gap);
Described<FaultOdds> const& describe(FaultOdds const* fault);

/// The log-probabilities that an engine reported (analysis/audit/engine_logprobs.h).
struct LogprobsReport {
  std::string format;
  EngineLogprobs found;
  bool by_floor;
  std::string first_text;  ///< the name of that text
};
Described<LogprobsReport> const& describe(LogprobsReport const* report);

/// The fault that an engine is convicted of; empty where it is not convicted, or of none that has a name.
std::string_view accused_fault(Audit const& audited);
/// The faults that the columns do not show, each with what would show it.
std::vector<std::string> faults_not_looked_for(Audit const& audited);

}  // namespace draftgauge
