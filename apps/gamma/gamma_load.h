#pragma once
#include <functional>

#include "analysis/counters/counters.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/load_options.h"

namespace draftgauge {

/// What `gamma` says otherwise, of a batch of so many sequences.
using GammaOfBatch = std::function<GammaAnswer(std::int64_t batch)>;

/// The best γ of each batch size, at --concurrency or at --request-rate; with the lines to set it. of_batch: none
/// where the times say themselves what is accepted. Throws UsageError. counters: where an engine counted what is
/// accepted; it says for which engine the lines are where --for names none, and how many sequences are decoded at
/// once where no option does.
Result gamma_of_load(Invocation const& args, Load const& load, GammaAsked const& asked, GammaOfBatch const& of_batch,
                     EngineCounters const* counters = nullptr);

}  // namespace draftgauge
