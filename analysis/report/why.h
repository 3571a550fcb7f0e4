#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/counted.h"
#include "analysis/why/lost_drafts.h"
#include "analysis/why/waterfall.h"

/// From the ideal time per token to the measured one, as a result: that of `draftgauge why`.
namespace draftgauge {

/// Per token.
struct TimeReport {
  double plain_steps;
  std::optional<double> ms_per_token;
};
Described<TimeReport> const& describe(TimeReport const* time);

/// What a cause adds to the time per token; unknown times are none.
struct CauseReport {
  std::optional<double> ms_per_token, plain_steps, share;
  std::optional<Interval> interval;  ///< of milliseconds
  std::string from;
};
Described<CauseReport> const& describe(CauseReport const* cause);
struct NamedCauseReport : CauseReport {
  std::string name;
};
Described<NamedCauseReport> const& describe(NamedCauseReport const* cause);

Described<LostGroup> const& describe(LostGroup const* group);
Described<LostBy> const& describe(LostBy const* by);
Described<LostDrafts> const& describe(LostDrafts const* lost);

struct WhyReport {
  std::int64_t gamma;
  double mean_drafts;
  std::optional<double> plain_ms;
  TimeReport ideal, predicted;
  std::optional<TimeReport> measured;
  std::vector<NamedCauseReport> steps;
  CauseReport unexplained;
  std::vector<std::string> notes = {};
  std::optional<LostDrafts> lost = {};
  std::optional<CountedReport> counted = {};
};
Described<WhyReport> const& describe(WhyReport const* report);
Json document_of(WhyReport const& report);
/// plain_ms: of a plain step; none where times are in plain steps alone.
WhyReport report_of(Waterfall const& found, std::optional<double> plain_ms);
/// Of the distance from the ideal; none where there is none to be explained.
std::optional<double> share_of(Waterfall const& of, double time);

}  // namespace draftgauge
