#pragma once
#include "apps/why/why_input.h"

namespace draftgauge {

/// The lines to paste for the engine that counted, or the one to be set: the best γ by the counters and the costs,
/// else the γ that ran. Nothing where no engine is known. Domain: asked.counted.
void add_why_settings(Result& result, Invocation const& args, WhyAsked const& asked, double confidence);

}  // namespace draftgauge
