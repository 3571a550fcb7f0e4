#pragma once
#include <optional>
#include <span>
#include <vector>

#include "analysis/choose/alarms.h"
#include "analysis/why/waterfall.h"
#include "apps/gamma/gamma_report.h"
#include "apps/why/why_input.h"

namespace draftgauge {

/// What must be said first of the γ that ran, at its measured time, else as predicted. Of a batch, whose steps without
/// drafts nobody timed, as counted. rows: of all γ by the counters, where there are any.
std::vector<Alarm> why_alarms(Waterfall const& of, WhyAsked const& asked, std::span<GammaRow const> rows);

/// What `gamma` says of the counters at these costs; none where either is not there.
std::optional<GammaAnswer> why_gamma(Invocation const& args, WhyAsked const& asked, double confidence);

/// The lines to paste for the engine that counted, or the one to be set: of the best γ, else of the γ that ran.
/// Nothing where no engine is known. Domain: asked.counted.
void add_why_settings(Result& result, Invocation const& args, WhyAsked const& asked,
                      std::optional<GammaAnswer> found);

}  // namespace draftgauge
