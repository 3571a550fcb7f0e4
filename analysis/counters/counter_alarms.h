#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/alarms.h"
#include "analysis/counters/counters.h"
#include "analysis/counters/estimates.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// A draft that was tested often and never accepted, where it is known that it was drafted.
std::optional<NeverAccepted> never_accepted(EngineCounters const& counters);

/// The same where no round may have drafted so far, in a sentence; empty where neither may be.
std::string never_accepted_text(EngineCounters const& counters);

/// Whether drafts were trimmed, that is not verified, and count as rejected, in an alarm.
std::optional<Alarm> trimmed_alarm(EngineCounters const& counters);

/// What must be said of these counters before all else: trimmed and broken first. Of trimmed ones no other γ is said to be faster. Fewer rounds than fewest_counted show no loss. ran: how fast what was counted is, else by its
/// row; rows: S of each γ by these counters, as far as it is known.
std::vector<Alarm> counter_alarms(EngineCounters const& counters, std::span<GammaRow const> rows,
                                  std::optional<DraftSpeed> const& ran = {});

/// The same at costs, where they are given, of all γ that the counters say anything of. speedup: of what was counted.
std::vector<Alarm> counter_alarms(EngineCounters const& counters, std::optional<Costs> const& costs,
                                  std::optional<CountEstimate> const& speedup);

}  // namespace draftgauge
