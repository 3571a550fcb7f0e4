#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/scheduling/scheduled_batch.h"
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

/// Texts as schedules are played along them, and what to say of them.
struct KnownTexts {
  std::vector<EstimatedTexts> kinds;  ///< of estimates
  std::string name, from;
  std::vector<ScheduledText> confidences = {};  ///< with the largest q of each place; empty where that is not known
  std::vector<std::string> notes = {};

  std::vector<ScheduledText> const& texts() const { return kinds.front().texts; }
  std::size_t size() const { return texts().size(); }
};
/// Whether such estimates depend on the tokens before them.
inline bool sees_tokens(std::string_view estimates) { return !estimates.empty() && estimates != "mean"; }

/// What --estimates says, for help.
std::string estimate_kinds();
/// `asked`: what says what is accepted. counters: where that are an engine's rounds. Throws UsageError where the texts do
/// not tell what is estimated.
KnownTexts known_texts(Invocation const& args, std::string_view asked, GammaAsked const& how,
                       EngineCounters const* counters);

}  // namespace draftgauge
