#pragma once
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

/// What --alpha and survival curves share: costs that depend on no recording, and batches.
namespace draftgauge {

/// By the options, with `cost` for what --cost says.
PricedRound priced_round(Invocation const& args, std::string const& cost, GammaAsked const& asked);

/// Throws UsageError for --resamples of counts by request without costs: E[N] and what pays have intervals that are
/// not drawn.
void refuse_draws_of_requests(Invocation const& args, PricedRound const& round);

/// ", 8 sequences independent of each other"; empty for one.
std::string batch_text(GammaAsked const& asked);
/// What a batch and the costs leave to be said.
void add_setting_notes(Section& section, GammaAsked const& asked, PricedRound const& round);
/// What a report says of how it was asked.
GammaSetting setting_of(PricedRound const& round, GammaAsked const& asked, std::string_view estimator);
GammaReport report_of(GammaReport::Of of, PricedRound const& round, GammaAsked const& asked,
                      std::string_view estimator);

}  // namespace draftgauge
