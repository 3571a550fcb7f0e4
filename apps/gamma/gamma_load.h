#pragma once
#include <functional>

#include "apps/gamma/gamma_report.h"
#include "apps/options/load_options.h"

namespace draftgauge {

/// What `gamma` says otherwise, of a batch of so many sequences: E[N] of each γ comes from its document.
using GammaOfBatch = std::function<Result(std::int64_t batch)>;

/// The best γ of each batch size, at --concurrency or at --request-rate; with the lines to set it. of_batch: none where the
/// times say themselves what is accepted. Throws UsageError.
/// engine: for which the lines are where --for names none; or empty.
Result gamma_of_load(Invocation const& args, Load const& load, GammaAsked const& asked, GammaOfBatch const& of_batch,
                     std::string_view engine = {});

}  // namespace draftgauge
